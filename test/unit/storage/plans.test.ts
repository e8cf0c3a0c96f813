import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { createMemoryDatabase } from '../../../src/storage/memoryDatabase';
import { schemaVersion } from '../../../src/storage/schema';
import { openPlans, threeSteps } from '../../support/plans';
import { writeOlderDatabase } from '../../support/storage/olderDatabase';
import { testFolder } from '../../support/testFolder';

const root = testFolder('plans');
let files = 0;
const newFile = () => join(root, `${++files}`, 'memory.db');
const secret = 'XYZZY-secret-step';
const filesWith = (file: string) =>
  readdirSync(dirname(file)).filter((name) => readFileSync(join(dirname(file), name)).includes(secret));

describe('plans in the database', () => {
  for (const version of [1, 2] as const) {
    it(`M10: come to one of version ${version}, which keeps what it has`, async () => {
      const file = newFile();
      writeOlderDatabase(file, version);
      const { plans, sqlite } = await openPlans(() => 1, file);
      await plans.write({ text: threeSteps, seen: undefined, isPlanning: true });
      assert.equal((await plans.open())?.text, threeSteps);
      assert.equal(sqlite.get('SELECT number FROM sequence')?.['number'], 3);
      assert.equal(sqlite.get('PRAGMA user_version')?.['user_version'], schemaVersion);
      assert.deepEqual(sqlite.all('SELECT * FROM changes'), []);
      assert.throws(() => sqlite.all('SELECT * FROM texts'));
      sqlite.close();
    });
  }

  it('N2: two windows have one plan, and neither writes over what the other has not seen', async () => {
    const file = newFile();
    const [here, there] = [await openPlans(() => 1, file), await openPlans(() => 1, file)];
    const written = await here.plans.write({ text: 'one', seen: undefined, isPlanning: true });
    assert.ok(written.kind === 'written');
    const { plan } = written;
    assert.deepEqual(await there.plans.open(), plan);
    const mine = await there.plans.save(plan.id, 'mine', plan.revision);
    assert.equal(mine?.kind, 'saved');
    const late = await Promise.all([
      here.plans.save(plan.id, 'also mine', plan.revision),
      here.plans.write({ text: 'by Claude', seen: plan, isPlanning: true }),
      there.plans.write({ text: 'another', seen: undefined, isPlanning: true }),
    ]);
    assert.deepEqual(
      late.map((result) => result?.kind),
      ['changed', 'changed', 'changed'],
    );
    assert.equal((await here.plans.open())?.text, 'mine');
    for (const { sqlite } of [here, there]) sqlite.close();
  });

  it('N2: a save waits for another window that holds the database', async () => {
    const file = newFile();
    const { plans, sqlite } = await openPlans(() => 1, file);
    const other = new DatabaseSync(file);
    other.exec('BEGIN IMMEDIATE');
    const writing = plans.write({ text: 'one', seen: undefined, isPlanning: true });
    setTimeout(() => other.exec('COMMIT'), 150);
    assert.equal((await writing).kind, 'written');
    other.close();
    sqlite.close();
  });

  it('N2: is there again after a kill', async () => {
    const file = newFile();
    const { plans } = await openPlans(() => 1, file);
    await plans.write({ text: threeSteps, seen: undefined, isPlanning: true });
    // Nothing is closed: the file is as a killed process leaves it.
    const next = await openPlans(() => 2, file);
    assert.equal((await next.plans.open())?.text, threeSteps);
    next.sqlite.close();
  });

  it('M26: one that was deleted leaves no byte in any file, also of texts that it had before', async () => {
    const file = newFile();
    const { plans, sqlite } = await openPlans(() => 1, file);
    const written = await plans.write({
      text: `${secret} ${'x'.repeat(9000)}`,
      seen: undefined,
      isPlanning: true,
    });
    assert.ok(written.kind === 'written');
    const saved = await plans.save(written.plan.id, `short ${secret}`, written.plan.revision);
    assert.ok(saved?.kind === 'saved');
    await plans.write({ text: 'something else', seen: saved.plan, isPlanning: true });
    assert.notDeepEqual(filesWith(file), []);
    await plans.erase((await plans.list()).map(({ id }) => id));
    assert.deepEqual(filesWith(file), []);
    sqlite.close();
  });

  it('M26: Delete All erases plans, closed ones too', async () => {
    const file = newFile();
    const { plans, sqlite } = await openPlans(() => 1, file);
    for (const text of [`a ${secret}`, `b ${secret}`]) {
      const written = await plans.write({ text, seen: undefined, isPlanning: true });
      if (text.startsWith('a') && written.kind === 'written') await plans.close(written.plan.id);
    }
    createMemoryDatabase(sqlite).eraseAll();
    assert.deepEqual([await plans.list(), filesWith(file)], [[], []]);
    sqlite.close();
  });
});
