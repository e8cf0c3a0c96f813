interface Kept {
  readonly kind: string;
  readonly value: unknown;
  readonly close: () => Promise<unknown>;
}

/** Each bundled test file has its own copy of this module: what they share goes through the process. */
const slot = Symbol.for('claude-assistant:handed-on');
const shared = globalThis as { [slot]?: Kept | undefined };

/** What the suite before this one has left, if it is of the same kind and can be made as good as new; else another. */
export async function handOn<T extends { close(): Promise<unknown> }>(
  kind: string,
  { open, tidy }: { readonly open: () => Promise<T>; readonly tidy: (left: T) => Promise<unknown> },
): Promise<T> {
  const kept = shared[slot];
  if (kept?.kind === kind) {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the kind says what it is
    const left = kept.value as T;
    await tidy(left);
    return left;
  }
  await closeHandedOn();
  const value = await open();
  shared[slot] = { kind, value, close: () => value.close() };
  return value;
}

/** After the last suite, or when something is to begin anew. */
export async function closeHandedOn(): Promise<void> {
  const kept = shared[slot];
  shared[slot] = undefined;
  await kept?.close();
}
