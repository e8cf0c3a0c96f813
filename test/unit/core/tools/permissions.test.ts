import assert from 'node:assert/strict';
import { offeredRules } from '../../../../src/core/tools/offeredRules';
import {
  decide,
  denied,
  describeAllowed,
  isPermissionRule,
  type CallInQuestion,
  type PermissionMode,
  type PermissionRule,
} from '../../../../src/core/tools/permissions';

const folder = { name: 'app', root: '/work/app' };
const ownNames = ['read_file', 'edit_file', 'create_file', 'rename_file', 'delete_file'];

/** A call of `edit_file` on these paths; each may have several spellings. */
function edit(...paths: readonly (string | readonly string[])[]): CallInQuestion {
  const places = paths.map((spellings) => [spellings].flat().map((path) => ({ folder, path })));
  return {
    names: ['edit_file'],
    origin: 'ours',
    ownNames,
    hasSideEffects: true,
    isEdit: true,
    touches: { places, isAll: true },
    question: 'sparable',
  };
}

function foreign(name: string, origin: 'mcp' | 'others' = 'others'): CallInQuestion {
  return { ...edit(), names: [name], origin, isEdit: false, touches: undefined };
}

const allow = (tool: string, path?: string): PermissionRule => ruleOf('allow', tool, path);
const ask = (tool: string, path?: string): PermissionRule => ruleOf('ask', tool, path);
const deny = (tool: string, path?: string): PermissionRule => ruleOf('deny', tool, path);

function ruleOf(decision: PermissionRule['decision'], tool: string, path?: string): PermissionRule {
  return { tool, ...(path !== undefined && { path }), decision };
}

/** `allow`, `ask`, `deny` or `run`. */
function outcome(
  call: CallInQuestion,
  rules: readonly PermissionRule[],
  mode: PermissionMode = 'ask',
): string {
  return decide(call, { mode, rules }).type;
}

