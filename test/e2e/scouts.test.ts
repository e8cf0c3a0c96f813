import assert from 'node:assert/strict';
import type { JournalEntry } from '../support/claude/journal';
import { textOf, type ClaudeRequest } from '../support/claude/request';
import {
  cited,
  gate,
  reply,
  text,
  toolUse,
  webSearch,
  type Gate,
  type Reply,
} from '../support/claude/script';
import { screenshotInBothThemes } from '../support/window/bothThemes';
import { showsReferences } from '../support/window/chatPanel';
import { ConfirmationCard } from '../support/window/confirmationCard';
import { runCalls } from '../support/window/runCalls';
import { resultsOf } from '../support/window/sentMessages';
import { webviewIn } from '../support/window/webview';
import { withWindow } from '../support/window/withWindow';

const docs = { url: 'https://docs.example.com/release', title: 'Release notes', text: 'Version 3 is out.' };

describe('scouts and the web in the panel', () => {
  const { standIn, window } = withWindow({ settings: { 'window.autoDetectColorScheme': true } });

  const requestOf = ({ body }: JournalEntry) => body as ClaudeRequest;
  const questions = ['Where are prices computed?', 'What does the README promise?'];
  const explore = reply(toolUse('explore', { questions }));
  /** Reads one file, waits, and reports. They ask in any order. */
  const scout =
    (held: Gate) =>
    (request: ClaudeRequest): Reply => {
      const isFirst = textOf(request.messages[0]?.content ?? '') === questions[0];
      const path = isFirst ? 'src/orders.ts' : 'README.md';
      if (request.messages.length === 1) return reply(toolUse('read_file', { path }));
      return reply(text(held, `It stands in ${path}:1.`));
    };

  it('L16: each has a line with what it reads, and their reports come back with places and a price of their own', async () => {
    const { panel } = window;
    const held = gate();
    standIn.script(explore, ...Array.from({ length: 4 }, () => scout(held)), reply(text('Both found.')));
    await panel.send('look around');
    await panel
      .progress(/Scout 1: Reading src\/orders\.ts/)
      .first()
      .waitFor();
    await panel
      .progress(/Scout 2: Reading README\.md/)
      .first()
      .waitFor();
    await screenshotInBothThemes(window, 'scouts-reading');
    held.open();
    await panel.finished();
    assert.match(await panel.answerText(), /Both found\./);
    const [first] = standIn.journal.messages;
    const last = standIn.journal.messages.at(-1);
    assert.ok(first && last);
    assert.equal(requestOf(first).model, requestOf(last).model);
    const own = standIn.journal.messages.slice(1, -1).map(requestOf);
    assert.deepEqual([...new Set(own.map(({ model }) => model))], ['claude-haiku-5-5']);
    assert.deepEqual(own[0]?.tools?.map((tool) => ('name' in tool ? tool.name : '')).toSorted(), [
      'find_files',
      'get_changes',
      'get_diagnostics',
      'get_symbols',
      'list_directory',
      'read_file',
      'search_text',
    ]);
    const [result] = resultsOf(last);
    assert.match(result?.text ?? '', /It stands in src\/orders\.ts:1\.[^]*It stands in README\.md:1\./);
    assert.match(await panel.receipt(), /· scouts (<?\$|\d)/);
    if (showsReferences) assert.ok((await panel.references()).some((name) => name.includes('orders.ts')));
    await screenshotInBothThemes(window, 'scouts-reported');
    await panel.whatWasSent.click();
    await webviewIn(window.page)
      .getByText(/Scouts: requests of their own: 4/)
      .waitFor();
    await screenshotInBothThemes(window, 'scouts-ledger');
    await window.workbench.closeEditors();
    await window.workbench.runCommand('Assistant: Show Usage');
    await webviewIn(window.page).locator('.legend').getByText('Scouts').waitFor();
    await screenshotInBothThemes(window, 'scouts-usage');
    await window.workbench.closeEditors();
  });

  it('L6, L16, F39: Stop ends them all', async () => {
    const { panel } = window;
    const held = gate();
    standIn.script(explore, ...Array.from({ length: 4 }, () => scout(held)));
    await panel.send('look around once more');
    await panel
      .progress(/Scout 1: Reading/)
      .first()
      .waitFor();
    await panel
      .progress(/Scout 2: Reading/)
      .first()
      .waitFor();
    await standIn.waitFor(() => standIn.journal.messages.length === 5);
    await panel.stop();
    const streams = standIn.journal.messages.slice(3);
    await Promise.all(streams.map(({ ended }) => ended));
    assert.deepEqual(
      streams.map(({ outcome }) => outcome.state),
      ['aborted', 'aborted'],
    );
    standIn.script(reply(text('Stopped, I see.')));
    assert.match(await panel.ask('what happened'), /Stopped, I see\./);
  });

  it('L17, A33: a card shows exactly the question that leaves, and the sources stand below the answer', async () => {
    const { panel } = window;
    const question = 'Which version of Tea is out, and since when?';
    standIn.script(
      reply(toolUse('search_web', { question })),
      reply(webSearch('tea version', [docs]), cited('Version 3 is out.', docs)),
      reply(text('It is version 3.')),
    );
    await panel.send('which version is out');
    const card = new ConfirmationCard(window.page);
    const said = await card.asks('Search the web for this?');
    assert.ok(said.includes(question), said);
    assert.equal(standIn.journal.messages.length, 1, 'nothing has left yet');
    await screenshotInBothThemes(window, 'web-card');
    await card.allowOnce();
    await panel.finished();
    const asked = standIn.journal.messages[1];
    assert.ok(asked);
    assert.deepEqual(requestOf(asked).messages, [{ role: 'user', content: question }]);
    const link = panel.lastAnswer.getByRole('link', { name: 'Release notes (docs.example.com)' });
    await link.waitFor();
    assert.match(await panel.receipt(), /· web \$0\.01/);
    await screenshotInBothThemes(window, 'web-sources');
  });

  it('L17: what the person refuses does not leave, and off takes the web away', async () => {
    const [refused] = await runCalls({ standIn, window }, 'look it up', [
      { tool: 'fetch_page', input: { url: docs.url }, press: ['Skip'] },
    ]);
    assert.equal(refused?.cards.length, 1);
    assert.ok(refused?.cards[0]?.includes(docs.url));
    assert.equal(refused?.isError, true);
    assert.equal(standIn.journal.messages.length, 2);
    await window.changeSettings({ 'assistant.web': 'off' });
    standIn.script(reply(text('Hello.')));
    await window.panel.ask('hello');
    const last = standIn.journal.messages.at(-1);
    assert.equal(JSON.stringify(last && requestOf(last).tools).includes('search_web'), false);
  });
});
