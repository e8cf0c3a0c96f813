import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { getL10nJson } from '@vscode/l10n-dev';
import { projectRoot } from '../support/projectPaths';

describe('the sentences for people', () => {
  const folder = join(projectRoot, 'src');
  const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .join('\n');

  it('P8: are all in the bundle that translators get: `npm run l10n` writes it', async () => {
    // As one script with one import: the extractor takes 100 ms for each.
    const imports = /^import (?:type )?\* as \w+ from '(?:vscode|@vscode\/l10n)';$/gm;
    const contents = `import * as l10n from '@vscode/l10n';\n${sources.replace(imports, '')}`;
    const bundle = readFileSync(join(projectRoot, 'l10n/bundle.l10n.json'), 'utf8');
    assert.deepEqual(await getL10nJson([{ extension: '.ts', contents }]), JSON.parse(bundle));
  });

  it('P8: stand in the call itself, where the extractor sees them', () => {
    const unseen = sources.match(/(?:vscode\.l10n\.t\(|\{ t\b[^}]*\} = .*l10n|l10n\.t\((?!\s*['"])).*/g);
    assert.deepEqual(unseen ?? [], []);
  });
});
