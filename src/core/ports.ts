import type Anthropic from '@anthropic-ai/sdk';
import type { Message, Usage } from './messages';

/** Milliseconds since the epoch. */
export type Clock = () => number;

/** A fresh, unique id at every call. */
export type IdSource = () => string;

/** A number from 0 up to 1. */
export type Random = () => number;

/** Resolves after that long, or as soon as the signal aborts; it never rejects. */
export type Wait = (ms: number, signal: AbortSignal) => Promise<void>;

/** One request to Claude. Same values, same bytes on the wire: the prompt cache depends on it. */
export interface ModelRequest {
  readonly model: string;
  readonly system: readonly Anthropic.TextBlockParam[];
  readonly tools: readonly Anthropic.Tool[];
  readonly messages: readonly Message[];
  readonly maxOutputTokens?: number;
  readonly effort?: Effort;
  /** `off`: for work that needs no thinking. A model that always thinks does so all the same. */
  readonly thinking?: 'off';
}

export type Effort = 'low' | 'medium' | 'high' | 'xhigh' | 'max';

/** What one request ended with, complete. */
export interface ModelAnswer {
  readonly id: string;
  readonly model: string;
  readonly content: readonly Anthropic.ContentBlock[];
  readonly stopReason: Anthropic.StopReason | (string & {}) | null;
  readonly refusal?: string;
  readonly usage: Usage;
  readonly requestId?: string;
  /** Tool uses whose input did not arrive as complete JSON: their `input` is `{}`, and they must not run. */
  readonly brokenToolUses?: readonly string[];
}

export type ModelEvent =
  | { readonly type: 'text-delta'; readonly text: string }
  | { readonly type: 'thinking-delta'; readonly text: string }
  | { readonly type: 'answer'; readonly answer: ModelAnswer }
  /** Instead of an answer, just before the stream fails or is stopped: what the request took, as far as it is known. */
  | { readonly type: 'spent'; readonly usage: Usage };

/** Claude. `stream` yields deltas as they arrive, then exactly one `answer`, or throws: a ModelError, or what the signal says. */
export interface Model {
  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent>;
}

/** What there is to know of a model before it is asked. */
export interface ModelInfo {
  readonly id: string;
  readonly name: string;
  readonly contextTokens: number;
  readonly maxOutputTokens: number;
  readonly takesImages: boolean;
  /** Empty when the model knows no effort. */
  readonly efforts: readonly Effort[];
}

/** What others than the tool-use loop ask of Claude: the model picker and VS Code's token counts. */
export interface ModelCatalog {
  /** The models on offer, newest first; the built-in list while Claude cannot be asked. */
  list(signal: AbortSignal): Promise<readonly ModelInfo[]>;
  countTokens(request: ModelRequest, signal: AbortSignal): Promise<number>;
}

/** The log people can open; it never gets text, values, file contents or keys. */
export interface Log {
  info(message: string): void;
  warn(message: string): void;
  error(message: string, cause?: unknown): void;
}

/**
 * VS Code's workspace state: all keys are one blob, an awaited update reaches the disk about 100 ms later, and of two
 * windows the last writer wins. Values that were read or written are never changed in place.
 */
export interface StateStore {
  get(key: string): unknown;
  /** Rejects when the value could not be handed over. `undefined` removes the key. */
  update(key: string, value: unknown): Promise<void>;
  keys(): readonly string[];
}

/**
 * The write-ahead files of all windows on one workspace, in a folder that they share. Each activation appends to a file
 * of its own, which a file of another name takes over when it is rewritten: whatever was read of a file stays true.
 */
export interface Journal {
  /** Adds whole lines to this activation's file, which exists from then on, and syncs them to the disk. */
  append(lines: readonly string[]): Promise<void>;
  /** Puts these lines in place of all that this activation has written, atomically. */
  replace(lines: readonly string[]): Promise<void>;
  /** The files of other activations, of which some still run. */
  others(): Promise<readonly JournalFile[]>;
  /** The complete lines from this byte on, and where they end; nothing when the file has gone. */
  read(name: string, from: number): Promise<{ readonly text: string; readonly end: number } | undefined>;
  /** Removes the file of an activation that has ended. */
  remove(name: string): Promise<void>;
}

export interface JournalFile {
  readonly name: string;
  /** False only when it is certain that nobody appends any more. */
  readonly isOwnerAlive: boolean;
}

/** Texts by name, flat in one folder that all windows on a workspace share. */
export interface TextFiles {
  /** In no order. */
  names(): Promise<readonly string[]>;
  /** The whole text, or nothing when the file has gone. */
  read(name: string): Promise<string | undefined>;
  /** All of it or nothing of it: whoever reads sees the file before or after. */
  write(name: string, text: string): Promise<void>;
  remove(name: string): Promise<void>;
  /** Removes every file, also those that are not known by their name. */
  clear(): Promise<void>;
}
