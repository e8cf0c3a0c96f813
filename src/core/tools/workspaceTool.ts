import { ToolError } from '../errors';
import type { Model } from '../ports';
import type { ChangeRecorder } from './changes/changes';
import { inputProblem } from './checkInput';
import type { FileKnowledge } from './fileKnowledge';
import type { Guidance } from './guidance/guidance';
import type { Notes } from './notes/notes';
import type { AllowedPlace, PathPolicy } from './paths/pathPolicy';
import type { Touched } from './permissions';
import type { Tool, ToolOutput } from './tool';
import type { Web } from './web/web';
import type { Workspace } from './workspace';

/** One of our own tools: it also knows what the person must see before it runs. */
export interface WorkspaceTool extends Tool {
  /** The name for people, as in `Read File`. */
  readonly title: string;
  /** What it does to the files that its input names. */
  readonly files?: { readonly use: 'reads' | 'changes'; readonly inputs: readonly string[] };
  /** Free of side effects. Throws ToolError for a call that would fail anyway, so that nobody is asked in vain. */
  prepare(input: unknown, signal: AbortSignal, turn?: CallingTurn): Promise<Preparation>;
}

/** One of our own tools, before it is given a workspace. */
export interface ToolDefinition<Input = unknown> extends Omit<
  WorkspaceTool,
  'prepare' | 'run' | 'checksInput' | 'title'
> {
  /** A function, because the person's language is not known yet when this is loaded. */
  readonly title: () => string;
  prepare(input: Input, context: ToolContext, signal: AbortSignal): Promise<Preparation>;
}

/** Gives a tool the type of its input, which is checked before it comes here. */
export function defineTool<Input>(definition: ToolDefinition<Input>): ToolDefinition {
  return {
    ...definition,
    async prepare(input, context, signal) {
      const problem = inputProblem(input, definition);
      if (problem !== undefined) throw new ToolError(problem);
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it has just passed the schema
      return definition.prepare(input as Input, context, signal);
    },
  };
}

export interface Preparation {
  /** What is going on, in a few words of Markdown. */
  readonly progress: string;
  /** Present when the person must agree first. */
  readonly confirmation?: Confirmation;
  /** The file that `run` changes, where it was before and where it is then: new problems there follow the result (L13). */
  readonly changes?: { readonly from: AllowedPlace; readonly to: AllowedPlace };
  /** Where it reads or changes something, for the rules about places (R2); absent where that is not known beforehand. */
  readonly touches?: Touched;
  /** Does what was prepared, and nothing else. */
  run(caller: Caller, signal: AbortSignal): Promise<ToolOutput>;
}

/** A turn of ours that makes a call. */
export interface CallingTurn {
  readonly id: string;
  /** The person's own words, without what they attached. */
  readonly words: string;
  /** What was read in it up to now. */
  readonly read: () => readonly string[];
  /** What the web is asked by: it counts for this turn. */
  readonly web?: { readonly model: Model; readonly modelId: string };
}

/** Whose call it is. */
export interface Caller {
  readonly callId: string;
  /** Undefined for calls of other chats. */
  readonly turnId: string | undefined;
}

export interface Confirmation {
  readonly title: string;
  /** Markdown in which everything that comes from files or from the model stands as literal code. */
  readonly message: string;
  /** The same without Markdown and in short, for a dialog. */
  readonly summary: string;
  readonly whole?: WholeText;
  /** False for secrets (S4) and for places that run code or change the editor (S5): no "always allow" counts there. */
  readonly canBeAutoApproved: boolean;
  /** A rule may spare it, and nothing else: VS Code's card would offer to remember the answer for all that comes later. */
  readonly isAskedEachTime?: true;
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
  /** Every change goes through it, so that it can be judged and undone. */
  readonly changes: ChangeRecorder;
  readonly notes: Pick<Notes, 'list' | 'add'>;
  readonly web: Web;
  readonly guidance: Pick<Guidance, 'skills'>;
  /** Undefined for calls of other chats. */
  readonly turn?: CallingTurn | undefined;
}

/** These places as the files of an output, but for those that look like secrets. */
export function openable(...places: readonly AllowedPlace[]): Pick<ToolOutput, 'files'> {
  return { files: places.filter(({ isSecret }) => !isSecret).map(({ place }) => place) };
}

/** A call about these places and no others. */
export function touching(...places: readonly AllowedPlace[]): Touched {
  return { places: places.map(({ spellings }) => spellings), isAll: true };
}

/** The same for a call that may name a place, and says what is wrong with it when it runs. */
export async function touchingNamed(
  path: string | undefined,
  { policy }: Pick<ToolContext, 'policy'>,
  signal: AbortSignal,
): Promise<Pick<Preparation, 'touches'>> {
  const place = path === undefined ? undefined : await unlessRefused(policy.forReading(path, signal));
  return place ? { touches: touching(place) } : {};
}

/** Undefined where a tool would have refused. */
export async function unlessRefused<T>(attempt: Promise<T>): Promise<T | undefined> {
  try {
    return await attempt;
  } catch (error) {
    if (error instanceof ToolError) return undefined;
    throw error;
  }
}
