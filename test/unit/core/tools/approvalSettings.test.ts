import assert from 'node:assert/strict';
import { loosenedBy } from '../../../../src/core/tools/approvalSettings';

const loosened = (values: Readonly<Record<string, unknown>>) =>
  loosenedBy((setting) => [undefined, values[setting]]);

describe('A2, S2: what a workspace lets VS Code run unasked', () => {
  it('is nothing where it sets nothing, or only makes it stricter', () => {
    assert.equal(loosened({}), 'nothing');
    assert.equal(
      loosened({
        'chat.permissions.default': 'default',
        'chat.tools.terminal.autoApprove': { rm: false, del: { approve: false }, cd: null },
        'chat.tools.terminal.enableAutoApprove': false,
        'chat.tools.terminal.blockDetectedFileWrites': 'all',
        'chat.agent.sandbox': {},
      }),
      'nothing',
    );
  });

  it('is everything with a permission level of its own', () => {
    for (const level of ['autoApprove', 'autopilot', 'a new one']) {
      assert.equal(loosened({ 'chat.permissions.default': level }), 'all');
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
      assert.equal(loosened(values), 'terminal', JSON.stringify(values));
    }
  });
});
