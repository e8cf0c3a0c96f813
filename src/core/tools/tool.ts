import type { ImageBlock, TextBlock } from '../messages';
import type { CountedFile } from './guidance/guidance';
import type { Allowed } from './permissions';
import type { WebSource } from './web/web';
import type { Place } from './workspace';

/** The JSON schema of a tool's input, as the API takes it. */
export interface InputSchema {
  readonly type: 'object';
  readonly properties?: Readonly<Record<string, unknown>>;
  readonly required?: readonly string[];
  readonly [keyword: string]: unknown;
}

export interface ToolOutput {
  readonly content: string | readonly (TextBlock | ImageBlock)[];
  /** The call did not do what was asked, for example because the person said no. */
  readonly isError?: boolean;
  /** What it read or changed, for the person to open; never what looks like a secret. */
  readonly files?: readonly Place[];
  /** Pages of the web that it rests on, for the person to open. */
  readonly sources?: readonly WebSource[];
  /** Words of the team that it brought, for the ledger (T5). */
  readonly guidance?: readonly CountedFile[];
  /** Why it ran without a question that there would have been (R4). `isShown`: the line of the call says so already. */
  readonly unasked?: { readonly because: Allowed; readonly isShown: boolean };
  /** Ends the turn with this question. The person's next message is the result; `content` stands in for it until then. */
  readonly question?: OpenQuestion;
  /**
   * What the call led to, which shows only a little later. The loop asks once all calls of a round have run, so that
   * they wait together; it resolves at once when the signal aborts.
   */
  readonly aftermath?: (signal: AbortSignal) => Promise<Aftermath | undefined>;
}

export interface Aftermath {
  /** Goes below the result. */
  readonly content: string;
  /** The same for the person, in one line. */
  readonly notice: string;
}

/** A value that only the person knows. */
export interface OpenQuestion {
  readonly param: string;
  readonly question: string;
  readonly options?: readonly string[];
}

export interface ToolCall {
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
}

/** Says what a long call is about right now, as Markdown for people. */
export type ReportProgress = (what: string) => void;

/** What Claude can call. Whatever goes wrong inside becomes a result that the model can read. */
export interface Tool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: InputSchema;
  /** Calls that only read run side by side; those that write run one after another, in the order asked. */
  readonly effect: 'reads' | 'writes';
  /** It writes, but nothing outside of the chat and what is remembered of it: it also runs while a plan is made (N1). */
  readonly staysInChat?: true;
  /** One of many of others (L15): Claude finds it by a search instead of having it in sight from the start. */
  readonly deferral?: 'attached' | 'other';
  /** `run` checks the input by itself, so that nobody has to do it before. */
  readonly checksInput?: true;
  /** After this long a call is aborted. Without it there is no limit: the person may take their time to confirm. */
  readonly timeoutMs?: number;
  /** What a call is about, for people, where VS Code does not show it by itself. */
  progress?(input: unknown): string;
  /**
   * `call.input` is an object, and has passed `inputSchema` unless `checksInput`. Throws ToolError to tell the model what
   * to try instead.
   */
  run(call: ToolCall, signal: AbortSignal, report?: ReportProgress): Promise<ToolOutput>;
}
