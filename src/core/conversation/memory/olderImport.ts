import type { OlderData } from '../store';
import type { Home, OlderHome } from './home';
import { unreadableFiles, type Problems } from './problems';
import type { SharedStateOptions } from './sharedStateOptions';

/** What versions before the database have stored, until it is in there. */
export class OlderImport {
  readonly #options: SharedStateOptions;
  readonly #home: Home;
  readonly #problems: Problems;
  #found: OlderData | undefined;

  constructor(options: SharedStateOptions, home: Home, problems: Problems) {
    this.#options = options;
    this.#home = home;
    this.#problems = problems;
  }

  async read(home: OlderHome | undefined): Promise<OlderData | undefined> {
    const { readOlder, log } = this.#options;
    this.#found = await readOlder?.(home).catch((cause: unknown) => {
      log.error('memory: what older versions stored could not be read', cause);
      return undefined;
    });
    const { damaged = [], unreadable = [] } = this.#found ?? {};
    for (const problem of this.#home.setAsideAll(damaged)) this.#problems.tell(problem);
    if (unreadable.length > 0) this.#problems.tell(unreadableFiles(unreadable));
    return this.#found;
  }

  /** As soon as it is written, lest it comes back after it was erased. What stays is taken in once more at the next start. */
  async remove(): Promise<void> {
    const found = this.#found;
    this.#found = undefined;
    try {
      if (found) await this.#options.removeOlder?.(found);
    } catch (cause) {
      this.#options.log.error('memory: files of older versions could not be removed', cause);
    }
  }
}
