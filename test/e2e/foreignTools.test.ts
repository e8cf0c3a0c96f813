import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { toolsOf, type ClaudeRequest } from '../support/claude/request';
import { reply, text } from '../support/claude/script';
import { installPackage } from '../support/host/installPackage';
import { runCalls, type Call } from '../support/window/runCalls';
import { withWindow } from '../support/window/withWindow';

/** VS Code 1.110 knows none for MCP servers. */
const knowsSandbox = process.env['VSCODE_HOST_VERSION'] !== '1.110.0';

/** Tools of an extension and of real MCP servers: what the person is asked for one call, counted in cards. */
describe('tools of others in the panel', () => {
  const { standIn, window } = withWindow();

  before(() => {
    mkdirSync(file('.vscode'));
    startServers();
  });

  function startServers(more: object = {}): void {
    const server = (name: string) =>
      join(
        installPackage(`mcp-${name}`, 'MCP server'),
        `node_modules/@modelcontextprotocol/server-${name}/dist/index.js`,
      );
    const node = (...args: readonly string[]) => ({
      ...{ type: 'stdio', command: process.execPath, args },
      ...more,
    });
    writeFileSync(
      file('.vscode/mcp.json'),
      JSON.stringify({
        servers: {
          everything: node(server('everything'), 'stdio'),
          filesystem: node(server('filesystem'), window.folder),
        },
      }),
    );
  }

  const file = (path: string): string => join(window.folder, path);
  /** As of the last request. */
  let offered: readonly string[] = [];
  const noteOffered = (): void => {
    offered = toolsOf(standIn.journal.messages.at(-1)!.body as ClaudeRequest).map(({ name }) => name);
  };
  const run = async (message: string, ...calls: readonly Call[]) => {
    const outcomes = await runCalls({ standIn, window }, message, calls);
    noteOffered();
    return outcomes;
  };
  const stock = (item: string, more: Partial<Call> = {}): Call => ({
    ...{ tool: 'shop_stock', input: { item } },
    ...more,
  });
  const order = (item: string, more: Partial<Call> = {}): Call => ({
    ...{ tool: 'shop_order', input: { item } },
    ...more,
  });

  it('R5: one without a question of its own is asked about once, in our card, which says whose it is', async () => {
    const [allowed, skipped] = await run(
      'is there tea, and bread?',
      stock('tea'),
      stock('bread', { press: ['Skip'], picture: 'tools-foreign' }),
    );
    assert.equal(allowed!.cards.length, 1);
    assert.match(allowed!.cards[0]!, /Let Claude use a tool of another extension\?/);
    assert.match(allowed!.cards[0]!, /shop_stock of Shop Tools \(corner-shop\.shop-tools\) gets:/);
    assert.match(allowed!.cards[0]!, /"item": "tea"/);
    assert.deepEqual([allowed!.text, allowed!.isError], ['12 pieces of tea.', false]);
    assert.deepEqual([skipped!.cards.length, skipped!.isError], [1, true]);
  });

  it('R5: once one is allowed for the session or the workspace it is asked about by itself alone, if it asks', async () => {
    const [first, second, ordered, again] = await run(
      'order tea',
      stock('tea', { press: ['Allow in this Session'] }),
      stock('bread'),
      order('tea', { press: ['Allow in this Workspace'] }),
      order('bread'),
    );
    assert.deepEqual([first!.cards.length, first!.text], [1, '12 pieces of tea.']);
    assert.deepEqual([second!.cards.length, second!.text], [0, '0 pieces of bread.']);
    assert.equal(ordered!.cards.length, 2);
    assert.match(ordered!.cards[0]!, /shop_order of Shop Tools[^]*Some tools also ask by themselves/);
    assert.equal(again!.cards.length, 1);
    assert.match(again!.cards[0]!, /Really order\?/);
    assert.equal(again!.text, 'Ordered one piece of bread.');
  });

  it('R5, A30: those of MCP servers are asked about by VS Code alone, and change nothing of ours', async () => {
    const path = file('notes.txt');
    const [echo, toggle, read, write, theirs, ours] = await run(
      'use the servers',
      { tool: await mcpTool('everything', 'echo'), input: { message: 'hello from Claude' } },
      { tool: await mcpTool('everything', 'toggle-simulated-logging'), input: {} },
      { tool: await mcpTool('filesystem', 'read_text_file'), input: { path: file('README.md') } },
      { tool: await mcpTool('filesystem', 'write_file'), input: { path, content: 'hello' } },
      { tool: await mcpTool('filesystem', 'read_file'), input: { path: file('README.md') } },
      { tool: 'read_file', input: { path: 'README.md' } },
    );
    assert.deepEqual(echo, { cards: [], text: 'Echo: hello from Claude', isError: false });
    assert.equal(toggle!.cards.length, 1);
    assert.match(toggle!.cards[0]!, /MCP Server/);
    // Not where they only read.
    assert.deepEqual(read!.cards, []);
    assert.match(read!.text, /# Corner Shop/);
    assert.equal(write!.cards.length, 1);
    assert.equal(readFileSync(path, 'utf8'), 'hello');
    await window.screenshot('tools-mcp');
    assert.doesNotMatch(theirs!.text, /^1\t/);
    assert.deepEqual(ours!.cards, []);
    assert.match(ours!.text, /^1\t# Corner Shop/);
  });

  const allAllowed = {
    'assistant.permissionMode': 'edits',
    'assistant.permissions': [
      { tool: '*', decision: 'allow' },
      { tool: 'mcp_*', decision: 'allow' },
    ],
  };

  it('R1, R2, A30: what is allowed to ours spares no card of an MCP server’s tool of the same name', async () => {
    const tool = await mcpTool('filesystem', 'edit_file');
    const edits = [{ oldText: 'hello', newText: 'goodbye' }];
    await window.changeSettings(allAllowed);
    const [theirs, ours] = await run(
      'edit the notes',
      { tool, input: { path: file('notes.txt'), edits }, press: ['Skip'] },
      {
        tool: 'edit_file',
        input: { path: 'notes.txt', edits: [{ old_text: 'hello', new_text: 'goodbye' }] },
      },
    );
    assert.deepEqual([theirs!.cards.length, ours!.cards.length, ours!.isError], [1, 0, false]);
    assert.equal(readFileSync(file('notes.txt'), 'utf8'), 'goodbye');
    await window.changeSettings({
      ...allAllowed,
      'assistant.permissions': [{ tool: 'MCP_*', decision: 'deny' }],
    });
    const [denied] = await run('edit them again', { tool, input: { path: file('notes.txt'), edits } });
    assert.deepEqual([denied!.cards.length, denied!.isError], [0, true]);
    assert.match(denied!.text, /rule 1 of the person's assistant\.permissions/);
    await window.changeSettings({});
  });

  it('gives Claude what MCP servers embed and link, not the address at which VS Code keeps it', async () => {
    const reference = await mcpTool('everything', 'get-resource-reference');
    const [embedded, blob, linked] = await run(
      'look at the resources',
      { tool: reference, input: { resourceType: 'Text', resourceId: 7 } },
      { tool: reference, input: { resourceType: 'Blob', resourceId: 8 } },
      { tool: await mcpTool('everything', 'get-resource-links'), input: { count: 2 } },
    );
    assert.match(embedded!.text, /Resource 7: This is a plaintext resource/);
    assert.doesNotMatch(embedded!.text, /vscode-chat-response-resource|\$mid/);
    assert.match(blob!.text, /Resource 8: This is a base64 blob/);
    assert.match(
      linked!.text,
      /\[demo:\/\/resource\/dynamic\/text\/2\]\nResource 2: This is a plaintext resource/,
    );
    assert.match(linked!.text, /\[demo:\/\/resource\/dynamic\/blob\/1\]\nResource 1: This is a base64 blob/);
  });

  describe('after a reload', () => {
    before(async () => {
      if (knowsSandbox) await patchSandbox();
      await window.reload();
      offered = [];
      if (knowsSandbox) startServers({ sandboxEnabled: true });
    });

    it('R5: what was allowed for the workspace still is, until it is taken back, and what VS Code is set to ask we do not', async () => {
      const [ordered, looked] = await run('order tea', order('tea'), stock('tea'));
      assert.equal(ordered!.cards.length, 1);
      assert.match(ordered!.cards[0]!, /Really order\?/);
      assert.equal(looked!.cards.length, 1);
      await window.workbench.runCommand('Assistant: Reset Tool Approvals');
      await window.workbench.notification('Claude asks again').waitFor();

      await window.changeSettings({
        'chat.tools.eligibleForAutoApproval': { 'corner-shop.shop-tools/stock': false },
      });
      const [asked, askedByVsCode] = await run('order more', order('tea'), stock('tea'));
      assert.match(asked!.cards[0]!, /shop_order of Shop Tools/);
      // The person's own settings make VS Code ask: so we do not as well.
      assert.equal(askedByVsCode!.cards.length, 1);
      assert.doesNotMatch(askedByVsCode!.cards[0]!, /another extension/);
      assert.equal(askedByVsCode!.text, '12 pieces of tea.');
      await window.changeSettings({});
    });

    if (knowsSandbox) {
      it('A2, S2: those of a server that the workspace says runs in a sandbox are asked about by us', async () => {
        const tool = await mcpTool('everything', 'toggle-simulated-logging');
        // R2: no rule counts there. The name of a server is the workspace's to choose.
        await window.changeSettings(allAllowed);
        const [toggle] = await run('use it', { tool, input: {} });
        assert.equal(toggle!.cards.length, 1);
        assert.match(toggle!.cards[0]!, /This workspace tells VS Code to run tools without asking/);
        assert.equal(toggle!.isError, false);
      });
    }
  });

  /** As on Windows, where VS Code starts such a server without a sandbox, and asks nothing all the same. */
  async function patchSandbox(): Promise<void> {
    await window.context.route(/workbench\.js$/, async (route) => {
      const response = await route.fetch();
      const source = await response.text();
      const patched = source.replace(/!!\w+\.sandboxEnabled(?=\}async launchInSandboxIfEnabled)/, '!1');
      assert.notEqual(patched, source);
      await route.fulfill({ response, body: patched });
    });
  }

  /** VS Code starts an MCP server when it has seen its file: asks until a request offers the tool. */
  async function mcpTool(server: string, name: string): Promise<string> {
    for (let attempt = 0; attempt < 60; attempt++) {
      // VS Code cuts the server's own name short, which begins with other words.
      const found = offered.find((tool) => tool.startsWith('mcp_') && tool.endsWith(`_${name}`));
      if (found?.includes(server.slice(0, 6))) return found;
      standIn.script(reply(text('Hello.')));
      await window.panel.ask('hello');
      noteOffered();
    }
    return assert.fail(`offered only ${offered.join(' ')}`);
  }
});
