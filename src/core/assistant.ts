import * as l10n from '@vscode/l10n';
import { createCacheWatch, type CacheFollower } from './agent/cacheMiss';
import { createCachePace, type CachePace } from './agent/cachePace';
import type { AgentEvent } from './agent/events';
import { createExplore, type ScoutOptions } from './agent/explore';
import type { Meter } from './agent/meter';
import { mostForeign, withoutDeferral } from './agent/prompt';
import { endedWith, resumeQuestion } from './agent/question';
import { runTurn, type TurnOptions } from './agent/runTurn';
import type { BudgetLimits, Spending } from './agent/spending';
import { createOverflowSummary, type SummarySettings } from './agent/summarizeTurns';
import { systemPromptVersion } from './agent/systemPrompt';
import { createTurnKeeper, type TurnKeeper } from './agent/turnKeeper';
import { sumOf, TurnModel } from './agent/turnModel';
import type { ConversationHandle, RunningTurnHandle } from './conversation/memory/handle';
import type { ConversationMemory } from './conversation/memory/memory';
import { paramContext } from './conversation/paramContext';
import { createRecall } from './conversation/recall/recall';
import type {
  Conversation,
  ConversationId,
  FinishedTurn,
  StoredTurn,
  TurnId,
  Waiting,
} from './conversation/turn';
import { conversationLine, endLine, failureLine } from './conversation/turnLog';
import { flatHistory, historyOf } from './conversation/view';
import type { Ledger } from './ledger/ledger';
import { createRecorder, type Recorder } from './ledger/recorder';
import { addUsage, noUsage, ownWords, type Message, type Usage } from './messages';
import type { Clock, IdSource, Log } from './ports';
import { tokenCount } from './receipt';
import type { CountedFile } from './tools/guidance/guidance';
import { toldIn } from './tools/guidance/told';
import { createMemoryTools } from './tools/memoryTools';
import type { Note } from './tools/notes/note';
import { chooseNotes, notesSection } from './tools/notes/sentNotes';
import type { Plan } from './tools/plans/plan';
import { planContext } from './tools/plans/planContext';
import type { Plans } from './tools/plans/plans';
import { createWritePlan } from './tools/plans/writePlan';
import { createRecallTool } from './tools/recall';
import type { Tool } from './tools/tool';

/** One message of the person, with all that its turn needs. */
export interface AssistantRequest extends Omit<
  TurnOptions,
  'history' | 'earlier' | 'rememberAs' | 'cachePace' | 'previousMessage'
> {
  readonly conversationId: ConversationId;
  /** Where somebody outside has named this turn already. */
  readonly turnId?: TurnId;
  /** Where the chat panel shows it. */
  readonly shownAt?: { readonly thread: string; readonly position: number };
  /** Neither reads nor writes memory. */
  readonly isStateless?: boolean;
  /** Not the person's own message: it asks them nothing, and answers no question that waits for them. */
  readonly isUnattended?: boolean;
  /** Claude may look into all that was said in this workspace (M27). */
  readonly canRecall?: boolean;
  /** What the user has taken out of the chat that asks: it is not looked into (M13). */
  readonly isRemoved?: (turn: StoredTurn) => boolean;
  /** Names of tools that are switched off. */
  readonly disabledTools?: readonly string[];
  /** Shows how far a plan is that was just written. */
  readonly showPlan?: (plan: Plan, signal: AbortSignal) => Promise<void>;
  /** The team's words in its system prompt and in the message, for the ledger. */
  readonly guidance?: readonly CountedFile[];
  /** Of the workspace, where it is trusted. Whoever neither reads nor writes memory does not get them. */
  readonly notes?: readonly Note[];
  /** What the turn may take, and what the day (L14). */
  readonly budget?: BudgetLimits;
  /** The user has said to go on beyond the budget, once. */
  readonly isBeyondBudget?: boolean;
  /** How to send scouts (L16); without it there are none. */
  readonly scouts?: Pick<ScoutOptions, 'modelId' | 'system' | 'tools'>;
}

/** A turn under way: its id is known from the start, and its events end with `turn-end`. */
export interface AssistantTurn {
  readonly id: TurnId;
  readonly events: AsyncGenerator<AgentEvent, void>;
}

export interface Assistant {
  answer(request: AssistantRequest, signal: AbortSignal): AssistantTurn;
}

