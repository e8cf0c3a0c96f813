import assert from 'node:assert/strict';
import { apiError, gate, reply, text } from '../support/claude/script';
import { takesPictures } from '../support/window/bothThemes';
import { historyOf } from '../support/window/sentMessages';
import { withWindow } from '../support/window/withWindow';

describe('the running summary in the panel', () => {
  const { standIn, window } = withWindow({
    settings: { 'assistant.maxTurns': 3, 'assistant.whenFull': 'summarize' },
  });

  beforeEach(() => window.panel.ask('/clear'));

  async function talk(...questions: readonly string[]): Promise<void> {
    for (const question of questions) {
      standIn.script(reply(text(`Answer to ${question}.`)));
      await window.panel.ask(question);
    }
  }

  const modelOf = (index: number) => (standIn.journal.messages[index]!.body as { model: string }).model;

  /** Leaves the window as light or dark as it was. */
  async function lightAndDark(name: string): Promise<void> {
    if (!takesPictures) return;
    for (const [theme, style] of [
      ['light', 'vs'],
      ['dark', 'vs-dark'],
    ]) {
      await window.page.locator(`.monaco-workbench.${style}`).waitFor();
      await window.screenshot(`${name}-${theme}`);
      await window.workbench.runCommand('Preferences: Toggle between Light/Dark Themes');
    }
  }

  it('M18: says that it summarizes, and asks Claude with the summary in place of the older turns', async () => {
    const { panel } = window;
    await talk('One', 'Two', 'Three', 'Four');
    const hold = gate();
    standIn.script(
      reply(text('- They asked One and Two. ', hold, 'Order O-17 is open.')),
      reply(text('Answer to Five.')),
      reply(text('Answer to Six.')),
    );
    await panel.send('Five');
    await hold.reached;
    await panel.progress('Summarizing the 2 oldest turns…').waitFor();
    await lightAndDark('summarizing');
    hold.open();
    await panel.finished();
    assert.equal(await panel.answerText(), 'Answer to Five.');
    assert.deepEqual([modelOf(4), modelOf(5)], ['claude-haiku-5-5', 'claude-sonnet-5-5']);
    const history = historyOf(standIn.journal.messages[5]!);
    assert.match(
      history[0] ?? '',
      /^user: <summary>\n- They asked One and Two\. Order O-17 is open\.\n<\/summary>/,
    );
    assert.deepEqual(history.slice(2), [
      'user: Three',
      'assistant: Answer to Three.',
      'user: Four',
      'assistant: Answer to Four.',
    ]);

    await panel.ask('Six');
    const later = historyOf(standIn.journal.messages[6]!);
    assert.deepEqual(later.slice(0, history.length), history);
    const memory = await panel.ask('/memory');
    assert.match(memory, /A summary stands for the 2 turns before them:[^]*Order O-17 is open/);
    await window.screenshot('memory-with-summary');
  });

  it('P4, M13: /compact summarizes all but the newest turn now, shows the summary and takes it back; when a message in it is edited, nothing of what was taken back is sent', async () => {
    const { panel } = window;
    const compact = async (command: string): Promise<string> => {
      standIn.script(reply(text('- They asked **amber** and basalt.\n- The basalt is grey.')));
      return panel.ask(command);
    };
    await talk('amber', 'basalt', 'cobalt');
    const said = await compact('/compact the order numbers');
    assert.match(
      said,
      /2 turns are in the summary now\. What is remembered takes about \d+ tokens of each request/,
    );
    assert.match(said, /They asked amber and basalt\.\s+The basalt is grey\./);
    // VS Code 1.110 shows it to whoever points at the answer.
    await panel.lastAnswer.hover();
    await panel.lastAnswer.getByText(/Haiku 5\.5 · .* out/).waitFor();
    await lightAndDark('compact');
    const fold = standIn.journal.messages[3]!;
    assert.match(JSON.stringify(fold.body), /kept above all: the order numbers/);

    await panel.button('Undo').click();
    await window.workbench.notification(/The turns are back/).waitFor();
    assert.match(await panel.ask('/memory'), /Remembered: 3 of at most 3 turns/);
    await compact('/compact');
    await talk('dolomite');
    const [summary, , ...rest] = historyOf(standIn.journal.messages[5]!);
    assert.match(summary ?? '', /The basalt is grey/);
    assert.deepEqual(rest, ['user: cobalt', 'assistant: Answer to cobalt.']);

    standIn.reset();
    standIn.script(reply(text('Answer to marble.')));
    await panel.edit('basalt', 'marble');
    const sent = await standIn.journal.next();
    await panel.lastAnswer.getByText('Answer to marble.').waitFor();
    await panel.finished();
    assert.deepEqual(historyOf(sent), ['user: amber', 'assistant: Answer to amber.']);
    assert.doesNotMatch(sent.bodyText, /basalt|cobalt|dolomite|summary>/);
    const note = 'The summary told of turns that you took back, so it is gone.';
    await panel.lastAnswer.getByText(`${note} The other turn in it is remembered as it was.`).waitFor();
    await lightAndDark('unfolded');
    assert.match(await panel.ask('/memory'), /2 of at most 3 turns[^]*amber[^]*marble/);
  });

  it('P4, M20: /compact says when there is nothing to do; /clear is taken back by its own Undo, and not by that of an older command', async () => {
    const { panel, workbench } = window;
    await panel.newChat();
    assert.match(await panel.ask('/compact'), /There is nothing to summarize/);
    assert.deepEqual(standIn.journal.messages, []);
    await talk('One', 'Two');
    standIn.script(reply(text('One, in short.')));
    await panel.ask('/compact');
    assert.match(await panel.ask('/clear'), /Erased 1 turn/);
    const undoCompact = window.page
      .locator('.interactive-response', { hasText: 'in short' })
      .getByRole('button', { name: 'Undo' });
    await (await panel.scrolledTo(undoCompact)).click();
    await workbench.notification('There is nothing left to bring back.').waitFor();
    await (await panel.scrolledTo(panel.button('Undo'))).click();
    await workbench.notification('The conversation is back.').waitFor();
    assert.match(await panel.ask('/memory'), /1 of at most 3 turns[^]*One, in short\./);
  });

  it('M18: an answer does not depend on the summary: when it fails, that is said in one line', async () => {
    const { panel } = window;
    await talk('One', 'Two', 'Three', 'Four');
    const overloaded = apiError(529);
    standIn.script(overloaded, overloaded, overloaded, reply(text('Answer to Five.')));
    await panel.send('Five');
    await panel.finished();
    assert.match(
      await panel.answerText(),
      /^The oldest turn could not be summarized, so it is left out of this answer\. The next message tries again\.\s+Answer to Five\.$/,
    );
    await window.screenshot('summary-failed');
    assert.deepEqual(historyOf(standIn.journal.messages[7]!)[0], 'user: Two');

    standIn.script(reply(text('One to Three, in short.')), reply(text('Answer to Six.')));
    await panel.ask('Six');
    const [summary] = historyOf(standIn.journal.messages[9]!);
    assert.match(summary ?? '', /One to Three, in short\./);
  });
});
