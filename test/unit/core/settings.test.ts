import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  describeProblem,
  parseSettings,
  permissionsIn,
  settingRules,
  type Settings,
  strictest,
} from '../../../src/core/settings';
import { projectRoot } from '../../support/projectPaths';

const rules = settingRules();
const names = Object.keys(rules) as (keyof Settings)[];
const defaults = Object.fromEntries(names.map((name) => [name, rules[name].fallback]));

describe('settings', () => {
  it('are the defaults when nothing is set', () => {
    assert.deepEqual(
      parseSettings(() => undefined),
      { settings: defaults, problems: [] },
    );
  });

  it('take what the person set', () => {
    const { settings, problems } = parseSettings((name) => (name === 'maxTurns' ? 0 : undefined));
    assert.deepEqual(problems, []);
    assert.equal(settings.maxTurns, 0);
  });

  for (const name of names) {
    it(`F29: ${name} with a bad value is the default, and the problem names it`, () => {
      for (const value of [
        -1,
        1e9,
        Number.NaN,
        null,
        [],
        ['ten'],
        { a: 1 },
        true,
        '\u0000\n'.repeat(20_000),
      ]) {
        const rule = rules[name];
        if (rule.accepts(value)) continue;
        const { settings, problems } = parseSettings((asked) => (asked === name ? value : undefined));
        assert.deepEqual(settings, defaults);
        assert.deepEqual(problems, [{ setting: name, value, allowed: rule.allowed }]);
      }
    });
  }

  it('F29: no number setting takes "ten", null, NaN, -1 or 1e9', () => {
    for (const name of [
      'maxTurns',
      'conversationTimeout',
      'maxOutputTokens',
      'maxRounds',
      'requestTimeout',
    ] as const) {
      for (const value of ['ten', null, Number.NaN, -1, 1e9, 2.5]) {
        assert.equal(rules[name].accepts(value), false, `${name}: ${String(value)}`);
      }
    }
  });

  it('are described with the setting, its value and what is allowed', () => {
    assert.equal(
      describeProblem({ setting: 'maxTurns', value: 'ten', allowed: rules.maxTurns.allowed }),
      'assistant.maxTurns cannot be "ten": it must be a whole number from 0 to 1000 (0 keeps all turns). Using the default.',
    );
    assert.match(describeProblem({ setting: 'maxRounds', value: Number.NaN, allowed: 'x' }), /cannot be NaN/);
  });

  describe('R2: rules with one that cannot be read', () => {
    const good = [
      { tool: 'edit_file', decision: 'allow' },
      { tool: '*', path: 'private/**', decision: 'deny' },
      { tool: 'read_file', decision: 'ask' },
    ];
    const bad = { tool: 'edit_file', path: '../**', decision: 'deny' };
    const read = (permissionMode: string, permissions: unknown) =>
      parseSettings((name) =>
        name === 'permissions' ? permissions : name === 'permissionMode' ? permissionMode : undefined,
      );

    it('allow nothing, and still ask and deny', () => {
      const { settings, problems } = read('edits', [...good, bad]);
      assert.deepEqual(permissionsIn(settings), { mode: 'ask', rules: good.slice(1) });
      assert.deepEqual(
        problems.map(({ setting }) => setting),
        ['permissions'],
      );
      assert.deepEqual(permissionsIn(read('readOnly', [bad]).settings), { mode: 'readOnly', rules: [] });
      assert.deepEqual(permissionsIn(read('edits', good).settings), { mode: 'edits', rules: good });
    });

    it('are described by the one that is wrong', () => {
      const [problem] = read('ask', [...good, bad]).problems;
      assert.match(
        problem ? describeProblem(problem) : '',
        /^assistant\.permissions cannot be {"tool":"edit_file","path":"\.\.\/\*\*","decision":"deny"}: .*no rule and no mode allows anything; rules that ask or deny still count\.$/,
      );
    });
  });

  it('A5: never repeat the value of a header or a login, which may be a secret', () => {
    const value = { 'x-key': ['sk-ant-secret'] };
    assert.doesNotMatch(describeProblem({ setting: 'headers', value, allowed: 'x' }), /secret/);
    const address = 'htp://anna:secret@gateway';
    assert.doesNotMatch(describeProblem({ setting: 'baseUrl', value: address, allowed: 'x' }), /secret/);
  });

  it('refuse header names and values that could smuggle in another header', () => {
    for (const headers of [{ 'a b': 'x' }, { a: 'x\r\nb: y' }, { '': 'x' }, { a: 1 }]) {
      assert.equal(rules.headers.accepts(headers), false);
    }
    assert.equal(rules.headers.accepts({ 'x-team': 'blue' }), true);
  });
});

describe('package.json', () => {
  const { contributes } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8'));
  const declared: Record<string, { default: unknown; scope?: string }> = Object.assign(
    {},
    ...contributes.configuration.map((group: { properties: object }) => group.properties),
  );

  it('declares exactly the settings that are read, with the same defaults', () => {
    const expected = Object.fromEntries(
      Object.entries(defaults).map(([name, value]) => [`assistant.${name}`, value]),
    );
    const found = Object.fromEntries(
      Object.entries(declared).map(([name, setting]) => [name, setting.default]),
    );
    assert.deepEqual(found, expected);
  });

  it('A1, S3: lets no workspace change where requests go and what they carry', () => {
    assert.equal(declared['assistant.baseUrl']?.scope, 'machine');
    assert.equal(declared['assistant.headers']?.scope, 'machine');
  });

  it('A2: lets no workspace loosen what tools may do', () => {
    for (const name of ['tools.external', 'tools.disabled', 'secretFiles', 'permissionMode', 'permissions']) {
      assert.equal(declared[`assistant.${name}`]?.scope, 'machine');
    }
  });

  it('asks for no proposed API', () => {
    const manifest = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8'));
    assert.equal('enabledApiProposals' in manifest, false);
  });

  it('L17: domains that cannot be read still forbid, and nothing goes to the web unasked', () => {
    const values: Record<string, unknown> = { web: 'on', webDomains: { block: ['a.com', 'https://b.com'] } };
    const { settings, problems } = parseSettings((name) => values[name]);
    assert.deepEqual([settings.web, settings.webDomains], ['ask', { block: ['a.com'] }]);
    const readable = parseSettings((name) => ({ ...values, webDomains: { block: ['a.com'] } })[name]);
    assert.equal(readable.settings.web, 'on');
    const off = parseSettings((name) => ({ ...values, web: 'off' })[name]);
    assert.equal(off.settings.web, 'off');
    assert.deepEqual(
      problems.map(({ setting }) => setting),
      ['webDomains'],
    );
  });
});

describe('a budget in the settings', () => {
  it('L14: a workspace lowers what the user has set, and never raises it or takes it away', () => {
    assert.equal(strictest(5, 2), 2);
    assert.equal(strictest(2, 5), 2);
    assert.equal(strictest(2, 0), 2);
    assert.equal(strictest(2, 'none'), 2);
    assert.equal(strictest(undefined, 3, 1), 1);
    assert.equal(strictest(0, undefined), 0);
    assert.equal(strictest(undefined, undefined), undefined);
    // Nothing is lost by naming it.
    assert.equal(strictest(undefined, 'none'), 'none');
  });
});
