import { createServer, type AddressInfo, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import type { Message } from '../../../src/core/messages';
import type { ActivationTimes, memoryTimes, MemoryTimes } from './measure';
import type { DriverCall, DriverHello, DriverMessage } from './protocol';

/** One extension host, as reached through the driver extension in it. */
export interface DrivenHost {
  readonly pid: number;
  readonly extensionVersion: string;
  /** Settles when the extension host has gone. */
  readonly gone: Promise<void>;
  /** Sends a message to `@assistant` in the chat panel; settles with VS Code's result when the answer is complete. */
  chat(message: string): Promise<unknown>;
  /** The public API of our extension, called from another one. */
  ask(prompt: string): Promise<string>;
  history(): Promise<Message[]>;
  execute(command: string, ...args: readonly unknown[]): Promise<unknown>;
  /** How long VS Code took to activate an extension of this host. */
  activation(extensionId: string): Promise<ActivationTimes | null>;
  memoryTimes(load: Parameters<typeof memoryTimes>[1]): Promise<MemoryTimes>;
  /** Bytes that live on the heap of this extension host once all garbage is collected. */
  heap(): Promise<number>;
  /** Makes the state of every extension reject what it is told to keep, or take it again. */
  breakState(isBroken: boolean): Promise<void>;
  /** Replaces all that VS Code keeps for an extension in `workspaceState`; the next extension host finds it. */
  setState(extensionId: string, state: object): Promise<void>;
  /** Has it do nothing more, until it is killed. */
  freeze(): void;
  /** `kill -9`. */
  kill(): void;
}

/** Where the drivers of a VS Code under test call in; `port` goes into its environment as `TEST_DRIVER_PORT`. */
export interface DriverHub {
  readonly port: number;
  /** The next extension host that calls in, or has and is still there; each is given out once. */
  nextHost(): Promise<DrivenHost>;
  close(): Promise<void>;
}

export async function startDriverHub(): Promise<DriverHub> {
  const waiting: DrivenHost[] = [];
  const takers: ((host: DrivenHost) => void)[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    receive(socket, (host) => {
      const take = takers.shift();
      if (take) return take(host);
      waiting.push(host);
      void host.gone.then(() => waiting.splice(0, waiting.length, ...waiting.filter((one) => one !== host)));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    nextHost: async () => waiting.shift() ?? new Promise((resolve) => takers.push(resolve)),
    close: () => {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

function goneError(): Error {
  return new Error('The extension host has gone.');
}

interface Pending {
  readonly resolve: (value: never) => void;
  readonly reject: (error: Error) => void;
}

function receive(socket: Socket, onHello: (host: DrivenHost) => void): void {
  const pending = new Map<number, Pending>();
  let nextId = 1;
  const call = async <T>(method: DriverCall['method'], ...args: readonly unknown[]): Promise<T> => {
    if (socket.destroyed) throw goneError();
    const id = nextId++;
    const answer = new Promise<T>((resolve, reject) => pending.set(id, { resolve, reject }));
    socket.write(`${JSON.stringify({ id, method, args } satisfies DriverCall)}\n`);
    return answer;
  };
  const gone = new Promise<void>((resolve) => {
    socket.once('close', () => {
      for (const { reject } of pending.values()) reject(goneError());
      resolve();
    });
  });
  // A killed host resets its connection: that is what `gone` tells.
  socket.on('error', () => undefined);
  const lines = createInterface(socket).on('error', () => undefined);
  const toHost = ({ pid, extensionVersion }: DriverHello): DrivenHost => ({
    pid,
    extensionVersion,
    gone,
    chat: (message) => call('chat', message),
    ask: (prompt) => call('ask', prompt),
    history: () => call('history'),
    execute: (command, ...args) => call('execute', command, ...args),
    activation: (id) => call('activation', id),
    memoryTimes: (load) => call('memoryTimes', load),
    heap: () => call('heap'),
    breakState: (isBroken) => call('breakState', isBroken),
    setState: (id, state) => call('setState', id, state),
    freeze: () => void process.kill(pid, 'SIGSTOP'),
    kill: () => void process.kill(pid, 'SIGKILL'),
  });
  lines.on('line', (line) => {
    const message = JSON.parse(line) as DriverMessage;
    switch (message.kind) {
      case 'hello':
        onHello(toHost(message));
        break;
      case 'result':
        pending.get(message.id)?.resolve(message.value as never);
        pending.delete(message.id);
        break;
      case 'error':
        pending.get(message.id)?.reject(new Error(message.message));
        pending.delete(message.id);
        break;
    }
  });
}
