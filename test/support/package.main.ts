/** `npm run package`: writes dist/claude-assistant.vsix and says how large it is. */
import { relative } from 'node:path';
import { projectRoot } from './projectPaths';
import { runMain } from './setupError';
import { packVsix } from './vsix';

runMain(async () => {
  const { path, bytes } = packVsix();
  console.log(`${relative(projectRoot, path)}: ${(bytes / 1024).toFixed(1)} KiB`);
  return 0;
});