/** Joins memory and the tool-use loop: what `turn-end` reports has been saved before it is seen. */
export function createAssistant(options: {
  readonly memory: ConversationMemory;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly log: Log;
  /** Gets a record of every turn, whatever became of it. */
  readonly ledger?: Pick<Ledger, 'add'>;
  /** Without it, nothing is ever summarized. */
  readonly summaries?: SummarySettings;
  readonly plans?: Pick<Plans, 'open' | 'write'>;
  /** Without it nothing is counted and nothing is held back. */
  readonly spending?: Spending;
  /** Gets to know what each turn was sent with. */
  readonly meter?: Pick<Meter, 'note'>;
  /** Shared with whoever forecasts. */
  readonly cachePace?: CachePace;
}): Assistant {
  const { memory, clock, ids, log, cachePace = createCachePace(clock) } = options;
  /** The models of which it is known that they have no tool search here. */
  const withoutSearch = new Set<string>();
  const cacheWatch = createCacheWatch(clock);
  const overflow = options.summaries && createOverflowSummary(options.summaries, log);

  async function* answer(
    given: AssistantRequest,
    id: TurnId,
    signal: AbortSignal,
  ): AsyncGenerator<AgentEvent, void> {
    const model = TurnModel.of(given.model);
    const { budget = noLimits, isBeyondBudget: isBeyond } = given;
    model.guard(options.spending?.gate(budget, { isBeyond }));
    const request = { ...given, model };
    const startedAt = clock();
    const handle = request.isStateless ? undefined : memory.forConversation(request.conversationId);
    // Where a chat thread asks, it has just been compared with what is remembered.
    if (handle && !request.shownAt) await memory.refresh();
    const logged = (what: string) =>
      conversationLine(what, handle ? request.conversationId : 'stateless', handle?.view());
    log.info(`${logged('received')} prompt=${systemPromptVersion}`);
    const turn = { id, startedAt, ...request.shownAt };
    // The message came in time: from here on its conversation does not expire, however long a summary takes.
    const running = handle?.begin(turn);
    // What another window erased up to now is not sent.
    await running?.begun;
    let prepared: PreparedTurn | undefined;
    let rounds = 0;
    try {
      yield* unpricedNotice(request, budget);
      prepared = yield* prepare(request, { turn, handle, running }, signal);
      const { recorder, keeper, summaryUsage } = prepared;
      for await (const turnEvent of runTurn(prepared.options, signal)) {
        if (turnEvent.type === 'turn-end' && signal.aborted)
          await Promise.race([model.idle(), request.wait(sideEndMs, new AbortController().signal)]);
        const event = withSide(
          withUsage(turnEvent, addUsage(summaryUsage, sumOf(model.sideSpending))),
          model,
        );
        if (event.type === 'request-start') rounds = event.round;
        prepared.cache?.follow(event);
        recorder.follow(event);
        await keeper.follow(event);
        if (event.type === 'retry-wait') log.warn(failureLine('retry', event.error));
        if (event.type === 'turn-end') {
          if (event.end.reason === 'failed') {
            log.error(failureLine('failed', event.end.error), event.end.error.cause);
          }
          const took = { rounds, usage: event.usage, durationMs: clock() - startedAt };
          log.info(`${logged('responded')} ${endLine({ end: event.end.reason, ...took })}`);
        }
        yield event;
      }
    } finally {
      // Whoever renders the events may fail or stop asking for them: what was done is kept, and what it took.
      if (prepared) options.ledger?.add(prepared.recorder.record());
      await (prepared ? prepared.keeper.giveUp() : running?.abandon());
    }
  }

  /** A limit in dollars says nothing about a model whose price is not known (L14). */
  async function* unpricedNotice(
    { modelId, scouts }: AssistantRequest,
    { turn, day }: BudgetLimits,
  ): AsyncGenerator<AgentEvent, void> {
    const { spending } = options;
    if (!spending || turn + day === 0) return;
    const models = [...new Set([modelId, ...(scouts ? [scouts.modelId] : [])])];
    const unpriced = models.filter((id) => spending.priceOf(id) === undefined);
    if (unpriced.length === 0) return;
    const { unpricedTokens } = await spending.today();
    const text = l10n.t(
      'The price of {0} is not known, so the budget cannot hold it back. It is counted in tokens: {1} so far today.',
      unpriced.join(', '),
      tokenCount(unpricedTokens),
    );
    yield { type: 'notice', text };
  }

  /** Makes room for the turn, and finds out what it begins with. */
  async function* prepare(
    request: AssistantRequest & { readonly model: TurnModel },
    { turn, handle, running }: BegunTurn,
    signal: AbortSignal,
  ): AsyncGenerator<AgentEvent, PreparedTurn> {
    const canSummarize = handle && overflow && !request.isUnattended;
    const summaryUsage = canSummarize
      ? yield* overflow.run(
          handle,
          request.conversationId,
          { ...request, model: request.model.forSummary() },
          signal,
        )
      : noUsage;
    const waiting = request.isUnattended ? undefined : (handle?.waiting() ?? askedLast(request, handle));
    const view = handle?.view();
    const remembered = view?.conversation;
    const conversation = remembered && waiting ? askingTurnLast(remembered, waiting) : remembered;
    const parts = conversation ? historyOf(conversation) : [];
    const history = flatHistory(parts);
    // Thoughts are bound to all before them, so that they cannot go on after anything else.
    const resumable = waiting && { ...waiting, ...(conversation !== remembered && { sent: [] }) };
    const resumed = resumable && resumeQuestion(history, resumable, request.userContent);
    const answered = resumed && waiting;
    // The turn that asked has left the history, or something else was said since.
    if (waiting && !resumed) await handle?.setWaiting(undefined);
    const own =
      handle && createMemoryTools({ handle, turnId: turn.id, answered, canAsk: !request.isUnattended });
    // What another extension asks is not about the plan of the person.
    const planning = handle && !request.isUnattended ? await planningOf(request, answered) : undefined;
    // Whoever says /plan wants nothing done, also where no plan can be kept.
    const isPlanning = planning?.isPlanning ?? request.isPlanning === true;
    const inSight = new Set(parts.flatMap((part) => part.turn?.id ?? []));
    const recall =
      handle && request.canRecall
        ? [createRecallTool(createRecall(memory, { inSight, isRemoved: request.isRemoved }))]
        : [];
    const explore = request.scouts ? [createExplore({ ...scoutOptions(request), ...request.scouts })] : [];
    const isOn = ({ name }: Tool) => !request.disabledTools?.includes(name);
    const ownTools = [...(own?.tools ?? []), ...(planning?.tools ?? []), ...recall, ...explore].filter(isOn);
    // Tools of other extensions may have the same names.
    const isOther = ({ name }: Tool) => !ownTools.some((tool) => tool.name === name);
    // What has come since the question was asked is offered from the next turn on.
    const isKnown = ({ name }: Tool) => answered?.tools?.includes(name) ?? true;
    const tools = request.tools.filter((tool) => isOther(tool) && isKnown(tool));
    const notes = chooseNotes((handle && request.notes) ?? []);
    const section = notesSection(notes.sent);
    const params = handle?.params() ?? {};
    const plan = planning?.context;
    const context = joined(request.context, plan, paramContext(params));
    // Last of what stays the same from turn to turn: a change costs the cache one write of what follows.
    const system: TurnOptions['system'] =
      section === undefined ? request.system : [...request.system, { type: 'text', text: section }];
    const offered = [...tools, ...ownTools];
    const sentTools = withoutSearch.has(request.modelId) ? withoutDeferral(offered) : offered;
    const { modelId, maxOutputTokens, effort } = request;
    // What neither reads nor writes memory says nothing about the next message of the conversation.
    if (handle && !request.isUnattended)
      options.meter?.note({
        ...{ modelId, maxOutputTokens, effort },
        ...{ system, notes: section, tools: sentTools, plan, context },
      });
    const cache =
      handle &&
      cacheWatch.begin(request.conversationId, {
        ...{ model: modelId, effort, history },
        ...{ instructions: request.system, notes: section, tools: sentTools },
      });
    return {
      summaryUsage,
      ...(cache && { cache }),
      recorder: createRecorder({
        ...(cache && { cacheMiss: () => cache.miss() }),
        turn,
        conversation: handle && request.conversationId,
        model: request.modelId,
        history: parts,
        resumedAt: resumed?.history.length,
        overLimits: view?.evicted.map((evicted) => evicted.turn) ?? [],
        notes,
        guidance: [...(request.guidance ?? []), ...earlierGuidance(history)],
        params,
        context: request.context,
        plan,
        summaryUsage,
        side: () => request.model.sideSpending,
        clock,
      }),
      keeper: createTurnKeeper({
        handle,
        turn: { ...turn, ...(isPlanning && { isPlanning }) },
        running,
        answered: answered && {
          param: answered.param,
          answer: ownWords(request.userContent),
          turns: [...(answered.sentWith ?? []), answered.turnId],
        },
        since: remembered,
        triesOf: (param) => own?.triesOf(param) ?? 1,
        tools: tools.map(({ name }) => name),
        clock,
      }),
      options: {
        ...request,
        system,
        history,
        ...(resumed && { ...resumed, rememberAs: request.userContent }),
        tools: sentTools,
        onToolSearchRefused: () => {
          withoutSearch.add(request.modelId);
          const count = tools.filter(({ deferral }) => deferral).length;
          log.warn(
            `no tool search for ${request.modelId}: of ${count} tools of others, ${mostForeign} at most are sent`,
          );
        },
        ...(context !== undefined && { context }),
        isPlanning,
        cachePace,
        ...(cache && { previousMessage: cache.previousMessage }),
      },
    };
  }

  /** The plan as it goes with this message, and the tool that writes it: the same one in every turn (N1). */
  async function planningOf(request: AssistantRequest, answered: Waiting | undefined) {
    const { plans } = options;
    // A question of /plan goes on with it, unless the plan was started instead of an answer.
    const plan = await plans?.open().catch(() => {
      log.warn('the plan cannot be read');
      return undefined;
    });
    const isAnswered = answered?.isPlanning === true && !((plan?.startedAt ?? 0) > answered.askedAt);
    const isPlanning = request.isPlanning === true || isAnswered;
    const onWritten = request.showPlan ?? (() => Promise.resolve());
    return {
      isPlanning,
      context: planContext(plan, isPlanning),
      tools: plans ? [createWritePlan({ plans, seen: plan, isPlanning, onWritten })] : [],
    };
  }

  return {
    answer(request, signal) {
      const id = request.turnId ?? ids();
      return { id, events: answer(request, id, signal) };
    },
  };
}

