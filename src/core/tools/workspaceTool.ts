import type { FileKnowledge } from './fileKnowledge';
import type { AllowedPlace, PathPolicy } from './paths/pathPolicy';
import type { Tool, ToolOutput } from './tool';
import type { Workspace, WorkspaceChange } from './workspace';

/** A tool of ours: it also knows what the person must see before it runs. */
export interface WorkspaceTool extends Tool {
  /** The name for people, as in `Read File`. */
  readonly title: string;
  /** Free of side effects. Throws ToolError for a call that would fail anyway, so that nobody is asked in vain. */
  prepare(input: unknown, signal: AbortSignal): Promise<Preparation>;
}

/** Gives a tool the type of its input, which has passed `inputSchema` before it comes here. */
export function defineTool<Input>(
  definition: Pick<
    WorkspaceTool,
    'name' | 'title' | 'description' | 'effect' | 'inputSchema' | 'timeoutMs'
  > & {
    prepare(input: Input, signal: AbortSignal): Promise<Preparation>;
    run(input: Input, callId: string, signal: AbortSignal): Promise<ToolOutput>;
  },
): WorkspaceTool {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the schema has been checked, see Tool.run
  const typed = (input: unknown) => input as Input;
  return {
    ...definition,
    prepare: (input, signal) => definition.prepare(typed(input), signal),
    run: ({ id, input }, signal) => definition.run(typed(input), id, signal),
  };
}

export interface Preparation {
  /** What is going on, in a few words of Markdown. */
  readonly progress: string;
  /** Present when the person must agree first. */
  readonly confirmation?: Confirmation;
}

export interface Confirmation {
  readonly title: string;
  /** Markdown in which everything that comes from files or from the model stands as literal code. */
  readonly message: string;
  /** The same without Markdown and in short, for a dialog. */
  readonly summary: string;
  readonly whole?: WholeText;
  /** False for secrets (S4) and for places that run code or change the editor (S5): no "always allow" counts there. */
  readonly mayBeRemembered: boolean;
  /** Equal for two calls exactly when the person would have seen the same: what was approved is what runs (A14). */
  readonly fingerprint: string;
}

/** All that would happen, where the summary shows only a part of it: nobody has to agree to what they cannot see. */
export interface WholeText {
  readonly language: string;
  readonly text: string;
  /** The message has room for all of it. */
  readonly isInMessage: boolean;
}

/** What the workspace tools share. */
export interface ToolContext {
  readonly workspace: Workspace;
  readonly policy: PathPolicy;
  readonly known: FileKnowledge;
  /** Told of every change that was made, with what was there before, so that it can be taken back. */
  readonly onChange: (change: FileChange) => void;
}

/** These places as the files of an output, but for those that look like secrets. */
export function openable(...places: readonly AllowedPlace[]): Pick<ToolOutput, 'files'> {
  return { files: places.filter(({ isSecret }) => !isSecret).map(({ place }) => place) };
}

/** A change that happened. Text is undefined where there was no text to keep (binary, a folder, too large). */
export interface FileChange {
  readonly callId: string;
  readonly change: WorkspaceChange;
  readonly before: string | undefined;
  readonly after: string | undefined;
  /** What `before` was written in, where it is known. */
  readonly encoding: string | undefined;
}
