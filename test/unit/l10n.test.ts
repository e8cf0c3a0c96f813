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

  for (const [path, source] of [
    ['vscode/a.ts', 'throw new UserError(`Cannot do ${what}`);'],
    ['vscode/a.ts', "const label = 'Hello there'; item.text = label;"],
    ['vscode/a.ts', "showInputBox({ prompt: 'Say something' });"],
    ['vscode/a.ts', "showInputBox({ validateInput: (value) => (value ? undefined : 'Not empty') });"],
    ['vscode/a.ts', "const all = [l10n.t('One.')]; all.push('Two words.'); inform(paragraph(all));"],
    ['vscode/a.ts', "item.tooltip = rows.map((row) => `one row ${row}`).join('\\n');"],
    ['vscode/a.ts', "function words(): string { return 'Two words'; } item.tooltip = words();"],
    ['vscode/a.ts', 'item.tooltip = `${label}: ${detail}`;'],
    ['vscode/a.ts', "inform(sentences.join(' '));"],
    ['vscode/a.ts', "const gone = names.join(', '); inform(l10n.t('Erased: {0}', gone));"],
    ['core/conversation/reports/a.ts', "row({ details: ['two words'] });"],
    ['core/conversation/reports/a.ts', "row({ spoken: [label, age].join(', ') });"],
    ['core/tools/confirmation.ts', "confirm({ message: 'Two words' });"],
  ] as const) {
    it(`P8: are found wherever they stand: ${source}`, () => {
      assert.equal(findBareWords(path, source).length, 1);
    });
  }
});

/** Names, codes, and what Claude reads. */
const notTranslated = [
  'core/conversation/archive/fromPortable.ts turns',
  'core/conversation/archive/fromPortable.ts version',
  'core/conversation/reports/exportMarkdown.ts conversation',
  'core/settings.ts {"allow": ["example.com"], "block": []}',
  'core/settings.ts {"tool": "edit_file", "path": "src/**", "decision": "allow"}',
  'core/tools/replaceText.ts :',
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
