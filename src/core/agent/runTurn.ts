import * as l10n from '@vscode/l10n';
import { closeInterrupted } from '../conversation/interrupt';
import { OverBudget } from '../errors';
import { addUsage, hasResults, noUsage, type ContentBlock, type Message, type Usage } from '../messages';
import type { Model, ModelAnswer, Random, Wait } from '../ports';
import { wordList } from '../text/joined';
import type { Instructions } from '../tools/guidance/instructions';
import { createToldCheck } from '../tools/guidance/told';
import type { OpenQuestion, Tool } from '../tools/tool';
import type { CachePace } from './cachePace';
import { closingSentence } from './describeEnd';
import type { AgentEvent, TurnEnd } from './events';
import { describeRefused, ImageGate } from './imageGate';
import { sentMessages, sentTurn, type ModelSettings, type Prompt } from './prompt';
import { askedEnd, onlyFirstQuestion, withAnswer } from './question';
import { requestAnswer } from './requestAnswer';
import { prepareToolCalls, refusedInPlan, type PreparedCall } from './runToolCall';
import { runTools, toResultBlock, type FinishedCall } from './runTools';
import { sanitizeAnswer } from './sanitizeAnswer';
import { stopAfter } from './stopConditions';
import type { InstructionSource } from './tellInstructions';
import {
  appendAnswer,
  appendNudge,
  appendResults,
  toInput,
  toRemembered,
  type TurnMessage,
} from './turnMessages';

export interface TurnOptions extends ModelSettings {
  readonly model: Model;
  readonly system: Prompt['system'];
  readonly tools: readonly Tool[];
  /** The remembered turns, oldest first, valid for the API. */
  readonly history: readonly Message[];
  /** The turn that asked what `userContent` answers, up to its tool use. It is remembered already. */
  readonly earlier?: readonly Message[];
  readonly userContent: Message['content'];
  /** What is remembered instead of a message that answers a question: a result could not stand without its call. */
  readonly rememberAs?: Message['content'];
  /** Prompt context, such as params: sent with the user's message, never remembered. */
  readonly context?: string;
  readonly maxRounds: number;
  /** What the team wants known of the files that tools touch (T1). */
  readonly instructions?: Pick<Instructions, 'forFiles'>;
  /** A plan is made: nothing with side effects runs (N1). */
  readonly isPlanning?: boolean;
  /**
   * Asks the user in the panel, without a time limit. Undefined when they did not answer there: then the question
   * becomes the answer of this turn.
   */
  readonly askInPlace?:
    | ((question: OpenQuestion, signal: AbortSignal) => Promise<string | undefined>)
    | undefined;
  /** The user has sent another message: finish what runs, then end the turn. */
  readonly yieldRequested: () => boolean;
  /** Shared by all turns. */
  readonly cachePace: CachePace;
  /** The id of the last message that the conversation got; see `requestAnswer.ts`. */
  readonly previousMessage?: () => string | null;
  /** The endpoint has no tool search: its tools are all in sight from here on (L15). */
  readonly onToolSearchRefused?: () => void;
  readonly wait: Wait;
  readonly random: Random;
}

/** How often an answer that hit the output limit, or was paused, may be continued automatically. */
const maxContinuations = 3;

const goOnNudge =
  'Your answer was cut off by the output limit. Go on exactly where it stopped, without repeating anything.';

