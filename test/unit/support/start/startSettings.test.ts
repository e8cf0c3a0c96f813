import assert from 'node:assert/strict';
import { offlineModel } from '../../../support/claude/models';
import { mergeSettings } from '../../../support/start/startSettings';

describe('the settings of npm start', () => {
  const offline = { 'assistant.model': offlineModel.id };

  it('keep what was changed in the window', () => {
    const written = JSON.stringify({ 'workbench.colorTheme': 'Dark Modern', 'assistant.maxTurns': 20 });
    assert.deepEqual(mergeSettings(written, offline), {
      'workbench.colorTheme': 'Dark Modern',
      'assistant.maxTurns': 20,
      ...offline,
    });
  });

  it('let go of the offline model once there is a key, but not of a model that was chosen', () => {
    assert.deepEqual(mergeSettings(JSON.stringify(offline), {}), {});
    const chosen = { 'assistant.model': 'claude-opus-5-5' };
    assert.deepEqual(mergeSettings(JSON.stringify(chosen), {}), chosen);
  });

  it('begin anew with what is no JSON', () => {
    for (const written of [undefined, '', '// mine\n{}', 'null'])
      assert.deepEqual(mergeSettings(written, offline), offline);
  });
});
