import assert from 'node:assert/strict';
import { reply, silence, text, toolUse } from '../../support/claude/script';
import { startStandIn, type StandIn } from '../../support/claude/standIn';
import { TestWorkspace } from '../../support/conversation/testWorkspace';
import { openSpending } from '../../support/spending';
import { OtherProcess } from '../../support/storage/otherProcess';

describe('two processes on one budget', () => {
  let standIn: StandIn;
  let workspace: TestWorkspace;

  before(async () => {
    let count = 0;
    standIn = await startStandIn({
      mind: () => reply(toolUse('look', { round: ++count }), text('On. '.repeat(200))),
    });
    workspace = new TestWorkspace();
    await workspace.reopen();
  });
  after(() => standIn.close());

  /** How each of its turns ended, and what it cost. */
  async function spent(window: OtherProcess): Promise<readonly (readonly [string, number])[]> {
    await window.ended();
    return window.lines.map((line) => {
      const [reason = '', cost] = line.split(' ');
      return [reason, Number(cost)];
    });
  }
  const sum = (turns: readonly (readonly [string, number])[]) =>
    turns.reduce((all, [, cost]) => all + cost, 0);

  it('L14: loops of two windows that would spend ten times the budget of the day are stopped within it', async () => {
    const rounds = 60;
    const free = sum(await spent(OtherProcess.spending(workspace.file, standIn.url, { day: 0, rounds })));
    const before = (await (await openSpending(Date.now, workspace.file)).spending.today()).cost;
    assert.ok(Math.abs(before - free) < 1e-9, 'what is spent without a limit counts, too');
    const day = before + (2 * free) / 10;
    const windows = [1, 2].map(() => OtherProcess.spending(workspace.file, standIn.url, { day, rounds }));
    const turns = (await Promise.all(windows.map(spent))).flat();
    const { cost: today } = await (await openSpending(Date.now, workspace.file)).spending.today();
    assert.ok(turns.every(([reason]) => reason === 'budget'));
    assert.ok(Math.abs(today - before - sum(turns)) < 1e-9);
    assert.ok(today <= day, `${today} of ${day}`);
    assert.ok(today - before > (day - before) / 3, `${today - before} of ${day - before}`);
    assert.deepEqual(await workspace.rows('SELECT * FROM held'), []);
  }).timeout(60_000);

  it('L14: what a killed window had under way is not free', async () => {
    const rounds = 60;
    const { spending } = await openSpending(Date.now, workspace.file);
    const day = (await spending.today()).cost + 100;
    standIn.reset();
    standIn.script(silence());
    const asked = standIn.nextRequest();
    const killed = OtherProcess.spending(workspace.file, standIn.url, { day, rounds });
    await asked;
    await killed.kill();
    const [held] = await workspace.rows('SELECT count(*) AS count, min(least) AS least FROM held');
    assert.equal(held?.['count'], 1);
    assert.ok(Number(held['least']) > 0);
  }).timeout(60_000);
});
