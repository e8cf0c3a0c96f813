import { createCacheWatch, type CacheFollower } from './agent/cacheMiss';
import { createCachePace, type CachePace } from './agent/cachePace';
import type { AgentEvent } from './agent/events';
import type { ScoutOptions } from './agent/explore';
import type { Meter } from './agent/meter';
import { offerTools, type ToolChoice } from './agent/offerTools';
import { mostForeign, withoutDeferral } from './agent/prompt';
import { runTurn, type TurnOptions } from './agent/runTurn';
import type { BudgetLimits, Spending } from './agent/spending';
import { createOverflowSummary, type SummarySettings } from './agent/summarizeTurns';
import { systemPromptVersion } from './agent/systemPrompt';
import { takeUp } from './agent/takeUp';
import { createTurnKeeper, type TurnKeeper } from './agent/turnKeeper';
import { sumOf, TurnModel } from './agent/turnModel';
import { unpricedNotice } from './agent/unpricedNotice';
import type { ConversationHandle, RunningTurnHandle } from './conversation/memory/handle';
import type { ConversationMemory } from './conversation/memory/memory';
import { paramContext } from './conversation/paramContext';
import type { ConversationId, FinishedTurn, TurnId, Waiting } from './conversation/turn';
import { conversationLine, endLine, failureLine } from './conversation/turnLog';
import type { Ledger } from './ledger/ledger';
import { createRecorder, type Recorder } from './ledger/recorder';
import { addUsage, noUsage, ownWords, type Message, type Usage } from './messages';
import type { Clock, IdSource, Log } from './ports';
import type { CountedFile } from './tools/guidance/guidance';
import { toldIn } from './tools/guidance/told';
import type { Note } from './tools/notes/note';
import { chooseNotes, notesSection } from './tools/notes/sentNotes';
import type { Plan } from './tools/plans/plan';
import { planContext } from './tools/plans/planContext';
import type { Plans } from './tools/plans/plans';
import { createWritePlan } from './tools/plans/writePlan';

/** One message of the person, with all that its turn needs. */
export interface AssistantRequest
  extends
    Omit<TurnOptions, 'history' | 'earlier' | 'rememberAs' | 'cachePace' | 'previousMessage'>,
    ToolChoice {
  readonly conversationId: ConversationId;
  /** Where somebody outside has named this turn already. */
  readonly turnId?: TurnId;
  /** Where the chat panel shows it. */
  readonly shownAt?: { readonly thread: string; readonly position: number };
  /** Neither reads nor writes memory. */
  readonly isStateless?: boolean;
  /** Not the person's own message: it asks them nothing, and answers no question that waits for them. */
  readonly isUnattended?: boolean;
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
      const models = [request.modelId, ...(request.scouts ? [request.scouts.modelId] : [])];
      const notice = await unpricedNotice(options.spending, budget, models);
      if (notice !== undefined) yield { type: 'notice', text: notice };
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

  /** Makes room for the turn, and finds out what it begins with. */
  async function* prepare(
    request: AssistantRequest & { readonly model: TurnModel },
    { turn, handle, running }: BegunTurn,
    signal: AbortSignal,
  ): AsyncGenerator<AgentEvent, PreparedTurn> {
    const canSummarize = handle && overflow && !request.isUnattended;
    const summarizing = canSummarize
      ? yield* overflow.run(
          handle,
          request.conversationId,
          { ...request, model: request.model.forSummary() },
          signal,
        )
      : undefined;
    // That may have taken a minute: what another window erased meanwhile is not sent.
    if (summarizing) await memory.refresh();
    const summaryUsage = summarizing ?? noUsage;
    const taken = await takeUp(handle, request);
    const { view, parts, history, resumed, answered } = taken;
    // What another extension asks is not about the plan of the person.
    const planning = handle && !request.isUnattended ? await planningOf(request, answered) : undefined;
    // Whoever says /plan wants nothing done, also where no plan can be kept.
    const isPlanning = planning?.isPlanning ?? request.isPlanning === true;
    const offered = offerTools(request, {
      ...{ id: turn.id, memory, handle, taken },
      planTools: planning?.tools ?? [],
      scouts: request.scouts && { ...scoutOptions(request), ...request.scouts },
    });
    const notes = chooseNotes((handle && request.notes) ?? []);
    const section = notesSection(notes.sent);
    const params = handle?.params() ?? {};
    const plan = planning?.context;
    const context = joined(request.context, plan, paramContext(params));
    // Last of what stays the same from turn to turn: a change costs the cache one write of what follows.
    const system: TurnOptions['system'] =
      section === undefined ? request.system : [...request.system, { type: 'text', text: section }];
    const sentTools = withoutSearch.has(request.modelId) ? withoutDeferral(offered.all) : offered.all;
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
        ...{ turn: turn.id, model: modelId, effort, history },
        inSight: new Set(parts.flatMap((part) => part.turn?.id ?? [])),
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
        since: view?.conversation,
        triesOf: offered.triesOf,
        tools: offered.given.map(({ name }) => name),
        modelId: request.modelId,
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
          const count = offered.given.filter(({ deferral }) => deferral).length;
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

/** What was told with results that are still sent. */
function earlierGuidance(history: readonly Message[]): readonly CountedFile[] {
  return toldIn(history).map(({ path, chars }) => ({ kind: 'instructions', path, chars, isEarlier: true }));
}

function joined(...parts: readonly (string | undefined)[]): string | undefined {
  return parts.filter((part) => part?.trim()).join('\n\n') || undefined;
}
