import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/** Another process on the same database, and what it prints. */
export class OtherProcess {
  readonly #child: ChildProcess;
  readonly #closed: Promise<unknown>;
  readonly #waiting: { readonly isThere: () => boolean; readonly resolve: () => void }[] = [];
  #printed = '';

  private constructor(script: string, args: readonly string[]) {
    const stdio = ['ignore', 'pipe', 'inherit'] as const;
    this.#child = spawn(process.execPath, ['--no-warnings', script, ...args], { stdio: [...stdio] });
    this.#closed = once(this.#child, 'close');
    this.#child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      this.#printed += text;
      for (const { isThere, resolve } of this.#waiting) if (isThere()) resolve();
    });
  }

  /** A window that works without a pause, for so many turns or until it is killed. */
  static saving(file: string, activationId: string, turns?: number): OtherProcess {
    const script = join(__dirname, '../../support/conversation/savingProcess.main.js');
    return new OtherProcess(script, [file, activationId, ...(turns === undefined ? [] : [String(turns)])]);
  }

  /** Holds the database for so long. */
  static async locking(file: string, ms: number): Promise<OtherProcess> {
    const other = new OtherProcess(join(__dirname, '../../support/storage/lockingProcess.main.js'), [
      file,
      String(ms),
    ]);
    await other.printed(1);
    return other;
  }

  /** A window that works in a loop against this endpoint; see there. */
  static spending(
    file: string,
    url: string,
    limits: { readonly day: number; readonly rounds: number },
  ): OtherProcess {
    const script = join(__dirname, '../../support/storage/spendingProcess.main.js');
    return new OtherProcess(script, [file, url, String(limits.day), String(limits.rounds)]);
  }

  /** Whole lines: one that was cut off was not printed. */
  get lines(): readonly string[] {
    return this.#printed.split('\n').slice(0, -1);
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  /** Resolves when there are so many lines. */
  printed(lines: number): Promise<void> {
    const isThere = () => this.lines.length >= lines;
    if (isThere()) return Promise.resolve();
    return new Promise((resolve) => void this.#waiting.push({ isThere, resolve }));
  }

  async kill(): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.#closed;
  }

  async ended(): Promise<void> {
    await this.#closed;
  }
}
