/** What a test asks of the driver, one JSON line each. */
export interface DriverCall {
  readonly id: number;
  readonly method:
    | 'chat'
    | 'ask'
    | 'history'
    | 'execute'
    | 'activation'
    | 'memoryTimes'
    | 'heap'
    | 'breakState'
    | 'setState';
  readonly args: readonly unknown[];
}

/** What the driver says, one JSON line each; `hello` first. */
export type DriverMessage =
  | DriverHello
  | { readonly kind: 'result'; readonly id: number; readonly value: unknown }
  | { readonly kind: 'error'; readonly id: number; readonly message: string };

export interface DriverHello {
  readonly kind: 'hello';
  /** The extension host. */
  readonly pid: number;
  readonly folder: string;
  readonly extensionVersion: string;
}
