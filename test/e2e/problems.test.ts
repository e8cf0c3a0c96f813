import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { reply, text, toolUse } from '../support/claude/script';
import { typeScriptSetting } from '../support/host/installTypeScript';
import { screenshotInBothThemes } from '../support/window/bothThemes';
import { ConfirmationCard } from '../support/window/confirmationCard';
import { resultsOf } from '../support/window/sentMessages';
import { withWindow } from '../support/window/withWindow';

describe('problems after a change in the panel', () => {
  const { standIn, window } = withWindow({
    settings: {
      'window.autoDetectColorScheme': true,
      [typeScriptSetting.name]: typeScriptSetting.value,
    },
  });
  const write = (path: string, content: string): void => writeFileSync(join(window.folder, path), content);

  it('L13: Claude gets the problems that its edit brought, the panel counts them, and they are mended in the same turn', async () => {
    const { page, panel } = window;
    const card = new ConfirmationCard(page);
    const before = "export const label: number = 'old';\nexport const price = 5;\n";
    write('tsconfig.json', '{ "compilerOptions": { "strict": true, "types": [] } }');
    write('src/price.ts', before);
    await window.workbench.openFile('src/price.ts');
    // By then TypeScript has read the project.
    await page.locator('.squiggly-error').first().waitFor();
    const edit = (old_text: string, new_text: string) =>
      toolUse('edit_file', { path: 'src/price.ts', edits: [{ old_text, new_text }] });
    const broken = 'price: number = "5";\nexport const total = prize * 2;';
    standIn.script(
      reply(edit('price = 5;', broken)),
      reply(edit(broken, 'price = 5;\nexport const total = price * 2;')),
      reply(text('Done.')),
    );
    await panel.send('add a total');
    await card.asks('Edit src/price.ts?');
    await card.allowOnce();
    await panel.lastAnswer.getByText('2 new problems in price.ts').waitFor();
    await card.asks('Edit src/price.ts?');
    await screenshotInBothThemes(window, 'new-problems');
    await card.allowOnce();
    await panel.finished();
    const [first, second] = resultsOf(standIn.journal.messages.at(-1)!).slice(-2);
    assert.match(
      first!.text,
      /^Edited src\/price\.ts\.[^]*\n\nNew problems in src\/price\.ts since the change:\n(src\/price\.ts:\d+:\d+ error: .*(string|prize).* \[ts\](\n|$)){2}$/,
    );
    assert.match(second!.text, /^Edited/);
    assert.doesNotMatch(second!.text, /New problems/);

    // What is mended is among the steps; what is left stands above the answer.
    standIn.script(reply(edit('total = price', 'total = prize')), reply(text('Left so.')));
    await panel.send('break it again');
    await card.asks('Edit src/price.ts?');
    await card.allowOnce();
    await panel.finished();
    assert.match(await panel.answerText(), /1 new problem in price\.ts[^]*Left so\./);
    await screenshotInBothThemes(window, 'new-problem-left');
  });
});
