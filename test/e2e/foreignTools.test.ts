import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { toolsOf, type ClaudeRequest } from '../support/claude/request';
import { reply, text, toolUse } from '../support/claude/script';
import { installPackage } from '../support/host/installPackage';
import { ConfirmationCard } from '../support/window/confirmationCard';
import { resultsOf } from '../support/window/sentMessages';
import { withWindow } from '../support/window/withWindow';

/** Tools of an extension and of real MCP servers: what the person is asked for one call, counted in cards. */
describe('tools of others in the panel', () => {
  const { standIn, window } = withWindow();
  let card: ConfirmationCard;

  before(() => {
    card = new ConfirmationCard(window.page);
    mkdirSync(file('.vscode'));
    startServers();
  });

  function startServers(more: object = {}): void {
    const server = (name: string) =>
      join(
        installPackage(`mcp-${name}`, 'MCP server'),
        `node_modules/@modelcontextprotocol/server-${name}/dist/index.js`,
      );
    const run = (...args: readonly string[]) => ({
      ...{ type: 'stdio', command: process.execPath, args },
      ...more,
    });
    writeFileSync(
      file('.vscode/mcp.json'),
      JSON.stringify({
        servers: {
          everything: run(server('everything'), 'stdio'),
          filesystem: run(server('filesystem'), window.folder),
        },
      }),
    );
  }

  const file = (path: string): string => join(window.folder, path);
  const offered = (): string[] => {
    const last = standIn.journal.messages.at(-1);
    return last ? toolsOf(last.body as ClaudeRequest).map(({ name }) => name) : [];
  };
  const result = () => resultsOf(standIn.journal.messages.at(-1)!).at(-1)!;

  /** Claude makes one call; gives the cards that were shown, each of them allowed once. */
  async function callAndAllow(tool: string, input: object): Promise<readonly string[]> {
    await call(tool, input);
    return card.allowEach(window.panel);
  }

  async function call(tool: string, input: object): Promise<void> {
    standIn.script(reply(toolUse(tool, input)), reply(text('Done.')));
    await window.panel.send(`use ${tool}`);
  }

  it('R5: one without a question of its own is asked about once, in our card, which says whose it is', async () => {
    const cards = await callAndAllow('shop_stock', { item: 'tea' });
    assert.equal(cards.length, 1);
    assert.match(cards[0]!, /Let Claude use a tool of another extension\?/);
    assert.match(cards[0]!, /shop_stock of Shop Tools \(corner-shop\.shop-tools\) gets:/);
    assert.match(cards[0]!, /"item": "tea"/);
    assert.deepEqual([result().text, result().isError], ['12 pieces of tea.', false]);

    await call('shop_stock', { item: 'bread' });
    await card.asks('Let Claude use a tool of another extension?');
    await window.screenshot('tools-foreign');
    await card.press('Skip');
    await window.panel.finished();
    assert.equal(result().isError, true);
  });

  it('R5: once it is allowed for the session it is asked about no more, and others still are', async () => {
    await call('shop_stock', { item: 'tea' });
    await card.asks('Let Claude use a tool of another extension?');
    await card.press('Allow in this Session');
    await window.panel.finished();
    assert.equal(result().text, '12 pieces of tea.');
    assert.deepEqual(await callAndAllow('shop_stock', { item: 'bread' }), []);
    assert.equal(result().text, '0 pieces of bread.');
    assert.match((await callAndAllow('shop_order', { item: 'tea' }))[0]!, /shop_order of Shop Tools/);
  });

  it('R5: one that asks by itself is asked about by it alone, once it is allowed for the workspace', async () => {
    await call('shop_order', { item: 'tea' });
    const said = await card.asks('Let Claude use a tool of another extension?');
    assert.match(said, /Some tools also ask by themselves/);
    await card.press('Allow in this Workspace');
    assert.equal((await card.allowEach(window.panel)).length, 1);
    for (let again = 0; again < 2; again++) {
      const cards = await callAndAllow('shop_order', { item: 'bread' });
      assert.equal(cards.length, 1);
      assert.match(cards[0]!, /Really order\?/);
      assert.equal(result().text, 'Ordered one piece of bread.');
    }
  });

  it('keeps what was allowed for the workspace through a reload, until it is taken back', async () => {
    await window.reload();
    assert.equal((await callAndAllow('shop_order', { item: 'tea' })).length, 1);
    assert.equal((await callAndAllow('shop_stock', { item: 'tea' })).length, 1);
    await window.workbench.runCommand('Assistant: Reset Tool Approvals');
    await window.workbench.notification('Claude asks again').waitFor();
    assert.match((await callAndAllow('shop_order', { item: 'tea' }))[0]!, /shop_order of Shop Tools/);
  });

  it('R5: one that the person’s own settings make VS Code ask about is not asked about by us as well', async () => {
    await window.changeSettings({
      'chat.tools.eligibleForAutoApproval': { 'corner-shop.shop-tools/stock': false },
    });
    const cards = await callAndAllow('shop_stock', { item: 'tea' });
    assert.equal(cards.length, 1);
    assert.doesNotMatch(cards[0]!, /another extension/);
    assert.equal(result().text, '12 pieces of tea.');
    await window.changeSettings({});
  });

  it('R5: those of MCP servers are asked about by VS Code alone, and not where they only read', async () => {
    const echo = await mcpTool('everything', 'echo');
    assert.deepEqual(await callAndAllow(echo, { message: 'hello from Claude' }), []);
    assert.deepEqual([result().text, result().isError], ['Echo: hello from Claude', false]);
    const cards = await callAndAllow(await mcpTool('everything', 'toggle-simulated-logging'), {});
    assert.equal(cards.length, 1);
    assert.match(cards[0]!, /MCP Server/);

    const [read, write] = [
      await mcpTool('filesystem', 'read_text_file'),
      await mcpTool('filesystem', 'write_file'),
    ];
    assert.deepEqual(await callAndAllow(read, { path: file('README.md') }), []);
    assert.match(result().text, /# Corner Shop/);
    const path = file('notes.txt');
    assert.equal((await callAndAllow(write, { path, content: 'hello' })).length, 1);
    assert.equal(readFileSync(path, 'utf8'), 'hello');
    await window.screenshot('tools-mcp');
  });

  it('A30: one that is named like one of ours changes nothing of ours', async () => {
    const theirs = await mcpTool('filesystem', 'read_file');
    await callAndAllow(theirs, { path: file('README.md') });
    assert.doesNotMatch(result().text, /^1\t/);
    assert.deepEqual(await callAndAllow('read_file', { path: 'README.md' }), []);
    assert.match(result().text, /^1\t# Corner Shop/);
  });

  it('gives Claude what MCP servers embed and link, not the address at which VS Code keeps it', async () => {
    const [reference, links] = [
      await mcpTool('everything', 'get-resource-reference'),
      await mcpTool('everything', 'get-resource-links'),
    ];
    await callAndAllow(reference, { resourceType: 'Text', resourceId: 7 });
    assert.match(result().text, /Resource 7: This is a plaintext resource/);
    assert.doesNotMatch(result().text, /vscode-chat-response-resource|\$mid/);
    await callAndAllow(reference, { resourceType: 'Blob', resourceId: 8 });
    assert.match(result().text, /Resource 8: This is a base64 blob/);
    await callAndAllow(links, { count: 2 });
    assert.match(
      result().text,
      /\[demo:\/\/resource\/dynamic\/text\/2\]\nResource 2: This is a plaintext resource/,
    );
    assert.match(result().text, /\[demo:\/\/resource\/dynamic\/blob\/1\]\nResource 1: This is a base64 blob/);
  });

  // VS Code 1.110 knows no sandbox for them.
  if (process.env['VSCODE_HOST_VERSION'] !== '1.110.0') {
    it('A2, S2: those of a server that the workspace says runs in a sandbox are asked about by us', async () => {
      // As on Windows, where VS Code starts such a server without a sandbox, and asks nothing all the same.
      await window.context.route(/workbench\.js$/, async (route) => {
        const response = await route.fetch();
        const source = await response.text();
        const patched = source.replace(/!!\w+\.sandboxEnabled(?=\}async launchInSandboxIfEnabled)/, '!1');
        assert.notEqual(patched, source);
        await route.fulfill({ response, body: patched });
      });
      await window.reload();
      startServers({ sandboxEnabled: true });
      const cards = await callAndAllow(await mcpTool('everything', 'toggle-simulated-logging'), {});
      assert.equal(cards.length, 1);
      assert.match(cards[0]!, /This workspace tells VS Code to run tools without asking/);
      assert.equal(result().isError, false);
    });
  }

  /** VS Code starts an MCP server when it has seen its file: asks until a request offers the tool. */
  async function mcpTool(server: string, name: string): Promise<string> {
    for (let attempt = 0; attempt < 60; attempt++) {
      // VS Code cuts the server's own name short, which begins with other words.
      const found = offered().find((tool) => tool.startsWith('mcp_') && tool.endsWith(`_${name}`));
      if (found?.includes(server.slice(0, 6))) return found;
      standIn.script(reply(text('Hello.')));
      await window.panel.ask('hello');
    }
    return assert.fail(`offered only ${offered().join(' ')}`);
  }
});
