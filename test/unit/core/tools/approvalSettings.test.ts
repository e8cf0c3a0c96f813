import assert from 'node:assert/strict';
import { loosenedBy } from '../../../../src/core/tools/approvalSettings';

const loosened = (values: Readonly<Record<string, unknown>>) => [
  ...loosenedBy((setting) => [undefined, values[setting]]),
];

describe('A2, S2: what a workspace lets VS Code run unasked', () => {
  it('is nothing where it sets nothing, or only makes it stricter', () => {
    assert.deepEqual(loosened({}), []);
    assert.deepEqual(
      loosened({
        'chat.permissions.default': 'default',
        'chat.tools.terminal.autoApprove': { rm: false, del: { approve: false }, cd: null },
        'chat.tools.terminal.enableAutoApprove': false,
        'chat.tools.terminal.blockDetectedFileWrites': 'all',
        'chat.agent.sandbox': {},
        'chat.tools.eligibleForAutoApproval': { 'a.b/c': false },
        mcp: { servers: { one: { command: 'x' }, two: { command: 'y', sandboxEnabled: false } } },
      }),
      [],
    );
  });

  it('is everything with a permission level of its own', () => {
    for (const level of ['autoApprove', 'autopilot', 'a new one']) {
      assert.deepEqual(loosened({ 'chat.permissions.default': level }), ['all']);
    }
  });

  it('is everything where it takes back what the person wants to be asked about', () => {
    assert.deepEqual(loosened({ 'chat.tools.eligibleForAutoApproval': { 'a.b/c': true, 'a.b/d': false } }), [
      'all',
    ]);
  });

  it('is the tools of MCP servers with one that is said to run in a sandbox', () => {
    const servers = { one: { command: 'x' }, two: { command: 'y', sandboxEnabled: true } };
    assert.deepEqual(loosened({ mcp: { servers } }), ['mcp']);
    assert.deepEqual(loosened({ mcp: { servers }, 'chat.tools.terminal.enableAutoApprove': true }), [
      'mcp',
      'terminal',
    ]);
    for (const damaged of [7, [], { servers: [1, null] }, { servers: { one: null } }]) {
      assert.deepEqual(loosened({ mcp: damaged }), []);
    }
  });

  it('is the terminal with rules for commands or a sandbox', () => {
    for (const values of [
      { 'chat.tools.terminal.autoApprove': { rm: false, '/.*/': true } },
      { 'chat.tools.terminal.autoApprove': { npm: { approve: true, matchCommandLine: true } } },
      { 'chat.tools.terminal.ignoreDefaultAutoApproveRules': true },
      { 'chat.tools.terminal.blockDetectedFileWrites': 'never' },
      { 'chat.agent.sandbox': { enabled: 'on' } },
      { 'chat.tools.terminal.sandbox': { enabled: true } },
    ]) {
      assert.deepEqual(loosened(values), ['terminal'], JSON.stringify(values));
    }
  });
});
