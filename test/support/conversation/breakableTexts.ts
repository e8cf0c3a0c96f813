import type { TextFiles } from '../../../src/core/ports';

/** Texts in memory, which can be damaged and can fail. */
export class BreakableTexts implements TextFiles {
  readonly files = new Map<string, string>();
  /** Called before every access: throws to fail it, as a full disk or a killed window does. */
  onAccess: (access: 'names' | 'read' | 'write' | 'remove' | 'clear') => void = () => undefined;

  async names(): Promise<readonly string[]> {
    this.onAccess('names');
    return [...this.files.keys()];
  }

  async read(name: string): Promise<string | undefined> {
    this.onAccess('read');
    return this.files.get(name);
  }

  async write(name: string, text: string): Promise<void> {
    this.onAccess('write');
    this.files.set(name, text);
  }

  async remove(name: string): Promise<void> {
    this.onAccess('remove');
    this.files.delete(name);
  }

  async clear(): Promise<void> {
    this.onAccess('clear');
    this.files.clear();
  }
}