/** A turn that its conversation waits for. */
interface BegunTurn {
  readonly turn: Pick<FinishedTurn, 'id' | 'startedAt' | 'thread' | 'position'>;
  /** Absent where memory is neither read nor written. */
  readonly handle: ConversationHandle | undefined;
  readonly running: RunningTurnHandle | undefined;
}

interface PreparedTurn {
  readonly options: TurnOptions;
  readonly recorder: Recorder;
  readonly keeper: TurnKeeper;
  readonly cache?: CacheFollower;
  /** What a summary took that had to be made first. */
  readonly summaryUsage: Usage;
}

/** The summary that was made for a turn, and its side work, are part of what the turn took. */
function withUsage(event: AgentEvent, more: Usage): AgentEvent {
  switch (event.type) {
    case 'round-end':
    case 'question-open':
    case 'turn-end':
      return { ...event, usage: addUsage(event.usage, more) };
    default:
      return event;
  }
}

const noLimits: BudgetLimits = { turn: 0, day: 0 };

/** What is stopped says within this time what it took. The panel gives a stopped turn one second. */
const sideEndMs = 300;

function withSide(event: AgentEvent, { sideSpending }: TurnModel): AgentEvent {
  return event.type === 'turn-end' && sideSpending.length > 0 ? { ...event, side: sideSpending } : event;
}

