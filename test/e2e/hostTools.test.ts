import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { knownHostTools } from '../../src/core/tools/hostCatalogue';
import { toolsOf, type ClaudeRequest } from '../support/claude/request';
import { reply, text, toolUse } from '../support/claude/script';
import { until } from '../support/until';
import { ConfirmationCard } from '../support/window/confirmationCard';
import { runCalls, type Call } from '../support/window/runCalls';
import { resultsOf } from '../support/window/sentMessages';
import { withWindow } from '../support/window/withWindow';

/** What is said in `hostCatalogue.ts` of who asks, held against the VS Code that is there. */
describe('VS Code’s own tools in the panel', () => {
  const { standIn, window } = withWindow();
  let offered: readonly string[];

  before(async () => {
    mkdirSync(join(window.folder, '.vscode'));
    const tasks = ['first', 'second'].map((label) => ({ label, type: 'shell', command: 'echo hello' }));
    writeFileSync(join(window.folder, '.vscode/tasks.json'), JSON.stringify({ version: '2.0.0', tasks }));
    await window.workbench.openFile('src/discounts.ts');
    standIn.script(reply(text('Hello.')));
    await window.panel.ask('hello');
    offered = toolsOf(standIn.journal.messages.at(-1)!.body as ClaudeRequest).map(({ name }) => name);
  });

  const theTerminal = 'the terminal';
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
    vscode_renameSymbol: (_, again) =>
      again ? renaming('reduced', 'lowered') : renaming('applyDiscount', 'reduced'),
  };
  const renaming = (symbol: string, newName: string): object => ({
    ...{ symbol, newName },
    ...{ filePath: 'src/discounts.ts', lineContent: 'export function' },
  });
  const there = () => Object.entries(inputs).filter(([tool]) => offered.includes(tool));
  const discounts = (): string => readFileSync(join(window.folder, 'src/discounts.ts'), 'utf8');
  const idIn = (said: string): string | undefined => /\b([0-9a-f]{8}-[0-9a-f-]{27})\b/.exec(said)?.[1];

  it('are all looked at here', () => {
    assert.deepEqual(
      knownHostTools.filter(({ asks }) => asks).map(({ name }) => name),
      Object.keys(inputs),
    );
  });

  it('S2: ask by themselves where we say so, and not where we ask', async () => {
    const calls = there().map(([tool, input]) => ({ tool, input: input(theTerminal, false) }));
    const asked = await callAsClerk(calls);
    assert.match(await window.panel.answerText(), /killed/i);
    const askedBy = (tool: string): string => {
      const cards = asked.filter((name) => name === tool).length;
      return cards === 0 ? 'us' : cards === 1 ? 'vscode' : 'twice';
    };
    assert.deepEqual(Object.fromEntries(calls.map(({ tool }) => [tool, askedBy(tool)])), expected());
  });

  it('S2, R5: are asked about exactly once when Claude uses them, and change nothing when the person skips', async () => {
    const terminalIn = (results: readonly string[]) => results.map(idIn).findLast(Boolean) ?? '';
    const skipped = {
      ...{ tool: 'vscode_renameSymbol', input: renaming('lowered', 'raised') },
      ...{ press: ['Skip'], picture: 'tools-rename' },
    };
    const calls: readonly Call[] = [
      ...there().map(([tool, input]) => ({
        tool,
        input: (results: readonly string[]) => input(terminalIn(results), true),
      })),
      skipped,
    ];
    const outcomes = await runCalls({ standIn, window }, 'use them all', calls);
    for (const [index, { tool }] of calls.entries()) {
      const { cards, text: said } = outcomes[index]!;
      assert.equal(cards.length, 1, `${tool}: ${cards.join(' | ')}`);
      if (tool === 'kill_terminal') assert.match(said, /killed/i);
    }
    await until(() => /export function lowered\(/.test(discounts()));
    const { cards, isError } = outcomes.at(-1)!;
    assert.match(cards[0]!, /Rename a symbol wherever it is used\?[^]*"newName": "raised"/);
    assert.equal(isError, true);
    assert.doesNotMatch(discounts(), /raised/);
  });

  it('S1, A12: look through no link at a file outside of the workspace, though VS Code itself would', async () => {
    writeFileSync(join(window.folder, '../outside.ts'), 'export const pin4711 = 1;\n');
    symlinkSync('../outside.ts', join(window.folder, 'inside.ts'));
    const input = { symbol: 'pin4711', filePath: 'inside.ts', lineContent: 'export const' };
    await callAsClerk([{ tool: 'vscode_listCodeUsages', input }]);
    assert.match(await window.panel.answerText(), /1 usages? of pin4711/);
    standIn.script(reply(toolUse('vscode_listCodeUsages', input)), reply(text('Done.')));
    await window.panel.ask('where is the pin?');
    const result = resultsOf(standIn.journal.messages.at(-1)!).at(-1)!;
    assert.equal(result.isError, true);
    assert.match(result.text, /a link that leaves the workspace/);
  });

  /** As any extension could: what is asked then, VS Code asks by itself. Gives the tool of each card, which is allowed. */
  async function callAsClerk(
    calls: readonly { readonly tool: string; readonly input: object }[],
  ): Promise<readonly string[]> {
    const [callsFile, logFile] = ['calls.json', 'calls.txt'].map((name) => join(window.workplace.root, name));
    writeFileSync(callsFile!, JSON.stringify({ calls, logFile }));
    await window.panel.send(`call ${Buffer.from(callsFile!).toString('hex')}`, 'clerk');
    const asked: string[] = [];
    await new ConfirmationCard(window.page).answerEach(window.panel, async () => {
      asked.push(readFileSync(logFile!, 'utf8').trimEnd().split('\n').at(-1)!);
      return 'Allow';
    });
    return asked;
  }

  /** What the catalogue says of those that this version has. */
  function expected(): Record<string, string> {
    const known = knownHostTools.filter(({ name }) => offered.includes(name));
    return Object.fromEntries(known.flatMap(({ name, asks }) => (asks ? [[name, asks.by]] : [])));
  }
});
