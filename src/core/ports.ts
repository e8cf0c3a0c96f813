import type Anthropic from '@anthropic-ai/sdk';
import type { Message, Usage } from './messages';

/** Milliseconds since the epoch. */
export type Clock = () => number;

/** A fresh, unique id at every call. */
export type IdSource = () => string;

/** A number from 0 up to 1. */
export type Random = () => number;

/** Resolves after that long, or as soon as the signal aborts or `isOver` says so; it never rejects. */
export type Wait = (ms: number, signal: AbortSignal, isOver?: () => boolean) => Promise<void>;

/** One request to Claude. Same values, same bytes on the wire: the prompt cache depends on it. */
export interface ModelRequest {
  readonly model: string;
  readonly system: readonly Anthropic.TextBlockParam[];
  readonly tools: readonly ModelTool[];
  readonly messages: readonly Message[];
  readonly maxOutputTokens?: number;
  readonly effort?: Effort;
  /** `off`: for work that needs no thinking. A model that always thinks does so all the same. */
  readonly thinking?: 'off';
  /** Asks where this request differs from the one that this message answered; `null` for the first one. */
  readonly previousMessage?: string | null;
}

/** Where a request first differs from the one before it, as the API compared them; `none`: it only goes on. */
export type PromptChange = 'model' | 'tools' | 'system' | 'messages' | 'none';

/** Ours, or one that the server runs by itself. */
export type ModelTool = Extract<Anthropic.ToolUnion, { readonly name: string }>;

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
  /** Absent when nothing was asked about it, and when the API does not know. */
  readonly promptChange?: PromptChange;
  /** Tool uses whose input did not arrive as complete JSON: their `input` is `{}`, and they must not run. */
  readonly brokenToolUses?: readonly string[];
}

export type ModelEvent =
  | { readonly type: 'text-delta'; readonly text: string }
  | { readonly type: 'thinking-delta'; readonly text: string }
  | { readonly type: 'answer'; readonly answer: ModelAnswer }
  /** Instead of an answer, just before the stream fails or is stopped: what the request took, as far as it is known. */
  | { readonly type: 'spent'; readonly usage: Usage };

/**
 * Claude. `stream` yields deltas as they arrive, then exactly one `answer`, or throws: a ModelError, or what the signal
 * says.
 */
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
