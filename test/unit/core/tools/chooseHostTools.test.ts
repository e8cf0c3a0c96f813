import assert from 'node:assert/strict';
import { chooseHostTools } from '../../../../src/core/tools/chooseHostTools';

const tool = (name: string, more: object = {}) => ({
  name,
  description: `about ${name}`,
  inputSchema: { type: 'object', properties: { a: { type: 'string' } } },
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
      /^Run tests through the test explorer.*Workspace folders: \/work\/app$/,
    );
    assert.doesNotMatch(chosen[1]?.description ?? '', /about testFailure/);
  });

  it('L12: are offered up to a hundred of others, those that were attached before all', () => {
    const many = Array.from({ length: 150 }, (_, number) => `mcp_x_${String(number).padStart(3, '0')}`);
    const { names, leftOut } = choose([...many, 'run_in_terminal'], { attached: ['mcp_x_149'] });
    assert.deepEqual(names, ['run_in_terminal', ...many.slice(0, 99), 'mcp_x_149']);
    assert.deepEqual(leftOut, many.slice(99, 149));
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

  it('of other extensions are asked for by us, those of MCP servers and VS Code by VS Code', () => {
    const { chosen } = choose(['mcp_x_y', 'other_tool', 'run_task']);
    assert.deepEqual(
      chosen.map(({ name, mustAsk }) => [name, mustAsk]),
      [
        ['run_task', false],
        ['mcp_x_y', false],
        ['other_tool', true],
      ],
    );
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
