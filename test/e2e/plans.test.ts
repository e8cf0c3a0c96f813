import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ClaudeRequest } from '../support/claude/request';
import { gate, reply, text, toolUse } from '../support/claude/script';
import { until } from '../support/until';
import { screenshotInAllThemes } from '../support/window/bothThemes';
import { MemoryView } from '../support/window/memoryView';
import { PlanEditor } from '../support/window/planEditor';
import { QuestionCard } from '../support/window/questionCard';
import { historyOf, resultsOf } from '../support/window/sentMessages';
import { withDrivenWindow } from '../support/window/withWindow';

const prices = [
  '# Raise the prices',
  '',
  'Prices are in cents.',
  '',
  '- [ ] Raise the price of the tea in `src/catalogue.ts`',
  '- [ ] Run the tests',
  '- [ ] Say so in the README',
  '',
].join('\n');
const mine = '- [ ] Tell the shops';
const edited = `${prices}${mine}`;
const tick = (plan: string, ...steps: readonly string[]) =>
  steps.reduce((ticked, step) => ticked.replace(`- [ ] ${step}`, `- [x] ${step}`), plan);

const writes = (markdown: string) => toolUse('write_plan', { markdown });
const raises = toolUse('edit_file', {
  path: 'src/catalogue.ts',
  edits: [{ old_text: 'priceInCents: 590', new_text: 'priceInCents: 690' }],
});

