import { attachmentsTarget } from './attachments';
import { importedFileTarget } from './importedFile';
import { providerTarget } from './provider';
import { settingsTarget } from './settings';
import { simulationTarget } from './simulation';
import { storedStateTarget } from './storedState';
import { streamTarget } from './stream';
import type { FuzzTarget } from './target';
import { toolInputTarget } from './toolInput';

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
    simulationTarget(),
  ];
}
