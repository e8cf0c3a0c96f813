import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { describeProblem, parseSettings, settingRules, type Settings } from '../../src/core/settings';
import { ranTurn } from '../support/turns';
import { oddValue } from './mutations';
import { strictModel } from './strictModel';
import { fuzzTarget, type FuzzTarget } from './target';

/** Settings that people, other tools and other versions write: anything may stand in them. */
export function settingsTarget(): FuzzTarget {
  return fuzzTarget({ name: 'settings', share: 15, input: written, holds: serve });
}

const rules = settingRules();
const names = Object.keys(rules) as (keyof Settings)[];

const value = fc.oneof(
  oddValue,
  fc.constantFrom<unknown>(
    Number.NaN,
    Infinity,
    '10',
    [''],
    [1],
    { a: 1 },
    { 'x y': 'z' },
    { ok: 'line\nbreak' },
  ),
  fc.constantFrom('half', 'max', 'off', 'https://example.com', 'ftp://x', 'javascript:alert(1)', ' '),
  fc.integer(),
  fc.double(),
);

const written = fc.dictionary(fc.constantFrom(...names), value, { maxKeys: names.length });

async function serve(stored: Readonly<Partial<Record<string, unknown>>>): Promise<void> {
  const { settings, problems } = parseSettings((name) => stored[name]);
  assert.ok(Object.isFrozen(settings));
  assert.equal(
    new Set(problems.map(({ setting }) => setting)).size,
    problems.length,
    'one problem a setting',
  );
  for (const problem of problems) {
    const sentence = describeProblem(problem);
    assert.ok(
      /^(The value of )?assistant\.[\w.]+ cannot be /.test(sentence) &&
        sentence.includes(problem.setting) &&
        sentence.length < 400,
      sentence,
    );
  }
  for (const name of names) {
    assert.ok(rules[name].accepts(settings[name]), `${name} is usable`);
    const isTold = problems.some(({ setting }) => setting === name);
    if (!isTold && stored[name] !== undefined) assert.deepEqual(settings[name], stored[name]);
  }
  const model = strictModel();
  const { end } = await ranTurn({
    model,
    modelId: 'claude-sonnet-5-5',
    maxRounds: settings.maxRounds,
    maxOutputTokens: settings.maxOutputTokens,
    effort: settings.effort === 'default' ? undefined : settings.effort,
  });
  assert.deepEqual([end.end, model.refusals], [{ reason: 'answered' }, []]);
}
