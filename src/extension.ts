/** The wiring, top to bottom. */
export function activate(): void {}