/** Runs one turn: asks, runs tools, asks again, until Claude has answered or something ends it. */
export async function* runTurn(options: TurnOptions, signal: AbortSignal): AsyncGenerator<AgentEvent, void> {
  const rounds: (readonly FinishedCall[])[] = [];
  const images = new ImageGate();
  const opening = openingMessage(options.userContent, images);
  let prompt = startOfTurn(options, opening.message);
  let usage = noUsage;
  let contextTokens = 0;
  let continuations = 0;
  let continues = false;
  /** Names of the tools of which the user knows that they do not run. */
  const refused = new Set<string>();

  const turnEnd = (end: TurnEnd, messages: readonly Message[]): AgentEvent => ({
    type: 'turn-end',
    end,
    messages,
    usage,
    model: options.modelId,
    contextTokens,
  });
  /** Ends without an answer. `shown` is the text of an incomplete answer. */
  const interrupt = (end: TurnEnd, shown = ''): AgentEvent =>
    turnEnd(end, rememberInterrupted(prompt.turn, end, shown));

  const overBudget = ({ stop }: OverBudget, shown: string): AgentEvent => {
    const end = { reason: 'budget', stop, isHeld: false } as const;
    const messages = rememberInterrupted(prompt.turn, end, shown);
    return turnEnd({ ...end, isHeld: messages.length === 0 }, messages);
  };

  if (opening.refused > 0) yield { type: 'notice', text: describeRefused(opening.refused) };
  for (;;) {
    yield { type: 'request-start', round: rounds.length + 1, continues };
    const outcome = yield* requestAnswer(prompt, options, signal);
    prompt = outcome.state;
    usage = addUsage(usage, outcome.usage);
    if (outcome.type === 'cancelled')
      return yield interrupt({ reason: signal.aborted ? 'cancelled' : 'yielded' }, outcome.shown);
    if (outcome.type === 'failed') {
      if (outcome.error instanceof OverBudget) return yield overBudget(outcome.error, outcome.shown);
      return yield interrupt({ reason: 'failed', error: outcome.error }, outcome.shown);
    }
    const answer = sanitizeAnswer(outcome.answer, sentMessages(prompt));
    contextTokens = tokensOf(answer.usage);

    switch (nextStep(answer)) {
      case 'refuse':
        return yield interrupt({
          reason: 'refused',
          ...(answer.refusal !== undefined && { explanation: answer.refusal }),
        });

      case 'finish': {
        if (!knownStops.has(answer.stopReason)) yield unknownStop(answer);
        const messages = toRemembered(appendAnswer(prompt.turn, withoutCalls(answer)));
        if (messages.at(-1)?.role !== 'assistant') return yield interrupt({ reason: 'empty' });
        return yield turnEnd({ reason: 'answered' }, messages);
      }

      case 'go-on': {
        const content = toInput(answer.content);
        prompt = { ...prompt, turn: appendAnswer(prompt.turn, content) };
        const hasRoom = continuations < maxContinuations && content.some(({ type }) => type === 'text');
        if (!hasRoom) return yield interrupt({ reason: 'output-limit' });
        yield cutOff();
        prompt = { ...prompt, turn: appendNudge(prompt.turn, goOnNudge) };
        continuations++;
        continues = true;
        break;
      }

      case 'resume':
        prompt = { ...prompt, turn: appendAnswer(prompt.turn, withoutCalls(answer, { isPaused: true })) };
        if (continuations === maxContinuations) return yield interrupt({ reason: 'output-limit' });
        continuations++;
        continues = true;
        break;

      case 'use-tools': {
        const calls = prepareToolCalls(answer, prompt.tools, options.isPlanning);
        const instructions = instructionsFor(prompt, options);
        const finished = yield* runTools(calls, { ...options, images, instructions }, signal);
        yield* refusals(calls, refused);
        let round = onlyFirstQuestion(finished);
        const turn = appendAnswer(prompt.turn, toInput(answer.content));
        prompt = { ...prompt, turn: appendResults(turn, round.map(toResultBlock)) };
        yield { type: 'round-end', messages: toRemembered(prompt.turn), usage };
        if (signal.aborted) return yield interrupt({ reason: 'cancelled' });
        // Rounds that were sent as plain text cannot be resumed as they were.
        const asked = askedEnd(round, prompt.flattened > 0 ? [] : sentTurn({ ...prompt, turn }));
        if (asked) {
          const messages = rememberInterrupted(prompt.turn, asked, '');
          if (options.askInPlace) yield { type: 'question-open', end: asked, messages, usage };
          const given = await options.askInPlace?.(asked.question, signal);
          if (given === undefined) return yield turnEnd(asked, messages);
          yield { type: 'question-answered', question: asked.question, answer: given };
          round = withAnswer(round, asked.toolUse, given);
          prompt = { ...prompt, turn: appendResults(turn, round.map(toResultBlock)) };
          yield { type: 'round-end', messages: toRemembered(prompt.turn), usage };
        }
        rounds.push(round);
        const stop = stopAfter(rounds, options.maxRounds);
        if (stop) return yield interrupt(stop);
        if (options.yieldRequested()) return yield interrupt({ reason: 'yielded' });
        if (answer.stopReason === 'max_tokens') {
          if (continuations++ === maxContinuations) return yield interrupt({ reason: 'output-limit' });
          yield cutOff();
        }
        continues = false;
        break;
      }
    }
  }
}