describe('a plan in the panel', () => {
  const { standIn, vscode, window } = withDrivenWindow({
    settings: {
      'assistant.permissionMode': 'edits',
      // VS Code in a browser saves by itself.
      'files.autoSave': 'off',
      'window.autoDetectColorScheme': true,
      'window.autoDetectHighContrast': true,
    },
  });
  const catalogue = () => readFileSync(join(vscode.workplace.folder, 'src/catalogue.ts'), 'utf8');
  const pictures = (name: string) => screenshotInAllThemes(window, name);
  const newest = () => {
    const { messages } = standIn.journal.messages.at(-1)!.body as ClaudeRequest;
    return JSON.stringify(messages.at(-1));
  };
  const reload = () =>
    window.replaceHost(() => window.host.execute('workbench.action.reloadWindow').catch(() => undefined));

  it('N1, N2, N3: is written, edited by hand, started, half done, killed, and finished after a reload with the edited steps', async () => {
    const { panel, page, host, workbench } = window;
    const [view, plan] = [new MemoryView(page), new PlanEditor(page)];
    const before = catalogue();
    await host.execute('assistant.showMemory');

    // Nothing runs, although edits run unasked here.
    standIn.script(
      reply(
        toolUse('read_file', { path: 'src/catalogue.ts' }),
        raises,
        toolUse('run_in_terminal', {
          command: 'touch ran',
          explanation: 'x',
          mode: 'sync',
          isBackground: false,
        }),
      ),
      reply(writes(prices)),
      reply(text('Three steps, about ten minutes.')),
    );
    await panel.send('/plan raise the prices');
    await panel.finished();
    assert.equal(catalogue(), before);
    assert.deepEqual(
      resultsOf(standIn.journal.messages[1]!).map(({ isError }) => isError),
      [false, true, true],
    );
    assert.match(
      await panel.answerText(),
      /Not run[^]*: edit_file, run_in_terminal\.[^]*Plan: 3 steps, not started/,
    );
    await plan.tab.waitFor();
    await plan.line('Run the tests').waitFor();
    await view.row('3 steps, not started').waitFor();
    await pictures('plan-written');

    // What is written into it and not saved goes with Start.
    await plan.add(mine);
    await plan.unsaved.waitFor();
    const half = gate();
    standIn.script(
      reply(raises),
      reply(writes(tick(edited, 'Raise'))),
      reply(text('The first step is done. ', half)),
    );
    await workbench.pressInTitle('Start Plan');
    await view.row('1/4').waitFor();
    await page.getByText('Run the tests (2/4)').waitFor();
    await half.reached;
    assert.match(catalogue(), /priceInCents: 690/);
    assert.match(newest(), /The plan is written: 4 steps, 1 of them done/);
    await plan.line('[x] Raise the price').waitFor();
    await pictures('plan-half');

    // Killed in mid-answer, and reloaded.
    await window.replaceHost(() => window.host.kill());
    half.open();
    await reload();
    await window.panel.ready();
    await window.host.execute('assistant.showMemory');
    await view.row('1/4').waitFor();
    await plan.line('[x] Raise the price').waitFor();
    standIn.script(reply(writes(tick(edited, 'Raise', 'Run', 'Say', 'Tell'))), reply(text('All is done.')));
    await window.panel.ask('go on with the plan');
    const asked = standIn.journal.messages.at(-2)!.body as ClaudeRequest;
    assert.match(JSON.stringify(asked.messages.at(-1)), /1 of 4 steps are done[^]*Tell the shops/);
    assert.match(await window.panel.answerText(), /All is done\.[^]*Plan: 4 of 4 steps done/);
    await view.row('4/4').waitFor();
    await pictures('plan-done');

    await window.panel.button('Close Plan').click();
    await workbench.notification('The plan is closed').waitFor();
    await view.row('Closed plans').waitFor();
    await view.row('4/4').waitFor({ state: 'detached' });
    standIn.script(reply(text('Hello.')));
    await window.panel.ask('hello');
    assert.doesNotMatch(newest(), /Tell the shops/);
  });

  it('N2: what Claude writes while the user edits overwrites nothing: VS Code compares, and both texts are there', async () => {
    const { panel, page, host, workbench } = window;
    const plan = new PlanEditor(page);
    await workbench.closeEditors();
    await workbench.deleteAllConversations();
    await panel.newChat();
    standIn.script(reply(writes(prices)), reply(text('Written.')));
    await panel.ask('/plan raise the prices');
    await plan.line('Run the tests').waitFor();
    const held = gate();
    standIn.script(reply(text('Now. ', held), writes(tick(prices, 'Run'))), reply(text('Done.')));
    await panel.send('tick the tests');
    await held.reached;
    await plan.add(mine);
    await plan.unsaved.waitFor();
    held.open();
    await panel.lastAnswer.getByText('Done.').waitFor();
    await panel.finished();
    // The editor keeps what the user wrote, and what Claude wrote is stored.
    await plan.unsaved.waitFor();
    assert.equal(await plan.line('[x] Run').count(), 0);
    await plan.save();
    await workbench.notification(/Failed to save|newer/).waitFor();
    await plan.unsaved.waitFor();
    await window.screenshot('plan-conflict');
    await workbench.pressInNotification(/Failed to save|newer/, 'Overwrite').catch(async () => {
      await host.execute('workbench.action.files.save');
    });
    await plan.unsaved.waitFor({ state: 'detached' });
    standIn.script(reply(text('As you say.')));
    await panel.ask('and now');
    assert.match(newest(), /Tell the shops/);
  });

  it('N1, M16: a question in /plan waits over a reload, and its answer goes on with the plan', async () => {
    const { panel, page } = window;
    await window.workbench.deleteAllConversations();
    await panel.newChat();
    standIn.script(
      reply(
        toolUse('ask_user', { param: 'percent', question: 'By how many per cent?' }, { id: 'toolu_ask' }),
      ),
    );
    await panel.send('/plan raise the prices');
    const card = new QuestionCard(page);
    await card.asks('By how many per cent?');
    await window.replaceHost(() => window.host.kill());
    await reload();
    const before = catalogue();
    standIn.script(reply(raises), reply(writes('- [ ] By ten per cent\n')), reply(text('That is it.')));
    await window.panel.ask('ten');
    assert.equal(catalogue(), before);
    assert.match(await window.panel.answerText(), /Not run[^]*: edit_file\.[^]*Plan: 1 step, not started/);
  });

  it('N1, L5: Continue and Retry below an answer of /plan go on in /plan', async () => {
    const { panel, workbench } = window;
    await workbench.deleteAllConversations();
    await panel.newChat();
    const before = catalogue();
    standIn.script(reply(raises), reply(raises), reply(raises));
    await panel.ask('/plan raise the prices');
    standIn.script(reply(raises), reply(text('I see.')));
    await panel.followUp('Continue').click();
    await panel.lastAnswer.getByText('I see.').waitFor();
    await panel.finished();
    assert.equal(catalogue(), before);
    standIn.script(reply(raises), reply(text('Once more.')));
    await panel.retry();
    await panel.lastAnswer.getByText('Once more.').waitFor();
    await panel.finished();
    assert.equal(catalogue(), before);
  });

  it('N3: Start Fresh with This Plan goes on with the plan and nothing else; Save Plan… writes a file', async () => {
    const { panel, page, workbench } = window;
    await workbench.deleteAllConversations();
    await panel.newChat();
    standIn.script(reply(writes(prices)), reply(text('Written.')), reply(text('I begin.')));
    await panel.ask('/plan raise the prices');
    await new PlanEditor(page).line('Run the tests').waitFor();
    assert.deepEqual((await workbench.offeredInTitle()).slice(0, 3), [
      'Start Fresh with This Plan',
      'Save Plan…',
      'Close Plan',
    ]);
    await panel.button('Save Plan…').click();
    const path = join(vscode.workplace.folder, 'saved.md');
    await workbench.enterPath(path);
    await until(() => {
      try {
        return readFileSync(path, 'utf8') === prices;
      } catch {
        return false;
      }
    });
    await panel.button('Start Fresh with This Plan').click();
    await panel.lastAnswer.getByText('I begin.').waitFor();
    assert.deepEqual(historyOf(standIn.journal.messages.at(-1)!), []);
    assert.match(newest(), /at work: 0 of 3[^]*Start the plan\./);
  });

  it('N2, M26: Clear asks whether plans go, too, and Undo brings them back; Delete All says that they go', async () => {
    const { panel, page, host, workbench } = window;
    const view = new MemoryView(page);
    await workbench.deleteAllConversations();
    await panel.newChat();
    standIn.script(reply(writes(prices)), reply(text('Written.')));
    await panel.ask('/plan raise the prices');
    await host.execute('assistant.showMemory');
    await view.row('3 steps, not started').waitFor();
    const clear = async (button: string) => {
      await host.execute('notifications.clearAll');
      await workbench.runCommand('Assistant: Clear Conversation');
      assert.match(await workbench.dialogAsks('Clear the conversation?'), /1 plan/);
      await window.screenshot('plan-clear');
      await workbench.pressInDialog(button);
    };
    await clear('Clear');
    await view.pane.getByText('No conversation is remembered now, only this plan.').waitFor();
    await workbench.notification('Erased 1 turn').waitFor();
    await view.row('1 of 10 turns').waitFor({ state: 'detached' });
    await view.row('3 steps, not started').waitFor();
    await clear('Clear, and Erase Plans');
    await view.row('3 steps, not started').waitFor({ state: 'detached' });
    await new PlanEditor(page).tab.waitFor({ state: 'detached' });
    await workbench.pressInNotification('Erased, too: 1 plan', 'Undo');
    await view.row('3 steps, not started').waitFor();
    await workbench.runCommand('Assistant: Delete All Conversations…');
    assert.match(await workbench.dialogAsks('Delete all conversations'), /Erased with them: 1 plan/);
    await workbench.pressInDialog('Delete All');
    await view.row('3 steps, not started').waitFor({ state: 'detached' });
  });
});
