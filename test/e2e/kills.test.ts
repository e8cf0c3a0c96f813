import assert from 'node:assert/strict';
import { reply, text } from '../support/claude/script';
import { killAtEachPoint, killPoints, textsOf } from '../support/kills';
import { filesBelow } from '../support/window/filesBelow';
import type { DrivenWindow } from '../support/window/lastingVsCode';
import { historyOf } from '../support/window/sentMessages';
import { withLastingVsCode } from '../support/window/withWindow';

/** The same moments of plain processes, many more of them, are in test/unit/storage/kills.test.ts. */
describe(`kill -9 of the extension host at each of ${killPoints} moments of a turn`, function () {
  this.timeout(600_000);
  const { standIn, vscode } = withLastingVsCode({
    settings: { 'assistant.maxTurns': 0, 'assistant.conversationTimeout': 0 },
  });
  let window: DrivenWindow;

  before(async () => {
    window = await vscode.openWindow();
  });

  it('M7, M8, F23: no acknowledged turn is lost, finished rounds are found again, and all can be read', async () => {
    const found = await killAtEachPoint({
      standIn,
      times: 1,
      // VS Code itself takes a while to hand over a message.
      handOverMs: 400,
      running: () => window.host,
      replace: (end) => window.replaceHost(end),
    });
    standIn.reset();
    standIn.script(reply(text('All there.')));
    await window.host.chat('Anything lost?');
    assert.deepEqual(historyOf(standIn.journal.messages[0]!), textsOf(found));
  });

  it('M10: no state was unreadable and nothing failed on the way', () => {
    const logs = filesBelow(vscode.workplace.dataFolder).filter(({ path }) =>
      path.endsWith('Claude Assistant.log'),
    );
    const lines = logs.flatMap(({ content }) => content.split('\n'));
    assert.ok(lines.filter((line) => line.includes('recovered 1 interrupted turn')).length >= 5);
    assert.deepEqual(
      lines.filter((line) => /\[(warning|warn|error)\]/i.test(line)),
      [],
    );
  });
});
