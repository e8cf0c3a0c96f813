/** Writes one after another; all that is asked for while one runs goes out together with the next. */
export class LatestWrite {
  readonly #write: () => Promise<void>;
  #isDue = false;
  #running: Promise<void> | undefined;

  /** `write` takes what there is when it is called, and does not reject. */
  constructor(write: () => Promise<void>) {
    this.#write = write;
  }

  /** Settles when all that is there now has been written. */
  request(): Promise<void> {
    this.#isDue = true;
    this.#running ??= this.#run();
    return this.#running;
  }

  async #run(): Promise<void> {
    while (this.#isDue) {
      this.#isDue = false;
      await this.#write();
    }
    this.#running = undefined;
  }
}
