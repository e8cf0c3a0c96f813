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
  const ofState = stateMethods(workspaceState);
  const socket = connect(Number(port), '127.0.0.1');
  const send = (message: DriverMessage) => socket.write(`${JSON.stringify(message)}\n`);
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '';
  send({ kind: 'hello', pid: process.pid, folder, extensionVersion: String(assistant.packageJSON.version) });
  createInterface(socket).on('line', (line) => {
    const { id, method, args } = JSON.parse(line) as DriverCall;
    const done = run(api, { ...methods, ...ofState }[method], args);
    void done.then(
      (value) => send({ kind: 'result', id, value: value ?? null }),
      (error: unknown) => send({ kind: 'error', id, message: String(error) }),
    );
  });
}

type Method = (api: AssistantApi, ...args: readonly unknown[]) => unknown;
type StateMethod = 'breakState' | 'setState';

/** By the method of a call. */
const methods = {
  chat: (_api, message) => chat(String(message)),
  ask: (api, prompt) => api.ask(String(prompt)),
  history: (api) => api.getHistory(),
  execute: (_api, command, ...args) =>
    vscode.commands.executeCommand(String(command), ...args.map((arg) => revived(arg))),
  activation: (_api, id) => {
    const extension = vscode.extensions.getExtension(String(id));
    return extension && activationOf(String(id), () => extension.isActive);
  },
  memoryTimes: (api, load) => memoryTimes(api, load as Parameters<typeof memoryTimes>[1]),
  heap: () => liveHeapBytes(),
} satisfies Record<Exclude<DriverCall['method'], StateMethod>, Method>;

async function run(api: AssistantApi, method: Method, args: readonly unknown[]): Promise<unknown> {
  return method(api, ...args);
}

/** A file, for commands that take one, goes over the wire by its path. */
function revived(arg: unknown): unknown {
  return arg instanceof Object && '$file' in arg ? vscode.Uri.file(String(arg.$file)) : arg;
}

function stateMethods(state: vscode.Memento): Record<StateMethod, Method> {
  const breakState = breakableState(state);
  return {
    breakState: (_api, isBroken) => breakState(isBroken === true),
    setState: (_api, id, value) => storageOf(state).setValue(false, String(id), value),
  };
}

/** What all states of an extension host are kept by. */
interface Storage {
  setValue(isShared: boolean, extensionId: string, value: unknown): Promise<void>;
}

function storageOf(state: vscode.Memento): Storage {
  const parts: readonly Partial<Storage>[] = Object.values(state).filter((part) => part instanceof Object);
  const storage = parts.find((part): part is Storage => part.setValue !== undefined);
  if (!storage) throw new Error('The states of this VS Code are not kept as they were.');
  return storage;
}

/**
 * Makes every `update()` in this extension host reject, or work again. All extensions have states of the same class, so
 * that what is broken here is broken for ours.
 */
function breakableState(state: vscode.Memento): (isBroken: boolean) => void {
  const shared = Object.getPrototypeOf(state) as vscode.Memento;
  const working = Object.getOwnPropertyDescriptor(shared, 'update');
  const broken = { ...working, value: () => Promise.reject(new Error('The disk is full.')) };
  return (isBroken) => {
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
