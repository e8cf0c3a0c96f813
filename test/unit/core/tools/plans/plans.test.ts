import assert from 'node:assert/strict';
import { maxClosedPlans, stateOf, type Plan } from '../../../../../src/core/tools/plans/plan';
import { openPlans, threeSteps, type TestPlans } from '../../../../support/plans';

describe('the plans of a workspace', () => {
  let now: number;
  let opened: TestPlans;
  let plans: TestPlans['plans'];
  beforeEach(async () => {
    now = 1000;
    opened = await openPlans(() => now);
    ({ plans } = opened);
  });
  afterEach(() => opened.sqlite.close());

  const written = async (text: string, seen?: Plan, isPlanning = true): Promise<Plan> => {
    const result = await plans.write({ text, seen, isPlanning });
    assert.ok(result.kind === 'written');
    return result.plan;
  };
  const saved = async (plan: Plan, text: string): Promise<Plan> => {
    const result = await plans.save(plan.id, text, plan.revision);
    assert.ok(result?.kind === 'saved');
    return result.plan;
  };
  const listed = async () =>
    (await plans.list()).map((plan) => `${stateOf(plan)}${plan.isEdited ? ', edited' : ''}: ${plan.text}`);

  it('N1: one that is made with /plan is not started; one that Claude works with is at work', async () => {
    assert.equal(stateOf(await written('a')), 'draft');
    await plans.close((await plans.open())!.id);
    assert.equal(stateOf(await written('b', undefined, false)), 'started');
  });

  it('N2: Claude never writes over what the user has saved since Claude saw it', async () => {
    const first = await written('as Claude wrote it');
    const mine = await saved(first, 'as I want it');
    assert.deepEqual(await plans.write({ text: 'again', seen: first, isPlanning: true }), {
      kind: 'changed',
      plan: mine,
    });
    assert.deepEqual(await plans.write({ text: 'unseen', seen: undefined, isPlanning: true }), {
      kind: 'changed',
      plan: mine,
    });
    assert.equal((await plans.open())?.text, 'as I want it');
    await written('as I want it\nand more', mine);
    assert.deepEqual(await listed(), ['draft, edited: as I want it\nand more']);
  });

  it('N2: nor does the user write over what Claude has written since they read it', async () => {
    const first = await written('one');
    const second = await written('one\ntwo', first);
    assert.deepEqual(await plans.save(first.id, 'mine', first.revision), { kind: 'changed', plan: second });
    assert.equal((await plans.open())?.text, 'one\ntwo');
  });

  it('N2: the words of the user are kept as a closed plan when Claude, who has seen them, takes them out', async () => {
    const mine = await saved(await written('one\ntwo'), 'one\nmy own step');
    const next = await written('one\nanother step', mine);
    assert.equal(next.id, mine.id);
    assert.deepEqual(await listed(), ['draft: one\nanother step', 'closed, edited: one\nmy own step']);
  });

  it('N2: also when Claude has written into the same text in between', async () => {
    const mine = await saved(await written('one'), 'one\nmy own step');
    const next = await written('one\nmy own step\ntwo', mine);
    await written('one\ntwo', next);
    assert.deepEqual(await listed(), ['draft: one\ntwo', 'closed, edited: one\nmy own step\ntwo']);
  });

  it('N3: a second /plan makes another plan, and the one at work is kept as it was', async () => {
    const first = await written(threeSteps);
    await plans.start(first.id);
    const half = await written(threeSteps.replace('[ ] Raise', '[x] Raise'), first, false);
    const next = await written('# Docs\n\n- [ ] Write them\n', half);
    assert.equal(stateOf(next), 'draft');
    assert.deepEqual(await listed(), [
      'draft: # Docs\n\n- [ ] Write them\n',
      `closed: ${threeSteps.replace('[ ] Raise', '[x] Raise')}`,
    ]);
  });

  it('N3: ticks and more steps leave a plan at work, and leave no copies', async () => {
    const first = await written(threeSteps);
    const started = await plans.start(first.id);
    assert.equal(started?.startedAt, 1000);
    const next = await written(`${threeSteps.replace('[ ]', '[x]')}- [ ] More\n`, started, true);
    assert.equal(stateOf(next), 'started');
    assert.equal((await plans.list()).length, 1);
  });

  it('N3: what was told to go on in words is at work, too', async () => {
    const draft = await written(threeSteps);
    assert.equal(stateOf(await written(threeSteps.replace('[ ]', '[x]'), draft, false)), 'started');
  });

  it('N3: Close Plan ends it: Claude cannot write it any more, and it can be opened or started again', async () => {
    const plan = await written(threeSteps);
    await plans.close(plan.id);
    assert.equal(await plans.open(), undefined);
    assert.deepEqual(await plans.write({ text: 'x', seen: plan, isPlanning: false }), { kind: 'closed' });
    await plans.reopen(plan.id);
    assert.deepEqual(await plans.open(), plan);
    await plans.close(plan.id);
    const other = await written('other');
    assert.equal(stateOf((await plans.start(plan.id))!), 'started');
    assert.deepEqual(await listed(), [`started: ${threeSteps}`, 'closed: other']);
    assert.equal((await plans.get(other.id))?.isClosed, true);
  });

  it('N2: revision and time rise with each change of the text, also when the clock is set back', async () => {
    const first = await written('one');
    now = 10;
    const second = await saved(first, 'two');
    assert.ok(second.revision > first.revision && second.changedAt > first.changedAt);
    assert.deepEqual(await saved(second, 'two'), second);
  });

  it(`keeps the last ${maxClosedPlans} that were closed, and none without words`, async () => {
    for (let count = 1; count <= maxClosedPlans + 2; count++) {
      now++;
      await plans.close((await written(`plan ${count}`)).id);
    }
    const texts = (await plans.list()).map(({ text }) => text);
    assert.deepEqual([texts.length, texts[0], texts.at(-1)], [20, 'plan 22', 'plan 3']);
    await plans.close((await saved(await written('words'), ' \n')).id);
    assert.equal((await plans.list())[0]?.text, 'plan 22');
  });

  it('M26: what was erased can be brought back while its Undo is there, beside what was made since', async () => {
    const plan = await written(threeSteps);
    const erased = await plans.erase([plan.id]);
    assert.deepEqual([erased, await plans.list()], [[plan], []]);
    assert.equal(await plans.save(plan.id, 'late', plan.revision), undefined);
    await written('other');
    await plans.restore(erased);
    assert.deepEqual(await listed(), ['draft: other', `closed: ${threeSteps}`]);
  });

  it('tells of each change', async () => {
    let told = 0;
    const watching = plans.onDidChange(() => void told++);
    const plan = await written('one');
    await plans.close(plan.id);
    plans.refresh();
    assert.equal(told, 3);
    watching.dispose();
    await plans.reopen(plan.id);
    assert.equal(told, 3);
  });
});
