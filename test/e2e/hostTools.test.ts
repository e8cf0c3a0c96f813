import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { knownHostTools } from '../../src/core/tools/hostCatalogue';
import { toolsOf, type ClaudeRequest } from '../support/claude/request';
import { reply, text, toolUse } from '../support/claude/script';
import { until } from '../support/until';
import { ConfirmationCard } from '../support/window/confirmationCard';
import { resultsOf } from '../support/window/sentMessages';
import { withWindow } from '../support/window/withWindow';

/** What is said in `hostCatalogue.ts` of who asks, held against the VS Code that is there. */
describe('VS Code’s own tools in the panel', () => {
  const { standIn, window } = withWindow();
  let card: ConfirmationCard;
  let offered: readonly string[];

  before(async () => {
    card = new ConfirmationCard(window.page);
    mkdirSync(join(window.folder, '.vscode'));
    const tasks = ['first', 'second'].map((label) => ({ label, type: 'shell', command: 'echo hello' }));
    writeFileSync(join(window.folder, '.vscode/tasks.json'), JSON.stringify({ version: '2.0.0', tasks }));
    await window.workbench.openFile('src/discounts.ts');
    standIn.script(reply(text('Hello.')));
    await window.panel.ask('hello');
    offered = toolsOf(standIn.journal.messages.at(-1)!.body as ClaudeRequest).map(({ name }) => name);
  });

  /** All that change something outside of the chat; a terminal has to be there before it is written to and ended. */
  const inputs: Readonly<Record<string, (terminal: string, again: boolean) => object>> = {
    run_in_terminal: () => ({
      ...{ command: 'sleep 600', explanation: 'Waits', goal: 'Wait', mode: 'async' },
      ...{ isBackground: true, timeout: 0 },
    }),
    send_to_terminal: (id) => ({ id, command: 'hello' }),
    kill_terminal: (id) => ({ id }),
    run_task: (_, again) => ({ workspaceFolder: window.folder, id: `shell: ${again ? 'second' : 'first'}` }),
    runTests: () => ({}),
    vscode_renameSymbol: (_, again) => ({
      ...{ symbol: again ? 'reduced' : 'applyDiscount', newName: again ? 'lowered' : 'reduced' },
      ...{ filePath: 'src/discounts.ts', lineContent: 'export function' },
    }),
  };
  const discounts = (): string => readFileSync(join(window.folder, 'src/discounts.ts'), 'utf8');
  const idIn = (said: string): string | undefined => /\b([0-9a-f]{8}-[0-9a-f-]{27})\b/.exec(said)?.[1];

  it('are all looked at here', () => {
    assert.deepEqual(
      knownHostTools.filter(({ asks }) => asks).map(({ name }) => name),
      Object.keys(inputs),
    );
  });

  it('S2: ask by themselves where we say so, and not where we ask', async () => {
    const counted: Record<string, string> = {};
    let terminal = '';
    for (const [tool, input] of Object.entries(inputs)) {
      if (!offered.includes(tool)) continue;
      await callAsClerk(tool, input(terminal, false));
      const cards = await card.allowEach(window.panel);
      counted[tool] = cards.length === 0 ? 'us' : cards.length === 1 ? 'vscode' : 'twice';
      terminal = idIn(await window.panel.answerText()) ?? terminal;
    }
    assert.notEqual(terminal, '', 'the terminal said its id');
    assert.deepEqual(counted, expected());
  });

  it('S2, R5: are asked about exactly once when Claude uses them', async () => {
    let terminal = '';
    for (const [tool, input] of Object.entries(inputs)) {
      if (!offered.includes(tool)) continue;
      standIn.script(reply(toolUse(tool, input(terminal, true))), reply(text('Done.')));
      await window.panel.send(`use ${tool}`);
      const cards = await card.allowEach(window.panel);
      assert.equal(cards.length, 1, `${tool}: ${cards.join(' | ')}`);
      const result = resultsOf(standIn.journal.messages.at(-1)!).at(-1)!;
      terminal = idIn(result.text) ?? terminal;
      if (tool === 'kill_terminal') assert.match(result.text, /killed/i);
    }
    await until(() => /export function lowered\(/.test(discounts()));
  });

  it('S1, A12: look through no link at a file outside of the workspace, though VS Code itself would', async () => {
    writeFileSync(join(window.folder, '../outside.ts'), 'export const pin4711 = 1;\n');
    symlinkSync('../outside.ts', join(window.folder, 'inside.ts'));
    const input = { symbol: 'pin4711', filePath: 'inside.ts', lineContent: 'export const' };
    await callAsClerk('vscode_listCodeUsages', input);
    await window.panel.lastAnswer.filter({ hasText: /1 usages? of pin4711/ }).waitFor();
    await window.panel.finished();
    standIn.script(reply(toolUse('vscode_listCodeUsages', input)), reply(text('Done.')));
    await window.panel.ask('where is the pin?');
    const result = resultsOf(standIn.journal.messages.at(-1)!).at(-1)!;
    assert.equal(result.isError, true);
    assert.match(result.text, /a link that leaves the workspace/);
  });

  it('S2: change nothing when the person skips', async () => {
    const input = {
      symbol: 'lowered',
      newName: 'raised',
      filePath: 'src/discounts.ts',
      lineContent: 'export function',
    };
    standIn.script(reply(toolUse('vscode_renameSymbol', input)), reply(text('Done.')));
    await window.panel.send('rename it');
    const said = await card.asks('Rename a symbol wherever it is used?');
    assert.match(said, /"newName": "raised"/);
    await window.screenshot('tools-rename');
    await card.press('Skip');
    await window.panel.finished();
    assert.doesNotMatch(discounts(), /raised/);
  });

  /** As any extension could: what is asked then, VS Code asks by itself. */
  async function callAsClerk(tool: string, input: object): Promise<void> {
    const call = Buffer.from(JSON.stringify({ tool, input })).toString('hex');
    await window.panel.send(`call ${call}`, 'clerk');
  }

  /** What the catalogue says of those that this version has. */
  function expected(): Record<string, string> {
    const there = knownHostTools.filter(({ name }) => offered.includes(name));
    return Object.fromEntries(there.flatMap(({ name, asks }) => (asks ? [[name, asks.by]] : [])));
  }
});
