import { attachmentsTarget } from './attachments';
import { documentsTarget } from './documents';
import { guidanceTarget } from './guidance';
import { hunksTarget } from './hunks';
import { importedFileTarget } from './importedFile';
import { permissionRulesTarget } from './permissionRules';
import { picturesTarget } from './pictures';
import { placeholdersTarget } from './placeholders';
import { providerTarget } from './provider';
import { recallQueryTarget } from './recallQuery';
import { settingsTarget } from './settings';
import { simulationTarget } from './simulation';
import { storedStateTarget } from './storedState';
import { streamTarget } from './stream';
import type { FuzzTarget } from './target';
import { toolInputTarget } from './toolInput';
import { usageSumsTarget } from './usageSums';
import { webAddressTarget } from './webAddress';

/** Every door that something from outside comes in by. To be closed one by one. */
export async function openTargets(): Promise<readonly FuzzTarget[]> {
  return [
    await streamTarget(),
    storedStateTarget(),
    settingsTarget(),
    toolInputTarget(),
    attachmentsTarget(),
    importedFileTarget(),
    providerTarget(),
    await recallQueryTarget(),
    documentsTarget(),
    guidanceTarget(),
    permissionRulesTarget(),
    webAddressTarget(),
    hunksTarget(),
    usageSumsTarget(),
    placeholdersTarget(),
    picturesTarget(),
    simulationTarget(),
  ];
}
