import assert from 'node:assert/strict';
import type { ApprovalSetting } from '../../../../src/core/tools/approvalSettings';
import { chooseHostTools } from '../../../../src/core/tools/chooseHostTools';
import { knownHostTools } from '../../../../src/core/tools/hostCatalogue';

type Concern = ApprovalSetting['concerns'];

const tool = (name: string, more: object = {}) => ({
  name,
  description: `about ${name}`,
  inputSchema: { type: 'object', properties: { filePath: { type: 'string' } } },
  tags: name.startsWith('mcp_') ? ['mcp'] : [],
  extension: undefined,
  ...more,
});

function choose(names: readonly (string | ReturnType<typeof tool>)[], more: object = {}) {
  const leftOut: string[] = [];
  const chosen = chooseHostTools({
    available: names.map((entry) => (typeof entry === 'string' ? tool(entry) : entry)),
    ownNames: ['read_file'],
    external: 'ask',
    disabled: [],
    attached: [],
    isTrusted: true,
    approvesAll: false,
    roots: ['/work/app'],
    onLeftOut: (name) => void leftOut.push(name),
    ...more,
  });
  return { chosen, leftOut, names: chosen.map(({ name }) => name) };
}

describe('tools that are not ours', () => {
  it('come in one order, whoever registered first: those of VS Code, then the others by name', () => {
    const order = ['run_in_terminal', 'get_terminal_output', 'runTests', 'a_tool', 'mcp_x_y', 'z_tool'];
    assert.deepEqual(
      choose(['z_tool', 'runTests', 'mcp_x_y', 'run_in_terminal', 'a_tool', 'get_terminal_output']).names,
      order,
    );
  });

  it('of VS Code are described in our words, with the folders where absolute paths are needed', () => {
    const { chosen } = choose(['runTests', 'testFailure']);
    assert.match(
      chosen[0]?.description ?? '',
      /^Run tests through the test explorer.*Workspace folders: "\/work\/app"$/,
    );
    assert.doesNotMatch(chosen[1]?.description ?? '', /about testFailure/);
  });

  const many = (count: number) =>
    Array.from({ length: count }, (_, number) => `mcp_x_${String(number).padStart(3, '0')}`);
  const deferrals = (count: number, more: object = {}) =>
    choose([...many(count), 'run_in_terminal'], more).chosen.map(({ deferral }) => deferral);

  it('L15: are all in sight up to 30 of others, and deferred above; those of VS Code never are', () => {
    assert.deepEqual([...new Set(deferrals(30))], [undefined]);
    const [terminal, ...others] = deferrals(31, { attached: ['mcp_x_030'] });
    assert.equal(terminal, undefined);
    assert.deepEqual(others, [...Array.from({ length: 30 }, () => 'other'), 'attached']);
  });

  it('L15: stay deferred once they were, so that the prefix holds when some go', () => {
    assert.deepEqual([...new Set(deferrals(3, { wasDeferring: true }))], [undefined, 'other']);
  });

  it('that VS Code needs for itself, and ours, are not offered', () => {
    assert.deepEqual(
      choose([
        'vscode_editFile_internal',
        'vscode_get_confirmation',
        'vscode_askQuestions',
        'setup_tools_createNewWorkspace',
        'inline_chat_exit',
        'runSubagent',
        'task_complete',
        'copilot_readFile',
        'read_file',
      ]).names,
      [],
    );
  });

  const shop = {
    id: 'corner-shop.shop-tools',
    label: 'Shop Tools',
    isBuiltIn: false,
    isAlwaysAsked: () => false,
  };
  const whoAsks = (
    available: Parameters<typeof choose>[0],
    loosened: readonly Concern[] = [],
    more: object = {},
  ): Readonly<Record<string, string>> =>
    Object.fromEntries(
      choose(available, more).chosen.map(({ name, asks }) => {
        const { by, ...about } = asks(new Set(loosened));
        return [name, 'isLoosened' in about ? `${by}, each time` : by];
      }),
    );

  it('S2, R5: are asked about once: by VS Code where it does, by us where it would not', () => {
    assert.deepEqual(
      whoAsks([
        'mcp_x_y',
        'run_task',
        'kill_terminal',
        'vscode_renameSymbol',
        'manage_todo_list',
        'testFailure',
      ]),
      {
        mcp_x_y: 'vscode',
        run_task: 'vscode',
        kill_terminal: 'us',
        vscode_renameSymbol: 'us',
        manage_todo_list: 'nobody',
        testFailure: 'nobody',
      },
    );
    const asked = tool('asked', { extension: { ...shop, isAlwaysAsked: () => true } });
    assert.deepEqual(whoAsks([asked, tool('stock', { extension: shop }), 'unknown']), {
      asked: 'vscode',
      stock: 'us',
      unknown: 'us',
    });
  });

  it('R5: are asked about by whom the settings say at the call, not when the turn began', () => {
    let isAlwaysAsked = true;
    const { chosen } = choose([
      tool('asked', { extension: { ...shop, isAlwaysAsked: () => isAlwaysAsked } }),
    ]);
    const by = () => chosen[0]?.asks(new Set()).by;
    assert.equal(by(), 'vscode');
    isAlwaysAsked = false;
    assert.equal(by(), 'us');
  });

  it('of VS Code with side effects are all asked about by somebody', () => {
    const silent = knownHostTools.filter(({ effect, asks }) => effect === 'writes' && asks === undefined);
    // These two only draw in the chat.
    assert.deepEqual(
      silent.map(({ name }) => name),
      ['manage_todo_list', 'renderMermaidDiagram'],
    );
  });

  it('A30: of another extension are not taken for one of VS Code or of an MCP server by their name', () => {
    const spoofed = ['testFailure', 'run_in_terminal', 'mcp_x_y'].map((name) =>
      tool(name, { extension: shop }),
    );
    assert.deepEqual(whoAsks(spoofed), { mcp_x_y: 'us', run_in_terminal: 'us', testFailure: 'us' });
    assert.deepEqual(choose(spoofed, { isTrusted: false }).names, []);
    assert.match(choose(spoofed).chosen.at(-1)?.description ?? '', /^about testFailure$/);
    assert.deepEqual(whoAsks([tool('mcp_without_tag', { tags: [] })]), { mcp_without_tag: 'us' });
  });

  it('A2, S2: are asked about by us, each time, where the workspace makes VS Code ask nobody', () => {
    const all = [
      'run_in_terminal',
      'run_task',
      'mcp_x_y',
      'manage_todo_list',
      tool('stock', { extension: shop }),
    ];
    assert.deepEqual(whoAsks(all, ['all']), {
      run_in_terminal: 'us, each time',
      run_task: 'us, each time',
      manage_todo_list: 'nobody',
      mcp_x_y: 'us, each time',
      stock: 'us, each time',
    });
    assert.deepEqual(whoAsks(all, ['all'], { approvesAll: true }), whoAsks(all, ['all']));
    assert.deepEqual(whoAsks(all, ['terminal']), {
      run_in_terminal: 'us, each time',
      run_task: 'vscode',
      manage_todo_list: 'nobody',
      mcp_x_y: 'vscode',
      stock: 'us',
    });
    assert.deepEqual(whoAsks(all, ['mcp'], { approvesAll: true }), {
      run_in_terminal: 'vscode',
      run_task: 'vscode',
      manage_todo_list: 'nobody',
      mcp_x_y: 'us, each time',
      stock: 'vscode',
    });
  });

  it('R5: are asked about by nobody of us where the person chose a permission level that asks about nothing', () => {
    assert.deepEqual(whoAsks(['kill_terminal', 'other'], [], { approvesAll: true }), {
      kill_terminal: 'vscode',
      other: 'vscode',
    });
  });

  it('follow assistant.tools.external: off, or a list of names', () => {
    const all = ['run_task', 'one', 'two', 'mcp_three'];
    assert.deepEqual(choose(all, { external: 'off' }).names, ['run_task']);
    assert.deepEqual(choose(all, { external: ['two'] }).names, ['run_task', 'two']);
  });

  it('are switched off by name with assistant.tools.disabled, attached or not', () => {
    const off = { disabled: ['run_in_terminal', 'one'], attached: ['one'] };
    assert.deepEqual(choose(['run_in_terminal', 'one', 'two'], off).names, ['two']);
  });

  it('that the person attached are offered whatever the setting', () => {
    const { chosen } = choose(['one', 'copilot_x'], { external: 'off', attached: ['one', 'copilot_x'] });
    assert.deepEqual(
      chosen.map(({ name }) => name),
      ['copilot_x', 'one'],
    );
  });

  it('F16: are renamed or left out when the API would refuse them', () => {
    const { names, leftOut } = choose([
      tool('x'.repeat(200)),
      tool('bad.name'),
      tool('choice', { inputSchema: { anyOf: [{ type: 'object', properties: {} }] } }),
      tool('list', { inputSchema: { type: 'array' } }),
    ]);
    assert.deepEqual(names, ['bad_name', 'choice', 'x'.repeat(64)]);
    assert.deepEqual(leftOut, ['list']);
  });

  it('keep apart under names of their own, also from ours', () => {
    const { chosen } = choose(['a.b', 'a b', 'read.file']);
    assert.deepEqual(
      chosen.map(({ hostName, name }) => [hostName, name]),
      [
        ['a b', 'a_b'],
        ['a.b', 'a_b_2'],
        ['read.file', 'read_file_2'],
      ],
    );
  });

  it('S3: only read in a workspace that is not trusted', () => {
    assert.deepEqual(choose(['run_in_terminal', 'testFailure', 'other'], { isTrusted: false }).names, [
      'testFailure',
    ]);
  });
});
