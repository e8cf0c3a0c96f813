import { closeInterrupted } from '../conversation/interrupt';
import type { ConversationHandle, RunningTurnHandle } from '../conversation/memory/handle';
import { isValue } from '../conversation/paramContext';
import { sanitizeMessage } from '../conversation/sanitizeMessage';
import type { Conversation, FinishedTurn, TurnId, Waiting } from '../conversation/turn';
import { ToolError } from '../errors';
import { blocksOf, type Message, type ToolResultBlock, withContent } from '../messages';
import type { Clock } from '../ports';
import { jsonBytes } from '../text/json';
import type { AgentEvent, TurnEnd } from './events';
import { TurnMeter } from './turnMeter';

type AskedEnd = Extract<TurnEnd, { readonly reason: 'asked' }>;
type TurnEndEvent = Extract<AgentEvent, { readonly type: 'turn-end' }>;

export interface TurnKeeper {
  /** To be awaited before anybody else sees the event: what it shows is safe by then. */
  follow(event: AgentEvent): Promise<void>;
  /** Saves what was done of a turn that nobody follows to its end. */
  giveUp(): Promise<void>;
}

/** Keeps a turn safe while it runs, saves what is worth keeping of it, once, and keeps the question that it leaves open. */
export function createTurnKeeper(options: {
  readonly handle: ConversationHandle | undefined;
  readonly turn: Pick<FinishedTurn, 'id' | 'startedAt' | 'thread' | 'position' | 'isPlanning'>;
  /** It has begun already. */
  readonly running: RunningTurnHandle | undefined;
  /** The question that this turn answers, the answer, and the turns that led to it. */
  readonly answered?:
    | { readonly param: string; readonly answer: string; readonly turns: readonly TurnId[] }
    | undefined;
  /** What was remembered when it began. */
  readonly since: Conversation | undefined;
  readonly triesOf: (param: string) => number;
  /** Names of the tools that the turn was given. */
  readonly tools: readonly string[];
  readonly modelId: string;
  readonly clock: Clock;
}): TurnKeeper {
  const { handle, turn, clock } = options;
  const meter = new TurnMeter();
  let { running } = options;
  let recorded: readonly Message[] = [];
  let isDone = false;
  /** The answer to a question, until it is known that Claude has it. */
  let answered: { readonly param: string; readonly answer: string } | undefined = options.answered;
  /** The stored question is answered once the turn that answers it is. */
  let isQuestionStored = answered !== undefined;

  /** At the first sign that Claude has the answer, so that what Claude makes of it comes later and holds. */
  async function joinParams(): Promise<void> {
    const value = answered;
    answered = undefined;
    if (!value || !isValue(value.answer)) return;
    try {
      await handle?.merge({ [value.param]: value.answer }, turn.id);
    } catch (error) {
      // So much is remembered that this does not fit. Claude has the answer all the same.
      if (!(error instanceof ToolError)) throw error;
    }
  }

  async function endQuestion(): Promise<void> {
    if (isQuestionStored) await handle?.setWaiting(undefined);
    isQuestionStored = false;
  }

  async function keepQuestion({ question, toolUse, results, sent }: AskedEnd): Promise<void> {
    const waiting: Waiting = {
      ...question,
      turnId: turn.id,
      askedAt: clock(),
      tries: options.triesOf(question.param),
      toolUse,
      results: keptResults(results),
      ...(isSmall(sent) && {
        sent: sent.map((message) => withContent(message, blocksOf(message))),
        model: options.modelId,
        tools: options.tools,
        ...(options.answered && { sentWith: options.answered.turns }),
      }),
      ...(turn.isPlanning && { isPlanning: true }),
    };
    await handle?.setWaiting(waiting, options.since);
    isQuestionStored = true;
  }

  async function save(
    outcome: FinishedTurn['outcome'],
    messages: readonly Message[],
    about: Pick<FinishedTurn, 'usage' | 'model'> = {},
  ): Promise<void> {
    const tokens = meter.tokensOf(messages);
    const size = tokens === undefined ? {} : { tokens };
    await handle?.saveTurn({ ...turn, endedAt: clock(), outcome, messages, ...about, ...size });
  }

  async function finish({ end, messages, usage, model }: TurnEndEvent): Promise<void> {
    isDone = true;
    if (messages.length === 0) return running?.abandon();
    await joinParams();
    await save(end.reason === 'answered' ? 'finished' : 'interrupted', messages, { usage, model });
    if (end.reason === 'asked') await keepQuestion(end);
    else await endQuestion();
  }

  return {
    async follow(event) {
      meter.follow(event);
      switch (event.type) {
        case 'tool-start':
          return joinParams();
        case 'round-end':
          recorded = event.messages;
          await running?.record(event.messages);
          return endQuestion();
        case 'question-open':
          // As if the turn ended here: the window may not live to see the answer.
          await save('interrupted', event.messages, { usage: event.usage });
          await keepQuestion(event.end);
          // It goes on: a card may stay open for longer than conversations last.
          running = handle?.begin(turn);
          return undefined;
        case 'question-answered':
          answered = { param: event.question.param, answer: event.answer };
          return joinParams();
        case 'turn-end':
          return finish(event);
        default:
          return undefined;
      }
    },

    async giveUp() {
      if (isDone) return;
      isDone = true;
      if (recorded.length === 0) return running?.abandon();
      await save('interrupted', closeInterrupted(recorded, '[Interrupted before this was finished.]'));
    },
  };
}

/** Of the 256 KiB that all memory may take. */
const maxResultBytes = 32 * 1024;
const maxSentBytes = 32 * 1024;

/** As they may be remembered (M5). Long ones stay out: the turn that asked has them, too. */
function keptResults(results: readonly ToolResultBlock[]): readonly ToolResultBlock[] {
  const message = sanitizeMessage({ role: 'user', content: results });
  const kept = message ? blocksOf(message).filter((block) => block.type === 'tool_result') : [];
  return jsonBytes(kept) <= maxResultBytes ? kept : [];
}

/** Images are not kept, and without them the rest would not be what was sent. */
function isSmall(sent: readonly Message[]): boolean {
  const hasMedia = sent.some((message) =>
    blocksOf(message).some(
      (block) =>
        isMedia(block) ||
        (block.type === 'tool_result' && typeof block.content === 'object' && block.content.some(isMedia)),
    ),
  );
  return sent.length > 0 && !hasMedia && jsonBytes(sent) <= maxSentBytes;
}

function isMedia({ type }: { readonly type: string }): boolean {
  return type === 'image' || type === 'document';
}