/** By what is really sent: what left the history, or was cut there, is told again. */
function instructionsFor(prompt: Prompt, { instructions }: TurnOptions): InstructionSource | undefined {
  if (!instructions) return undefined;
  const isTold = createToldCheck(
    prompt.history,
    prompt.turn.map(({ message }) => message),
  );
  return { forFiles: instructions.forFiles, isTold };
}

/** What was refused because a plan is made, each tool once: nothing else in the panel shows it. */
function* refusals(calls: readonly PreparedCall[], told: Set<string>): Generator<AgentEvent, void> {
  const refused = calls.filter((one) => one.type === 'settled' && one.output === refusedInPlan);
  const names = [...new Set(refused.map(({ call }) => call.name))].filter((name) => !told.has(name));
  if (names.length === 0) return;
  for (const name of names) told.add(name);
  const text = l10n.t('Not run, since nothing with side effects runs in a plan: {0}.', wordList(names));
  yield { type: 'notice', text };
}

type Step = 'refuse' | 'finish' | 'go-on' | 'resume' | 'use-tools';

function nextStep(answer: ModelAnswer): Step {
  const usesTools = answer.content.some(({ type }) => type === 'tool_use');
  switch (answer.stopReason) {
    case 'refusal':
      return 'refuse';
    case 'pause_turn':
      return 'resume';
    case 'tool_use':
      return usesTools ? 'use-tools' : 'finish';
    case 'max_tokens':
      // The calls are answered but not run, so that Claude learns that its input was too long.
      return usesTools ? 'use-tools' : 'go-on';
    default:
      return 'finish';
  }
}

/** Tools may run on `tool_use` only, so a use in any other answer would stay unanswered: it is left out. */
function withoutCalls(
  { content }: ModelAnswer,
  how: { readonly isPaused?: boolean } = {},
): readonly ContentBlock[] {
  return toInput(content, how).filter(({ type }) => type !== 'tool_use');
}

const knownStops: ReadonlySet<string | null> = new Set(['end_turn', 'stop_sequence', 'tool_use']);

function unknownStop({ stopReason }: ModelAnswer): AgentEvent {
  const text = l10n.t(
    'Claude stopped here for a reason this version does not know ({0}).',
    stopReason ?? '–',
  );
  return { type: 'notice', text };
}

function cutOff(): AgentEvent {
  return { type: 'notice', text: l10n.t('The answer reached the output limit; Claude goes on.') };
}

function openingMessage(
  content: Message['content'],
  images: ImageGate,
): { message: Message; refused: number } {
  if (typeof content === 'string') return { message: { role: 'user', content }, refused: 0 };
  const admitted = images.admitAll(content);
  return { message: { role: 'user', content: admitted.content }, refused: admitted.refused };
}

function startOfTurn(options: TurnOptions, message: Message): Prompt {
  const { system, tools, history, earlier = [], context, rememberAs } = options;
  // Thinking is bound to its model and to all before it, so none from a history could be sent back.
  const remembered = toRemembered(history.map((entry) => ({ message: entry })));
  const opening = {
    message,
    ...(rememberAs !== undefined && { remembered: { role: 'user', content: rememberAs } as const }),
  };
  const turn = [...earlier.map((entry) => ({ message: entry, isEarlier: true }) as const), opening];
  return { system, tools, history: remembered, context, turn, flattened: 0 };
}

/**
 * What to keep of a turn without an answer. A failure before any tool round leaves nothing (M7), even if some text was
 * shown: the user will send it again. Text that the user stopped, or that hit a limit, is kept (F1); that of a
 * refusal is not. A message that another one has followed is kept in any case: nobody sends it again (L6).
 */
function rememberInterrupted(turn: readonly TurnMessage[], end: TurnEnd, shown: string): Message[] {
  const own = turn.filter(({ isEarlier }) => !isEarlier);
  const hasRound = own.slice(1).some(({ message }) => message.role === 'user' && hasResults(message));
  const isFollowed = end.reason === 'yielded';
  const keepsText = textKeepers.has(end.reason);
  const seen = shown.trim() === '' ? turn : appendAnswer(turn, [{ type: 'text', text: shown }]);
  const messages = toRemembered(seen);
  if (!hasRound && !isFollowed && !(keepsText && messages.length > 1)) return [];
  return closeInterrupted(messages, closingSentence(end));
}

const textKeepers: ReadonlySet<TurnEnd['reason']> = new Set(['cancelled', 'output-limit', 'budget']);

function tokensOf(usage: Usage): number {
  return usage.input + usage.cacheRead + usage.cacheWrite + usage.output;
}
