import { describeWorkspaceContract } from '../../support/contracts/workspaceContract';
import { createInMemoryWorkspace } from '../../support/inMemoryWorkspace';

describe('the workspace in memory', () => {
  describeWorkspaceContract(async (files) => {
    const gitignore = files['.gitignore'];
    const ignored = typeof gitignore === 'string' ? gitignore.trim().split('\n') : [];
    const workspace = createInMemoryWorkspace({ files, ignored: ignored.map((name) => `**/${name}`) });
    return {
      workspace,
      text: async (path) => workspace.text(path),
      setUnsaved: async (path, text) => void workspace.unsaved.set(`/work/app/${path}`, text),
      async replaceByLink(path, target) {
        for (const key of workspace.files.keys()) {
          if (key === `/work/app/${path}` || key.startsWith(`/work/app/${path}/`))
            workspace.files.delete(key);
        }
        workspace.files.set(`/work/app/${path}`, { link: target });
      },
    };
  });
});
