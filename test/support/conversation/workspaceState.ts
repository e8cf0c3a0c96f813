import type { StateStore } from '../../../src/core/ports';

type Blob = ReadonlyMap<string, string>;

/**
 * VS Code's workspace state of one folder as it was measured: each window has its own copy of all keys, an update
 * reaches the disk only at the next flush, and a flush writes the window's whole copy over whatever is there.
 */
export class WorkspaceState {
  #disk: Blob = new Map();

  /** A new window reads what is on the disk. */
  openWindow(): WindowState {
    return new WindowState(this.#disk, (blob) => (this.#disk = blob));
  }

  get bytes(): number {
    return bytesOf(this.#disk);
  }
}

class WindowState implements StateStore {
  readonly #values: Map<string, string>;
  readonly #write: (blob: Blob) => void;
  /** Rejects updates with this. */
  failure: Error | undefined;
  #isChanged = false;

  constructor(blob: Blob, write: (blob: Blob) => void) {
    this.#values = new Map(blob);
    this.#write = write;
  }

  get(key: string): unknown {
    const value = this.#values.get(key);
    return value === undefined ? undefined : JSON.parse(value);
  }

  async update(key: string, value: unknown): Promise<void> {
    if (this.failure) throw this.failure;
    this.#isChanged = true;
    if (value === undefined) this.#values.delete(key);
    else this.#values.set(key, JSON.stringify(value));
  }

  get bytes(): number {
    return bytesOf(this.#values);
  }

  keys(): readonly string[] {
    return [...this.#values.keys()];
  }

  /** What VS Code does about 100 ms after an update, and only then. A killed window never does. */
  flush(): void {
    if (this.#isChanged) this.#write(new Map(this.#values));
    this.#isChanged = false;
  }
}

function bytesOf(blob: Blob): number {
  return [...blob].reduce((sum, [key, value]) => sum + key.length + Buffer.byteLength(value), 0);
}