describe('permissions', () => {
  describe('R1: the mode', () => {
    it('ask asks about everything that there is a question about', () => {
      assert.equal(outcome(edit('a.ts'), []), 'ask');
      assert.equal(outcome({ ...edit('a.ts'), question: 'none', hasSideEffects: false }, []), 'run');
    });

    it('edits lets changes to files by our own tools run, and nothing else', () => {
      assert.deepEqual(decide(edit('a.ts'), { mode: 'edits', rules: [] }), {
        type: 'allow',
        because: { by: 'edits' },
      });
      for (const name of ['run_in_terminal', 'edit_file', 'mcp_files_edit_file']) {
        assert.equal(outcome(foreign(name), [], 'edits'), 'ask', name);
      }
    });

    it('readOnly refuses all that has side effects, whatever the rules allow, and tells Claude so', () => {
      for (const call of [edit('a.ts'), foreign('other'), foreign('mcp_a_b', 'mcp')]) {
        for (const rules of [[], [allow('*')], [allow(call.names[0] ?? '')], [ask('*')]]) {
          assert.equal(outcome(call, rules, 'readOnly'), 'deny');
        }
      }
      const reading: CallInQuestion = { ...edit('a.ts'), hasSideEffects: false, question: 'none' };
      assert.equal(outcome(reading, [], 'readOnly'), 'run');
      const { content, isError } = denied({ by: 'readOnly' });
      assert.match(
        JSON.stringify(content),
        /^"Nothing was done: .*permissionMode to readOnly.*Do not try it in another/,
      );
      assert.equal(isError, true);
    });
  });

  describe('R2: rules', () => {
    it('count in their order: the first that fits', () => {
      const rules = [ask('edit_file', 'src/generated/**'), allow('edit_file', 'src/**'), deny('*')];
      assert.equal(outcome(edit('src/generated/a.ts'), rules), 'ask');
      assert.deepEqual(decide(edit('src/a.ts'), { mode: 'ask', rules }), {
        type: 'allow',
        because: { by: 'rule', rule: 2, tool: 'edit_file', path: 'src/**' },
      });
      assert.deepEqual(decide(edit('docs/a.md'), { mode: 'ask', rules }), {
        type: 'deny',
        because: { by: 'rule', rule: 3 },
      });
    });

    it('count before the mode', () => {
      assert.equal(outcome(edit('src/a.ts'), [ask('edit_file', 'src/**')], 'edits'), 'ask');
      assert.equal(outcome(edit('src/a.ts'), [deny('edit_file', 'src/**')], 'edits'), 'deny');
      assert.equal(outcome(edit('docs/a.md'), [deny('edit_file', 'src/**')], 'edits'), 'allow');
    });

    it('ask and deny also what nobody would ask about', () => {
      const reading: CallInQuestion = {
        ...edit('private/a.ts'),
        names: ['read_file'],
        hasSideEffects: false,
        isEdit: false,
        question: 'none',
      };
      assert.equal(outcome(reading, [deny('read_file', 'private/**')]), 'deny');
      assert.equal(outcome(reading, [ask('*', 'private/**')]), 'ask');
      assert.equal(outcome(reading, [allow('*', 'private/**')]), 'run');
    });

    it('with a glob over names fit all tools of that name', () => {
      assert.equal(outcome(foreign('mcp_github_push', 'mcp'), [deny('mcp_github_*')]), 'deny');
      assert.equal(outcome(foreign('mcp_gitlab_push', 'mcp'), [deny('mcp_github_*')]), 'ask');
      assert.equal(outcome(foreign('shop_order'), [allow('shop_*')]), 'allow');
    });

    it('that deny or ask fit by either name, in any case of letters', () => {
      const call: CallInQuestion = { ...foreign('Shop Order'), names: ['Shop Order', 'Shop_Order'] };
      for (const tool of ['shop_order', 'SHOP ORDER', 'shop_*']) {
        assert.equal(outcome(call, [deny(tool)]), 'deny', tool);
      }
      assert.equal(outcome(call, [allow('shop_order')]), 'ask');
      assert.equal(outcome(call, [allow('Shop_Order')]), 'ask');
    });

    it('that allow our own tools allow no others of a name that is alike', () => {
      for (const tool of ['edit_file', 'edit_*', '*', '{edit_file,edit_files}', '?dit_file*']) {
        assert.equal(outcome(edit('a.ts'), [allow(tool)]), 'allow', tool);
        for (const name of ['edit_file', 'edit_files', 'edit_file_2']) {
          assert.equal(outcome(foreign(name), [allow(tool)]), 'ask', `${tool}: ${name}`);
        }
        assert.equal(outcome(foreign('mcp_edit_file', 'mcp'), [allow(tool)]), 'ask');
      }
    });

    it('that allow tools of an MCP server allow none of an extension that calls itself so', () => {
      assert.equal(outcome(foreign('mcp_github_push', 'mcp'), [allow('mcp_github_*')]), 'allow');
      for (const name of ['mcp_github_push', 'MCP_github_push']) {
        assert.equal(outcome(foreign(name), [allow('mcp_github_*'), allow('MCP_github_*')]), 'ask', name);
      }
    });

    it('with a path never fit a call without known places', () => {
      for (const rule of [allow('*', '**'), deny('*', '**'), ask('*', '**')]) {
        assert.equal(outcome(foreign('other'), [rule]), 'ask');
        assert.equal(outcome({ ...edit(), question: 'none', hasSideEffects: false }, [rule]), 'run');
      }
    });

    it('that allow have to fit all places of a call: no rename leads out of what is allowed', () => {
      const rules = [allow('edit_file', 'src/**')];
      assert.equal(outcome(edit('src/a.ts', 'src/b.ts'), rules), 'allow');
      assert.equal(outcome(edit('src/a.ts', 'scripts/a.ts'), rules), 'ask');
      assert.equal(outcome(edit('scripts/a.ts', 'src/a.ts'), rules), 'ask');
      const some: CallInQuestion = {
        ...edit('src/a.ts'),
        touches: { places: [[{ folder, path: 'src/a.ts' }]], isAll: false },
      };
      assert.equal(outcome(some, rules), 'ask');
    });

    it('that allow have to fit every spelling: no link leads out of what is allowed', () => {
      const rules = [allow('edit_file', 'src/**')];
      assert.equal(outcome(edit(['src/link.ts', 'scripts/deploy.ts']), rules), 'ask');
      assert.equal(outcome(edit(['shortcut/a.ts', 'src/a.ts']), rules), 'ask');
    });

    it('that deny or ask fit by any spelling of any place', () => {
      const call = edit('src/a.ts', ['docs/link.md', 'private/a.md']);
      assert.equal(outcome(call, [deny('*', 'private/**'), allow('*')]), 'deny');
      assert.equal(outcome(call, [ask('*', 'docs/*'), allow('*')]), 'ask');
      assert.equal(outcome(call, [deny('*', 'other/**'), allow('*')]), 'allow');
    });

    it('that deny or ask fit in any case of letters, those that allow only as they are written', () => {
      assert.equal(outcome(edit('Private/A.ts'), [deny('EDIT_FILE', 'private/**')], 'edits'), 'deny');
      assert.equal(outcome(edit('priv\u200Bate./a.ts'), [deny('edit_file', 'private/**')], 'edits'), 'deny');
      assert.equal(outcome(edit('SRC/a.ts'), [allow('edit_file', 'src/**')]), 'ask');
      assert.equal(outcome(edit('src/a.ts'), [allow('Edit_File', 'src/**')]), 'ask');
    });

    it('that deny or ask mean what people mean by a bare name, those that allow what stands there', () => {
      for (const path of ['private', 'private/', './private/', '*.key', 'private/**']) {
        assert.equal(outcome(edit('private/deep/a.key'), [deny('*', path)]), 'deny', path);
      }
      assert.equal(outcome(edit('docs/a.md'), [allow('*', '*.md')]), 'ask');
      assert.equal(outcome(edit('a.md'), [allow('*', './*.md')]), 'allow');
      assert.equal(outcome(edit('src/a.md'), [allow('*', 'src/')]), 'allow');
    });

    it('that cannot be understood are none: a glob that leaves the workspace, a typing error', () => {
      for (const path of [
        '../**',
        'src/../../**',
        '{..,src}/**',
        '/etc/**',
        '~/x',
        'C:/x',
        'src\\**',
        '',
        ' a',
      ]) {
        assert.equal(isPermissionRule({ tool: 'edit_file', path, decision: 'deny' }), false, path);
      }
      for (const value of [
        { tool: 'edit_file', paths: 'src/**', decision: 'allow' },
        { tool: 'edit_file', decision: 'Allow' },
        { tool: '', decision: 'deny' },
        { tool: ['edit_file'], decision: 'deny' },
        { decision: 'deny' },
        { tool: '{a,b}'.repeat(30), decision: 'deny' },
        'edit_file',
        null,
      ]) {
        assert.equal(isPermissionRule(value), false, JSON.stringify(value));
      }
      assert.equal(isPermissionRule(allow('mcp_github_*', 'src/**')), true);
    });
  });

  describe('R3: what is always asked about', () => {
    const always: CallInQuestion = { ...edit('.vscode/settings.json'), question: 'always' };

    it('is asked about whatever the mode and the rules allow', () => {
      for (const mode of ['ask', 'edits'] as const) {
        for (const rules of [[], [allow('*')], [allow('edit_file', '**')], [ask('*')]]) {
          assert.equal(outcome(always, rules, mode), 'ask');
        }
      }
    });

    it('is refused where a rule or the mode refuses it', () => {
      assert.equal(outcome(always, [deny('*')]), 'deny');
      assert.equal(outcome(always, [allow('*')], 'readOnly'), 'deny');
    });
  });

  describe('R4: what ran unasked', () => {
    it('says why, with nothing in it that Markdown would obey', () => {
      assert.equal(describeAllowed({ by: 'edits' }), 'allowed: edits mode');
      const byRule = { by: 'rule', rule: 2, tool: 'edit_file' } as const;
      assert.equal(describeAllowed({ ...byRule, path: 'src/**' }), 'allowed: rule 2, `src/**`');
      assert.equal(describeAllowed(byRule), 'allowed: rule 2, `edit_file`');
      assert.equal(
        describeAllowed({ ...byRule, path: '`[x](command:y)' }),
        'allowed: rule 2, `` `[x](command:y) ``',
      );
    });
  });

  describe('R4: a card offers rules', () => {
    const offered = (call: CallInQuestion, rules: readonly PermissionRule[] = []) =>
      offeredRules(call, { mode: 'ask', rules });

    it('from this file to the whole tool, at the end', () => {
      assert.deepEqual(offered(edit('src/core/a.ts'), [deny('*', 'private/**')]), [
        { rule: allow('edit_file', 'src/core/a.ts'), index: 1, about: 'file' },
        { rule: allow('edit_file', 'src/core/**'), index: 1, about: 'folder' },
        { rule: allow('edit_file'), index: 1, about: 'tool' },
      ]);
    });

    it('before the rule that asks, where there is one: after it they would not count', () => {
      const rules = [deny('*', 'private/**'), ask('edit_file'), allow('create_file')];
      assert.deepEqual(
        offered(edit('a.ts'), rules).map(({ rule, index }) => [rule.path, index]),
        [
          ['a.ts', 1],
          [undefined, 1],
        ],
      );
    });

    it('that fit the very call, whatever its names hold', () => {
      for (const path of ['app/[id]/a*.ts', 'app/{a,b}/[x.ts', 'app/?/].ts']) {
        const rules = offered(edit(path));
        assert.deepEqual(
          rules.map(({ about }) => about),
          ['file', 'folder', 'tool'],
          path,
        );
        for (const { rule } of rules) assert.equal(outcome(edit(path), [rule]), 'allow');
      }
      const [file] = offered(edit('app/[id]/a.ts'));
      assert.equal(file && outcome(edit('app/i/a.ts'), [file.rule]), 'ask');
    });

    it('that can be read once they are in the settings: one that cannot takes all that allow along', () => {
      for (const path of ['~a.ts', 'c:a.ts', 'dir /a.ts ', ' a.ts', 'a\\b.ts', `${'*?'.repeat(400)}.ts`]) {
        const rules = offered(edit(path)).map(({ rule }) => rule);
        assert.deepEqual(rules.filter(isPermissionRule), rules, path);
        assert.ok(rules.length > 0, path);
      }
    });

    it('with the folder of both names of a rename, and no wider one than their own', () => {
      assert.deepEqual(
        offered(edit('src/a/x.ts', 'src/b/x.ts')).map(({ rule }) => rule.path),
        ['src/**', undefined],
      );
      assert.deepEqual(
        offered(edit(['link/x.ts', 'src/x.ts'])).map(({ rule }) => rule.path),
        [undefined],
      );
    });

    it('never for what is always asked, or where the mode refuses it', () => {
      assert.deepEqual(offered({ ...edit('a.ts'), question: 'always' }), []);
      assert.deepEqual(offeredRules(edit('a.ts'), { mode: 'readOnly', rules: [] }), []);
      assert.deepEqual(offered(foreign('mcp_a_b')), []);
    });
  });
});