function scoutOptions({ model, modelId, wait, random }: AssistantRequest & { readonly model: TurnModel }) {
  return { model: model.aside('scouts'), fallbackModelId: modelId, wait, random };
}

/** What the newest turn of the thread asked, where the answer to it was taken back. */
function askedLast(
  { shownAt }: AssistantRequest,
  handle: ConversationHandle | undefined,
): Waiting | undefined {
  const newest = handle?.snapshot()?.turns.at(-1);
  return newest && shownAt && newest.thread === shownAt.thread ? endedWith(newest) : undefined;
}

/**
 * The conversation with the turn that asks at its end. What another extension said meanwhile is shown in no thread and
 * answers nobody: it stands before the question then. As it is when the person has gone on since.
 */
function askingTurnLast(conversation: Conversation, { turnId }: Waiting): Conversation {
  const at = conversation.turns.findIndex(({ id }) => id === turnId);
  const asking = conversation.turns[at];
  const later = conversation.turns.slice(at + 1);
  if (!asking || later.length === 0 || later.some(({ thread }) => thread !== undefined)) return conversation;
  return { ...conversation, turns: [...conversation.turns.slice(0, at), ...later, asking] };
}

/** What was told with results that are still sent. */
function earlierGuidance(history: readonly Message[]): readonly CountedFile[] {
  return toldIn(history).map(({ path, chars }) => ({ kind: 'instructions', path, chars, isEarlier: true }));
}

function joined(...parts: readonly (string | undefined)[]): string | undefined {
  return parts.filter((part) => part?.trim()).join('\n\n') || undefined;
}
