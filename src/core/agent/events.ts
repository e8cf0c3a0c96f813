import type { BudgetStop, ModelError } from '../errors';
import type { Message, ToolResultBlock, ToolUseBlock, Usage } from '../messages';
import type { ModelAnswer } from '../ports';
import type { CountedFile } from '../tools/guidance/guidance';
import type { OpenQuestion, ToolCall, ToolOutput } from '../tools/tool';
import type { PromptSizes } from './promptSizes';
import type { SideSpending } from './turnModel';

/** Why a turn ended. All but `answered` leave an interrupted turn or none. */
export type TurnEnd =
  | { readonly reason: 'answered' }
  /** The turn ends with a question. `toolUse` waits for the user's next message; `results` are those of its siblings. */
  | {
      readonly reason: 'asked';
      readonly question: OpenQuestion;
      readonly toolUse: ToolUseBlock;
      readonly results: readonly ToolResultBlock[];
      /** The turn as it was sent, thinking included, up to the tool use: what Claude needs to continue after the answer. */
      readonly sent: readonly Message[];
    }
  | { readonly reason: 'cancelled' }
  | { readonly reason: 'yielded' }
  | { readonly reason: 'round-limit'; readonly rounds: number }
  | { readonly reason: 'loop'; readonly tool: string }
  | { readonly reason: 'output-limit' }
  /** The next request would have passed a limit. `isHeld`: nothing came of the turn, and nothing is kept of it. */
  | { readonly reason: 'budget'; readonly stop: BudgetStop; readonly isHeld: boolean }
  | { readonly reason: 'refused'; readonly explanation?: string }
  | { readonly reason: 'empty' }
  | { readonly reason: 'failed'; readonly error: ModelError };

/** All that happens in a turn. Rendering, saving and logging follow it event by event. */
export type AgentEvent =
  /** Older turns are being summarized, before Claude is asked. */
  | { readonly type: 'summary-start'; readonly turns: number }
  /** `continues`: the text that follows goes on in mid-sentence; otherwise a new paragraph starts. */
  | { readonly type: 'request-start'; readonly round: number; readonly continues: boolean }
  /**
   * One attempt of a request is over, answered or not: the sizes of what was sent and of what came back, and what the
   * API reported for it.
   */
  | {
      readonly type: 'request-end';
      readonly sizes: PromptSizes;
      readonly answerSize: number;
      readonly usage: Usage;
      /** The message that answered it, and where the API says that the request differs from the one before. */
      readonly message?: Pick<ModelAnswer, 'id' | 'promptChange'>;
    }
  | { readonly type: 'text-delta'; readonly text: string }
  | { readonly type: 'thinking-delta'; readonly text: string }
  | {
      readonly type: 'retry-wait';
      /** Text of the answer is on screen; if the wait is long, a notice has said so. */
      readonly isMidText: boolean;
      readonly error: ModelError;
      readonly delayMs: number;
      readonly attempt: number;
    }
  /** Said to the user in the answer. `droppedTurns`: how many of the oldest turns were left out of the request. */
  | { readonly type: 'notice'; readonly text: string; readonly droppedTurns?: number }
  | { readonly type: 'tool-start'; readonly call: ToolCall; readonly progress?: string }
  /** What a call that takes long is about right now, as Markdown. */
  | { readonly type: 'tool-progress'; readonly call: ToolCall; readonly text: string }
  | { readonly type: 'tool-end'; readonly call: ToolCall; readonly output: ToolOutput }
  /** Instructions of folders that a tool has touched go with its result (T1). */
  | { readonly type: 'instructions-told'; readonly files: readonly CountedFile[] }
  /**
   * The user is about to be asked in the panel. If the window dies with the question open, the turn ended like this;
   * `messages` is what to keep of it then.
   */
  | {
      readonly type: 'question-open';
      readonly end: Extract<TurnEnd, { readonly reason: 'asked' }>;
      readonly messages: readonly Message[];
      readonly usage: Usage;
    }
  /** The user answered in the panel, and the turn continues. */
  | { readonly type: 'question-answered'; readonly question: OpenQuestion; readonly answer: string }
  /** A tool round is complete: `messages` is the turn so far, valid as it is. */
  | { readonly type: 'round-end'; readonly messages: readonly Message[]; readonly usage: Usage }
  /** The last event. `messages` is what to keep of the turn, valid as it is; empty when nothing is worth keeping. */
  | {
      readonly type: 'turn-end';
      readonly end: TurnEnd;
      readonly messages: readonly Message[];
      readonly usage: Usage;
      readonly model: string;
      /** What the last request of the turn took of the model's window, its answer included; 0 when none was answered. */
      readonly contextTokens: number;
      /** How much of `usage` was side work: of scouts, and of the web. */
      readonly side?: readonly SideSpending[];
    };
