import type { Journal } from '../../../src/core/ports';

/** Write-ahead files in memory, with windows that can be killed and bytes that can be cut. */
export class JournalFolder {
  readonly files = new Map<string, Buffer>();
  readonly #ended = new Set<string>();
  /** Rejects all writing with this, as a full or read-only disk does. */
  failure: Error | undefined;
  /** A file that cannot be removed, as when somebody holds it open on Windows. */
  stuck: string | undefined;

  open(activation: string): Journal {
    let generation = 1;
    const nameOf = (number: number) => `${activation}.${number}`;
    const add = (name: string, lines: readonly string[]) => {
      if (this.failure) throw this.failure;
      const text = lines.map((line) => `${line}\n`).join('');
      this.files.set(name, Buffer.concat([this.files.get(name) ?? Buffer.alloc(0), Buffer.from(text)]));
    };
    return {
      append: async (lines) => add(nameOf(generation), lines),
      replace: async (lines) => {
        add(nameOf(generation + 1), lines);
        this.files.delete(nameOf(generation));
        generation += 1;
      },
      others: async () =>
        [...this.files.keys()]
          .filter((name) => ownerOf(name) !== activation)
          .map((name) => ({ name, isOwnerAlive: !this.#ended.has(ownerOf(name)) })),
      read: async (name, from) => {
        const rest = this.files.get(name)?.subarray(from);
        if (!rest) return undefined;
        const whole = rest.lastIndexOf('\n') + 1;
        return { text: rest.toString('utf8', 0, whole), end: from + whole };
      },
      remove: async (name) => {
        if (ownerOf(name) === activation) throw new Error(`not the file of another window: ${name}`);
        if (name === this.stuck) throw new Error('EBUSY: resource busy or locked');
        this.files.delete(name);
      },
    };
  }

  end(activation: string): void {
    this.#ended.add(activation);
  }

  /** All that is on the disk, as text. */
  get text(): string {
    return Buffer.concat([...this.files.values()]).toString('utf8');
  }
}

function ownerOf(name: string): string {
  return name.slice(0, name.lastIndexOf('.'));
}
