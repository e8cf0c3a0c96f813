import { homedir } from 'node:os';
import { join, sep } from 'node:path';
import type { GuidanceFolder } from '../../core/tools/guidance/shelf';
import type { Place } from '../../core/tools/workspace';
import { followLinks, listFolder, readBytes, statFile } from './diskFiles';

/**
 * The person's own `.claude` folder, on the machine that the extension runs on. It is a folder like those of the
 * workspace, so that the path policy decides on what is in it, too: nothing that a link leads out of it is read.
 */
export function createPersonalFolder(environment: NodeJS.ProcessEnv): GuidanceFolder {
  // The variable by which Claude Code is told to look elsewhere.
  const path = environment['CLAUDE_CONFIG_DIR'] || join(homedir(), '.claude');
  const folder = { name: '.claude', root: path.replaceAll(sep, '/').replace(/\/+$/, '') };
  const onDisk = (place: Place) => join(path, place.path);
  return {
    folders: () => [folder],
    isTrusted: () => true,
    realPath: async (place) => (await followLinks(onDisk(place))).replaceAll(sep, '/'),
    stat: (place) => statFile(onDisk(place)),
    list: (place) => listFolder(onDisk(place)),
    readBytes: (place, start, length) => readBytes(onDisk(place), start, length),
    decode: async (_, bytes) => ({ text: new TextDecoder().decode(bytes), encoding: 'utf8', isExact: true }),
  };
}
