/** A step that cannot work here. Its message is one sentence that says what to do. */
export class SetupError extends Error {
  override readonly name = 'SetupError';
}

/** Runs a command's main function; a SetupError ends it with its sentence alone, anything else is a bug. */
export function runMain(main: () => Promise<number>): void {
  main().then(
    (code) => process.exit(code),
    (error: unknown) => {
      console.error(error instanceof SetupError ? error.message : error);
      process.exit(1);
    },
  );
}
