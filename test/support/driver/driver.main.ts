/** Another extension beside ours, in the same extension host: does what a test outside tells it through a socket. */
import { connect } from 'node:net';
import { createInterface } from 'node:readline';
import * as vscode from 'vscode';
import type { AssistantApi } from '../../../src/core/api';
import { modelsAreThere } from '../modelsAreThere';
import { activationOf, liveHeapBytes, memoryTimes } from './measure';
import type { DriverCall, DriverMessage } from './protocol';

export async function activate({ workspaceState }: vscode.ExtensionContext): Promise<void> {
  const port = process.env['TEST_DRIVER_PORT'];
  if (!port) return;
  const assistant = vscode.extensions.getExtension<AssistantApi>('claude-assistant.claude-assistant');
  if (!assistant) throw new Error('Claude Assistant is not installed.');
  const api = await assistant.activate();
  const breakState = breakableState(workspaceState);
  const socket = connect(Number(port), '127.0.0.1');
  const send = (message: DriverMessage) => socket.write(`${JSON.stringify(message)}\n`);
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '';
  send({ kind: 'hello', pid: process.pid, folder, extensionVersion: String(assistant.packageJSON.version) });
  createInterface(socket).on('line', (line) => {
    const { id, method, args } = JSON.parse(line) as DriverCall;
    const done = method === 'breakState' ? breakState(args[0] === true) : run(api, method, args);
    void done.then(
      (value) => send({ kind: 'result', id, value: value ?? null }),
      (error: unknown) => send({ kind: 'error', id, message: String(error) }),
    );
  });
}

type Method = Exclude<DriverCall['method'], 'breakState'>;

/** By the method of a call. */
const methods = {
  chat: (_api, message) => chat(String(message)),
  ask: (api, prompt) => api.ask(String(prompt)),
  history: (api) => api.getHistory(),
  execute: (_api, command, ...args) => vscode.commands.executeCommand(String(command), ...args),
  activation: (_api, id) => {
    const extension = vscode.extensions.getExtension(String(id));
    return extension && activationOf(String(id), () => extension.isActive);
  },
  memoryTimes: (api, load) => memoryTimes(api, load as Parameters<typeof memoryTimes>[1]),
  heap: () => liveHeapBytes(),
} satisfies Record<Method, (api: AssistantApi, ...args: readonly unknown[]) => unknown>;

async function run(api: AssistantApi, method: Method, args: readonly unknown[]): Promise<unknown> {
  const call: (api: AssistantApi, ...args: readonly unknown[]) => unknown = methods[method];
  return call(api, ...args);
}

/**
 * Makes every `update()` in this extension host reject, or work again. All extensions have states of the same class, so
 * that what is broken here is broken for ours.
 */
function breakableState(state: vscode.Memento): (isBroken: boolean) => Promise<void> {
  const shared = Object.getPrototypeOf(state) as vscode.Memento;
  const working = Object.getOwnPropertyDescriptor(shared, 'update');
  const broken = { ...working, value: () => Promise.reject(new Error('The disk is full.')) };
  return async (isBroken) => {
    if (!working) throw new Error('The states of this VS Code have no update of their own.');
    Object.defineProperty(shared, 'update', isBroken ? broken : working);
  };
}

async function chat(message: string): Promise<unknown> {
  await modelsAreThere();
  const result = await vscode.commands.executeCommand<vscode.ChatResult | undefined>(
    'workbench.action.chat.open',
    { query: `@assistant ${message}`, blockOnResponse: true },
  );
  if (!result || result.errorDetails) throw new Error(`VS Code did not send it: ${JSON.stringify(result)}`);
  return result;
}
