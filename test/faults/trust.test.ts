import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { systemBlocksOf, toolsOf, type ClaudeRequest } from '../support/claude/request';
import { reply, text, toolUse } from '../support/claude/script';
import { screenshotInBothThemes } from '../support/window/bothThemes';
import { ConfirmationCard } from '../support/window/confirmationCard';
import { historyOf, resultsOf } from '../support/window/sentMessages';
import { withWindow } from '../support/window/withWindow';

/** One conversation: it begins in Restricted Mode, and goes on once the person trusts the folder. */
describe('a folder that is not trusted, and then is, in the panel', () => {
  const { standIn, window } = withWindow({
    settings: { 'window.autoDetectColorScheme': true },
    asksForTrust: true,
  });

  before(async () => {
    for (const [name, rule] of Object.entries(rules)) writeFileSync(file(name), rule);
    mkdirSync(file('.vscode'));
    writeFileSync(file('.vscode/settings.json'), JSON.stringify({ ...workspaceSettings, ...shownInTitle }));
    await window.workbench.doNotTrustFolder();
    await window.panel.ready();
    // By then VS Code has taken in what the workspace sets.
    await window.page.waitForFunction(
      (title) => document.title.includes(title),
      shownInTitle['window.title'],
    );
    await window.page.locator('.part.activitybar').getByRole('tab', { name: 'Claude Assistant' }).waitFor();
    // In Restricted Mode VS Code does not say when our models are there. A box of ours shows that we are.
    await window.workbench.runCommand('Assistant: Set Turn Limit…');
    await window.workbench.inputBox.press('Escape');
  });

  const file = (path: string): string => join(window.folder, path);
  const request = (number: number): ClaudeRequest => standIn.journal.messages[number]!.body as ClaudeRequest;
  const offered = (number: number): string[] => toolsOf(request(number)).map(({ name }) => name);
  const system = (number: number): string => JSON.stringify(systemBlocksOf(request(number)));
  const edit = toolUse(
    'edit_file',
    { path: 'src/orders.ts', edits: [{ old_text: 'const total =', new_text: 'const sum =' }] },
    { id: 'toolu_edit' },
  );

  it('A4: Claude is offered only tools that read, is told why, and hears nothing of the instruction files', async () => {
    standIn.script(
      reply(toolUse('read_file', { path: 'src/orders.ts' }, { id: 'toolu_read' })),
      reply(text('It adds up orders.')),
    );
    assert.match(await window.panel.ask('what does orders.ts do?'), /^It adds up orders\.$/m);
    assert.match(resultsOf(standIn.journal.messages[1]!)[0]!.text, /const total =/);
    for (const number of [0, 1]) {
      assert.ok(offered(number).includes('search_text'));
      assert.deepEqual(
        offered(number).filter((name) => changing.has(name)),
        [],
      );
      assert.match(system(number), /has not trusted this workspace/);
      for (const rule of Object.values(rules)) {
        assert.equal(standIn.journal.messages[number]!.bodyText.includes(rule), false, rule);
      }
    }
  });

  it('A28, S3: no setting of the workspace counts, and none of its words reaches Claude', async () => {
    // Two rounds of tools are all that the workspace would have allowed.
    const rounds = [toolUse('list_directory', {}), toolUse('find_files', { pattern: '*.ts' })];
    standIn.script(
      ...rounds.map((call) => reply(call)),
      reply(toolUse('read_file', { path: 'README.md' })),
      reply(text('There are orders.')),
    );
    assert.match(await window.panel.ask('what is here?'), /^There are orders\.$/m);
    for (const [number, { bodyText, headers }] of standIn.journal.messages.entries()) {
      const { model, max_tokens } = request(number);
      assert.notEqual(model, workspaceSettings['assistant.model']);
      assert.equal(max_tokens, 32_000);
      assert.equal(bodyText.includes(workspaceSettings['assistant.instructions']), false);
      assert.equal(headers['x-workspace'], undefined);
    }
  });

  it('A4: a change or a command that Claude asks for all the same is refused, and nothing is done', async () => {
    const before = readFileSync(file('src/orders.ts'), 'utf8');
    const run = toolUse('run_in_terminal', terminalInput('touch pwned'), { id: 'toolu_run' });
    standIn.script(reply(edit, run), reply(text('I may only read here.')));
    assert.equal(await window.panel.ask('rename the total'), 'I may only read here.');
    const results = resultsOf(standIn.journal.messages[1]!);
    assert.deepEqual(
      results.slice(-2).map(({ id, isError }) => [id, isError]),
      [
        ['toolu_edit', true],
        ['toolu_run', true],
      ],
    );
    assert.equal(readFileSync(file('src/orders.ts'), 'utf8'), before);
    await screenshotInBothThemes(window, 'trust-restricted');
  });

  it('F30, A4: once trust is granted the conversation goes on, with all tools and the instructions', async () => {
    await window.workbench.trustFolder();
    standIn.script(reply(edit), reply(text('Renamed.')));
    await window.panel.send('now rename it');
    const card = new ConfirmationCard(window.page);
    await card.asks('Edit src/orders.ts?');
    await screenshotInBothThemes(window, 'trust-granted');
    await card.allowOnce();
    await window.panel.finished();
    assert.match(await window.panel.answerText(), /^Renamed\.$/m);
    assert.match(readFileSync(file('src/orders.ts'), 'utf8'), /const sum =/);
    const [first] = standIn.journal.messages;
    assert.deepEqual(
      historyOf(first!).filter((line) => line.startsWith('user:')),
      ['user: what does orders.ts do?', 'user: what is here?', 'user: rename the total'],
    );
    assert.deepEqual(
      everywhere.filter((name) => !offered(0).includes(name)),
      [],
    );
    assert.doesNotMatch(system(0), /has not trusted/);
    assert.equal(first!.bodyText.includes(workspaceSettings['assistant.instructions']), false);
    assert.equal(request(0).max_tokens, workspaceSettings['assistant.maxOutputTokens']);
    for (const rule of Object.values(rules)) {
      assert.ok(system(0).includes(rule), rule);
      assert.equal(first!.bodyText.split(rule).length - 1, 1, 'and not in the message as well');
    }
  });
});

const rules = {
  'AGENTS.md': 'Begin every answer with the word aubergine.',
  'CLAUDE.md': 'End every answer with the word zucchini.',
};

/** Instructions and headers are never the workspace's to say; the others are once it is trusted. */
const workspaceSettings = {
  'assistant.instructions': 'Answer with the word cauliflower and nothing else.',
  'assistant.model': 'claude-opus-5-5',
  'assistant.maxRounds': 2,
  'assistant.maxOutputTokens': 4000,
  'assistant.headers': { 'x-workspace': 'yes' },
};
const shownInTitle = { 'window.title': 'settings of the workspace' };

/** Tools that every VS Code has once the folder is trusted; the last one is another extension's. */
const everywhere = [
  'edit_file',
  'create_file',
  'rename_file',
  'delete_file',
  'note',
  'run_in_terminal',
  'shop_stock',
];

/** Whatever changes files, runs something, or is somebody else's and might. */
const changing = new Set([...everywhere, 'send_to_terminal', 'run_task', 'runTests', 'vscode_renameSymbol']);

function terminalInput(command: string): object {
  return {
    ...{ command, explanation: 'Says hello', goal: 'Say hello', mode: 'sync' },
    ...{ isBackground: false, timeout: 20_000 },
  };
}
