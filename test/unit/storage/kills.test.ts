import assert from 'node:assert/strict';
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Message } from '../../../src/core/messages';
import { withStandIn } from '../../support/claude/withStandIn';
import { TestWorkspace } from '../../support/conversation/testWorkspace';
import type { TurnProcessMessage } from '../../support/conversation/turnProcess.main';
import { killAtEachPoint, killPoints, type Killable } from '../../support/kills';

const times = 4;

/** The same moments of the extension host in the real VS Code, each of them once, are in test/e2e/survival.test.ts. */
describe(`kill -9 of a process at ${times * killPoints} moments of a turn`, () => {
  const standIn = withStandIn();
  const workspace = new TestWorkspace();
  const logged: string[] = [];
  let child: ChildProcess | undefined;

  after(() => child?.kill('SIGKILL'));

  it('M7, M8, F23, F35: no acknowledged turn is lost, finished rounds are found again, and all can be read', async () => {
    let running = await start(0);
    let started = 0;
    await killAtEachPoint({
      standIn,
      times,
      handOverMs: 10,
      running: () => running,
      replace: async (end) => {
        await end();
        running = await start(++started);
      },
    });
    assert.ok(logged.filter((line) => line.includes('recovered 1 interrupted turn')).length >= 5 * times);
    assert.deepEqual(
      logged.filter((line) => !line.startsWith('info')),
      [],
    );
  }).timeout(180_000);

  /** A process that has read all there is. */
  async function start(number: number): Promise<Killable> {
    const script = join(__dirname, '../../support/conversation/turnProcess.main.js');
    const args = [workspace.file, standIn.url, `window${number}`];
    const started = fork(script, args, { execArgv: ['--no-warnings'] });
    child = started;
    const gone = once(started, 'close').then(() => undefined);
    const waiting = new Map<TurnProcessMessage['kind'], () => void>();
    let messages: readonly Message[] = [];
    started.on('message', (message: TurnProcessMessage) => {
      if (message.kind === 'history') messages = message.messages;
      if (message.kind === 'logged') logged.push(`${message.level} ${message.line}`);
      waiting.get(message.kind)?.();
    });
    const told = (kind: TurnProcessMessage['kind']) =>
      new Promise<void>((resolve) => void waiting.set(kind, resolve));
    await Promise.race([told('history'), gone.then(() => assert.fail('It ended before it was ready.'))]);
    return {
      gone,
      history: async () => messages,
      kill: () => void started.kill('SIGKILL'),
      chat: async (message) => {
        started.send(message);
        await told('acknowledged');
      },
    };
  }
});
