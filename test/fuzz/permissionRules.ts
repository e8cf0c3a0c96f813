import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import {
  decide,
  isPermissionRule,
  type CallInQuestion,
  type PermissionRule,
} from '../../src/core/tools/permissions';
import { hostileText, inShortTime, oddValue } from './mutations';
import { fuzzTarget, type FuzzTarget } from './target';

/** `assistant.permissions`, and calls of tools whose names and places others have chosen. */
export function permissionRulesTarget(): FuzzTarget {
  return fuzzTarget({
    name: 'permissions',
    share: 6,
    input: fc.record({ rules: fc.array(fc.oneof(rule, oddValue), { maxLength: 6 }), call, mode }),
    holds: async (given) => inShortTime(() => judge(given)),
  });
}

const ownNames = ['read_file', 'edit_file', 'create_file', 'delete_file', 'search_web'];
/** None has a blank or a slash in it; letters may look like others. */
const name = fc.oneof(
  fc.constantFrom(
    ...ownNames,
    'EDIT_FILE',
    'edit_fiIe',
    'edit_file\u200b',
    'ｅdit_file',
    'mcp_git_push',
    'MCP_x',
    'run_in_terminal',
  ),
  hostileText.map((text) => text.replaceAll(/[\s/]/g, '') || 'x'),
);
const toolGlob = fc.oneof(
  name,
  fc.constantFrom('*', 'edit_*', 'mcp_*', '{edit,create}_file', '?dit_file', '[e]dit_file', '**'),
);
const path = fc.oneof(
  fc.constantFrom(
    'src/a.ts',
    'SRC/A.ts',
    'private/key',
    '.env',
    'a/b/../c',
    'src',
    'deep/er/x.key',
    'Straße/ß',
    'e\u0301.txt',
  ),
  hostileText,
);
const pathGlob = fc.oneof(
  path,
  fc.constantFrom('**', 'src/**', '*.key', 'private/', './src/*', '{src,private}/**', '*{a,b}*'.repeat(8)),
);
const rule = fc.record(
  { tool: toolGlob, path: pathGlob, decision: fc.constantFrom('allow', 'ask', 'deny') },
  { requiredKeys: ['tool', 'decision'] },
);
const mode = fc.constantFrom('ask', 'edits', 'readOnly');
const folder = { name: 'app', root: '/work/app' };
const place = path.map((one) => ({ folder, path: one }));
const call: fc.Arbitrary<CallInQuestion> = fc.record({
  names: fc.array(name, { minLength: 1, maxLength: 2 }),
  origin: fc.constantFrom('ours', 'mcp', 'others'),
  ownNames: fc.constant(ownNames),
  hasSideEffects: fc.boolean(),
  isEdit: fc.boolean(),
  touches: fc.option(
    fc.record({
      places: fc.array(fc.array(place, { minLength: 1, maxLength: 2 }), { maxLength: 3 }),
      isAll: fc.boolean(),
    }),
    { nil: undefined },
  ),
  question: fc.constantFrom('none', 'sparable', 'always'),
});

function judge(given: {
  readonly rules: readonly unknown[];
  readonly call: CallInQuestion;
  readonly mode: 'ask' | 'edits' | 'readOnly';
}): void {
  const rules = given.rules.filter(isPermissionRule);
  const asked = given.call;
  const decided = (...first: readonly PermissionRule[]) =>
    decide(asked, { mode: given.mode, rules: [...first, ...rules] });
  const decision = decided();
  if (asked.question === 'always') assert.ok(['ask', 'deny'].includes(decision.type), 'R3: always asked');
  if (given.mode === 'readOnly' && asked.hasSideEffects)
    assert.equal(decision.type, 'deny', 'R1: nothing runs');
  if (decision.type === 'allow') {
    assert.equal(asked.question, 'sparable');
    if (decision.because.by === 'edits') assert.ok(given.mode === 'edits' && asked.isEdit);
    else {
      const by = rules[decision.because.rule - 1];
      assert.equal(by?.decision, 'allow');
      if (by.path !== undefined) assert.ok(asked.touches?.isAll && asked.touches.places.length > 0);
      // A30: a name like one of ours opens nothing for others.
      if (asked.origin !== 'ours') assert.ok(!ownNames.includes(by.tool), by.tool);
    }
  }
  assert.equal(decided({ tool: '*', decision: 'deny' }).type, 'deny', 'what denies all denies this');
  if (given.mode !== 'readOnly') assert.equal(decided({ tool: '*', decision: 'ask' }).type, 'ask');
  const [spelling] = asked.touches?.places.flat() ?? [];
  if (
    spelling &&
    isPermissionRule({ tool: '*', path: spelling.path, decision: 'deny' }) &&
    !/[*?{}[\]!]/.test(spelling.path)
  )
    assert.equal(decided({ tool: '*', path: spelling.path, decision: 'deny' }).type, 'deny', spelling.path);
}
