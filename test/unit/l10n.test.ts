import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { getL10nJson } from '@vscode/l10n-dev';
import { findBareWords } from '../support/bareWords';
import { projectRoot } from '../support/projectPaths';

const read = (path: string): string => readFileSync(join(projectRoot, path), 'utf8');

describe('the sentences for people', () => {
  const files = readdirSync(join(projectRoot, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => ({ path: name.replaceAll('\\', '/'), source: read(join('src', name)) }));
  const sources = files.map(({ source }) => source).join('\n');

  it('P8: are all in the bundle that translators get: `npm run l10n` writes it', async () => {
    // As one script with one import: the extractor takes 100 ms for each.
    const imports = /^import (?:type )?\* as \w+ from '(?:vscode|@vscode\/l10n)';$/gm;
    const contents = `import * as l10n from '@vscode/l10n';\n${sources.replace(imports, '')}`;
    const bundle = read('l10n/bundle.l10n.json');
    assert.deepEqual(await getL10nJson([{ extension: '.ts', contents }]), JSON.parse(bundle));
  });

  it('P8: stand in the call itself, where the extractor sees them', () => {
    const unseen = sources.match(/(?:vscode\.l10n\.t\(|\{ t\b[^}]*\} = .*l10n|l10n\.t\((?!\s*['"])).*/g);
    assert.deepEqual(unseen ?? [], []);
  });

  it('P8: are none of them English in every language: none goes past the bundle', () => {
    const found = files.flatMap(({ path, source }) => findBareWords(path, source));
    const expected = new Set(notTranslated);
    assert.deepEqual(
      found.filter((place) => !expected.delete(place.replace(/:\d+ /, ' '))),
      [],
      'use l10n.t; what is no sentence for people is listed in this file',
    );
    assert.deepEqual([...expected], [], 'no longer there: take it out of the list');
  });
});

/** Names, codes, and what Claude reads. */
const notTranslated = [
  'core/conversation/reports/exportMarkdown.ts conversation',
  'core/tools/replaceText.ts Edit',
  'core/tools/replaceText.ts of',
  'vscode/apiKey.ts sk-ant-…',
  'vscode/chat/modelMessages.ts Answer with a call of one of the tools, whatever else you say.',
  // VS Code takes the first model by name.
  'vscode/chat/modelProvider.ts Claude Default',
  'vscode/tools/languageModelTools.ts [The person changed the call before allowing it. What ran:',
  'vscode/tools/personalFolder.ts .claude',
  'vscode/tools/ripgrepOutput.ts [at character',
  'vscode/tools/ripgrepOutput.ts of a very long line]',
];
