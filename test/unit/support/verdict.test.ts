import assert from 'node:assert/strict';
import type { JobEnd } from '../../support/run/job';
import { judge } from '../../support/run/verdict';

describe('the verdict of a test run', () => {
  const passed = (name: string, isSecondTry = false): JobEnd => ({
    name,
    level: name.split(' ')[0] ?? '',
    counts: { passed: 3, failed: 0, isSecondTry },
  });

  it('counts each level and all of them', () => {
    assert.deepEqual(judge([passed('unit'), passed('e2e tools'), passed('e2e usage')]), {
      lines: ['unit   3 passed, 0 failed', 'e2e    6 passed, 0 failed', '9 passed, 0 failed'],
      isPassed: true,
    });
  });

  it('fails with one test that failed', () => {
    const failed: JobEnd = { name: 'e2e tools', level: 'e2e', counts: { passed: 2, failed: 1 } };
    assert.deepEqual(judge([failed]), {
      lines: ['e2e    2 passed, 1 failed', '2 passed, 1 failed'],
      isPassed: false,
    });
  });

  it('names a suite that needed a second try, and lets one through', () => {
    const { lines, isPassed } = judge([passed('host chat'), passed('e2e tools', true)]);
    assert.equal(
      lines.at(-1),
      'Needed a second try: e2e tools. One is let through: find out why it failed at first.',
    );
    assert.equal(isPassed, true);
  });

  it('fails when more than one suite needed a second try, whatever their level', () => {
    const { lines, isPassed } = judge([passed('unit'), passed('host chat', true), passed('e2e tools', true)]);
    assert.deepEqual(lines.slice(-2), [
      '9 passed, 0 failed',
      'Needed a second try: host chat, e2e tools. More than one fails the run: find out why they failed at first.',
    ]);
    assert.equal(isPassed, false);
  });

  it('fails and names a suite that did not run', () => {
    assert.deepEqual(judge([passed('e2e tools'), { name: 'e2e usage', level: 'e2e', counts: undefined }]), {
      lines: ['e2e    3 passed, 1 failed', '3 passed, 1 failed', 'Did not run: e2e usage.'],
      isPassed: false,
    });
  });

  it('fails with a level in which no test ran', () => {
    const none: JobEnd = { name: 'host chat', level: 'host', counts: { passed: 0, failed: 0 } };
    assert.deepEqual(judge([passed('unit'), none]), {
      lines: ['unit   3 passed, 0 failed', 'host   did not run', '3 passed, 1 failed'],
      isPassed: false,
    });
  });
});
