import { ToolError } from '../errors';
import { jsonBytes, wellFormed } from '../json';
import type { Message } from '../messages';
import type { Clock } from '../ports';
import { acceptableMessage } from './acceptable';
import type { DurableFacts } from './durableFacts';
import { factsOf, factsOfEnd, summaryGone, turnGone, type Fact, type Facts } from './facts';
import { factsOfFold, factsOfUnfold, foldOf, type Fold } from './folding';
import { leavingTurns, notInFuture, type MemoryLimits } from './retention';
import { repairedMessages, transcriptOf } from './transcript';
import type {
  Conversation,
  ConversationId,
  FinishedTurn,
  LeaveReason,
  Params,
  StoredTurn,
  Summary,
  TurnId,
  Waiting,
} from './turn';

/** Params stay in every request and in the stored state: enough for facts, too little for files. */
export const maxParamBytes = 16 * 1024;

/** One conversation. All that is remembered of it goes through here. */
export interface ConversationHandle {
  /** Flat, oldest first, ready to stand before the person's next message. */
  history(): Message[];
  /** All that reaches the model now, as it is stored; nothing for an unknown or ended conversation. */
  snapshot(): Conversation | undefined;
  saveTurn(turn: FinishedTurn): Promise<void>;
  /** Makes a turn that is about to run safe against a crash. It ends with `saveTurn` of the same id, or `abandon`. */
  begin(turn: BeginningTurn): RunningTurnHandle;
  params(): Params;
  merge(params: Params, turnId?: TurnId): Promise<void>;
  waiting(): Waiting | undefined;
  setWaiting(waiting: Waiting | undefined): Promise<void>;
  /** Keeps this many turns at most; 0 is no cap. */
  prune(maxTurns: number): Promise<void>;
  /** Removes these for good. */
  forget(what: { readonly turns?: readonly TurnId[]; readonly params?: readonly string[] }): Promise<void>;
  setPinned(turn: TurnId, isPinned: boolean): Promise<void>;
  /** Takes these turns back, with the values they remembered and the question they asked. Returns all as it was. */
  cut(turns: readonly TurnId[]): Promise<Conversation | undefined>;
  /** The turns over cap or budget that wait to be folded into the summary: they no longer reach the model. */
  leaving(): readonly StoredTurn[];
  /**
   * Puts this text, which says what these turns and the summary `from` said, in their place. Does nothing and returns
   * nothing when one of them has changed or gone meanwhile: what was forgotten must not come back in other words.
   */
  fold(text: string, turns: readonly TurnId[], from?: Summary): Promise<Fold | undefined>;
  /** Takes a fold back, and says whether it did: not when something was asked or the summary was changed since. */
  unfold(fold: Fold): Promise<boolean>;
  /** Lets turns go that could not be folded. */
  drop(turns: readonly TurnId[]): Promise<void>;
  /** The person's own words for what was before; nothing removes the summary. */
  setSummary(text: string | undefined): Promise<void>;
  /** Erases all and returns it, so that `restore` can undo it. */
  clear(): Promise<Conversation | undefined>;
  /** Ends it, for what is in the archive by now. Returns what it was. */
  leave(): Promise<Conversation | undefined>;
  /** Brings turns, params and the pending question back, beside what is there now. */
  restore(conversation: Conversation): Promise<void>;
}

interface BeginningTurn {
  readonly id: TurnId;
  readonly startedAt: number;
  readonly thread?: string;
}

interface RunningTurnHandle {
  /** The turn so far, after each round: if VS Code dies now, this much is found again. */
  record(messages: readonly Message[]): Promise<void>;
  /** The turn left nothing worth keeping. */
  abandon(): Promise<void>;
}

export function createHandle(options: {
  readonly id: ConversationId;
  readonly durable: DurableFacts;
  readonly clock: Clock;
  readonly settings: () => MemoryLimits;
  readonly activationId: string;
}): ConversationHandle {
  const { id, durable, clock, settings } = options;
  const stored = () => durable.facts.conversations.get(id);
  const storedTurn = (turnId: TurnId) => stored()?.turns.find((turn) => turn.id === turnId);

  function snapshot(): Conversation | undefined {
    const found = stored();
    if (!found) return undefined;
    const conversation = notInFuture(found, clock());
    if (conversation !== found) durable.facts.touch(id, conversation.lastActive);
    const over = new Set(leavingTurns(conversation, settings()).map(({ turn }) => turn));
    const hasExpired = durable.hasExpired(conversation);
    if (hasExpired || (over.size > 0 && settings().whenFull === 'drop')) durable.tidySoon();
    if (hasExpired) return undefined;
    if (over.size === 0) return conversation;
    return { ...conversation, turns: conversation.turns.filter((turn) => !over.has(turn)) };
  }

  /** Nothing that is done now brings back a conversation that has ended. */
  async function change(build: (facts: Facts) => readonly Fact[], reason?: LeaveReason): Promise<void> {
    await durable.load();
    const conversation = stored();
    if (conversation && durable.hasExpired(conversation)) await durable.refresh();
    await durable.commit(build, reason);
  }

  async function end(reason: LeaveReason): Promise<Conversation | undefined> {
    let ended: Conversation | undefined;
    await durable.erase(() => {
      ended = stored();
      return ended ? factsOfEnd(ended, 1) : [];
    }, reason);
    return ended;
  }

  const goneFacts = (turns: readonly TurnId[]) =>
    stored()
      ?.turns.filter((turn) => turns.includes(turn.id))
      .map((turn) => turnGone(id, turn, 0)) ?? [];

  function params(): Params {
    const entries = Object.entries(snapshot()?.params ?? {});
    return Object.fromEntries(entries.map(([name, { value }]) => [name, value]));
  }

  /** `startedAt`, unless the clock stands still or was set back: the newest turn stays the newest. */
  function orderOf(turn: { readonly id: TurnId; readonly startedAt: number }): number {
    const known = storedTurn(turn.id)?.order ?? durable.begun(turn.id)?.order;
    if (known !== undefined) return known;
    const last = stored()?.turns.at(-1)?.order ?? 0;
    return clock() <= last ? last + 1 : turn.startedAt;
  }

  return {
    history() {
      const { turns = [], summary } = snapshot() ?? {};
      return transcriptOf(turns, summary);
    },
    snapshot,

    async saveTurn(turn) {
      const messages = repairedMessages(turn.messages);
      if (messages.length > 0) {
        await change((facts) => {
          const kept: StoredTurn = {
            ...plainTurn(turn),
            messages,
            order: orderOf(turn),
            revision: facts.nextTurnRevision(id, turn.id),
            activation: options.activationId,
            ...(storedTurn(turn.id)?.isPinned ? { isPinned: true } : {}),
          };
          return [{ kind: 'turn', conversation: id, turn: kept, at: clock() }];
        });
      }
      await durable.end(id, turn.id);
    },

    begin(turn) {
      const order = orderOf(turn);
      const revision = durable.facts.nextTurnRevision(id, turn.id);
      durable.begin(id, turn.id, order);
      return {
        async record(messages) {
          const soFar = messages.flatMap((message) => acceptableMessage(message) ?? []);
          if (soFar.length === 0) return;
          await durable.record({ ...turn, conversation: id, order, revision, at: clock(), messages: soFar });
        },
        abandon: () => durable.end(id, turn.id),
      };
    },

    params,

    async merge(added, turnId) {
      const entries = Object.entries(added).map(
        ([name, value]) => [wellFormed(name), wellFormed(value)] as const,
      );
      if (jsonBytes({ ...params(), ...Object.fromEntries(entries) }) > maxParamBytes) {
        throw new ToolError('Too much to remember: params are for short facts. Forget some, or store less.');
      }
      await change((facts) => {
        const known = stored()?.params ?? {};
        const changed = entries.filter(([name, value]) => name !== '' && known[name]?.value !== value);
        return changed.map(([name, value]): Fact => {
          const revision = facts.nextParamRevision(id, name);
          const source = turnId === undefined ? {} : { turnId };
          return {
            kind: 'param',
            conversation: id,
            name,
            param: { value, at: clock(), revision, ...source },
          };
        });
      });
    },

    waiting: () => snapshot()?.waiting,

    setWaiting: (waiting) =>
      change((facts) => {
        if (!waiting && !stored()?.waiting) return [];
        const revision = facts.nextWaitingRevision(id);
        return [{ kind: 'waiting', conversation: id, revision, ...(waiting ? { waiting } : {}) }];
      }),

    async prune(maxTurns) {
      if (!Number.isInteger(maxTurns) || maxTurns < 0) {
        throw new RangeError(`prune takes a whole number from 0 on, not ${maxTurns}`);
      }
      const limits = { ...settings(), maxTurns, eviction: 'oldest', tokenBudget: 0 } as const;
      const over = () => leavingTurns(stored() ?? { turns: [] }, limits);
      await change(() => over().map(({ turn }) => turnGone(id, turn, 0)), 'cap');
    },

    forget: ({ turns = [], params: names = [] }) =>
      durable.erase(() => {
        const known = stored();
        if (!known) return [];
        const forgotten = {
          ...known,
          turns: known.turns.filter((turn) => turns.includes(turn.id)),
          params: Object.fromEntries(Object.entries(known.params).filter(([name]) => names.includes(name))),
        };
        return factsOfEnd(forgotten, 1).filter(({ kind }) => kind !== 'waiting' && kind !== 'summary-gone');
      }, 'forgotten'),

    async cut(turns) {
      const isCut = (turnId: TurnId | undefined) => turnId !== undefined && turns.includes(turnId);
      let before: Conversation | undefined;
      await change(() => {
        const known = stored();
        if (!known) return [];
        before = known;
        const { waiting, summary: _summary, ...rest } = known;
        const cut = {
          ...rest,
          ...(waiting && isCut(waiting.turnId) ? { waiting } : {}),
          turns: known.turns.filter((turn) => isCut(turn.id)),
          params: Object.fromEntries(Object.entries(known.params).filter(([, { turnId }]) => isCut(turnId))),
        };
        return factsOfEnd(cut, 1);
      }, 'rewind');
      return before;
    },

    leaving: () => leavingTurns(stored() ?? { turns: [] }, settings()).map(({ turn }) => turn),

    async fold(text, turns, from) {
      let fold: Fold | undefined;
      await change((facts) => {
        const wanted = { text: wellFormed(text), turns, from };
        const revision = facts.nextSummaryRevision(id);
        fold = foldOf(stored(), wanted, { at: clock(), revision });
        return fold ? factsOfFold(id, fold) : [];
      }, 'summary');
      return fold;
    },

    async unfold(fold) {
      let isBack = false;
      await change((facts) => {
        const back = factsOfUnfold(stored(), fold, clock());
        isBack = back.length > 0;
        return back.map((fact) => renewed(fact, facts));
      });
      return isBack;
    },

    drop: (turns) => change(() => goneFacts(turns), 'cap'),

    setSummary: (text) =>
      change((facts) => {
        const { summary, lastActive = clock() } = stored() ?? {};
        if (text === undefined || text.trim() === '') return summary ? [summaryGone(id, summary, 1)] : [];
        if (summary?.text === text) return [];
        const revision = facts.nextSummaryRevision(id);
        const own = { text: wellFormed(text), at: lastActive, turns: summary?.turns ?? 0, revision };
        return [{ kind: 'summary', conversation: id, summary: own }];
      }),

    setPinned: (turnId, isPinned) =>
      change((facts) => {
        const turn = storedTurn(turnId);
        const at = stored()?.lastActive ?? clock();
        if (!turn || (turn.isPinned ?? false) === isPinned) return [];
        const { isPinned: _before, ...rest } = turn;
        const revision = facts.nextTurnRevision(id, turnId);
        const changed = { ...rest, revision, ...(isPinned ? { isPinned } : {}) };
        return [{ kind: 'turn', conversation: id, turn: changed, at }];
      }),

    clear: () => end('cleared'),
    leave: () => end('fresh'),

    restore: (conversation) =>
      change((facts) =>
        factsOf({ ...conversation, id, lastActive: clock() }).map((fact) => renewed(fact, facts)),
      ),
  };
}

/** A removal stands at most one revision above what it removed. */
const aboveItsRemoval = 2;

/** The same fact with a revision that holds, whatever was removed since, here or in a window that knows more. */
function renewed(fact: Fact, facts: Facts): Fact {
  const { conversation } = fact;
  switch (fact.kind) {
    case 'turn': {
      const next = facts.nextTurnRevision(conversation, fact.turn.id);
      return {
        ...fact,
        turn: { ...fact.turn, revision: Math.max(next, fact.turn.revision + aboveItsRemoval) },
      };
    }
    case 'param': {
      const next = facts.nextParamRevision(conversation, fact.name);
      return {
        ...fact,
        param: { ...fact.param, revision: Math.max(next, fact.param.revision + aboveItsRemoval) },
      };
    }
    case 'waiting': {
      const next = facts.nextWaitingRevision(conversation);
      return { ...fact, revision: Math.max(next, fact.revision + aboveItsRemoval) };
    }
    case 'summary': {
      const next = facts.nextSummaryRevision(conversation);
      const revision = Math.max(next, fact.summary.revision + aboveItsRemoval);
      return { ...fact, summary: { ...fact.summary, revision } };
    }
    default:
      return fact;
  }
}

/** Only what a turn is made of, whatever else the caller's object carries. */
function plainTurn(turn: FinishedTurn): Omit<FinishedTurn, 'messages'> {
  const { id, startedAt, endedAt, outcome, model, usage, tokens, thread } = turn;
  return {
    id,
    startedAt,
    endedAt,
    outcome,
    ...(model === undefined ? {} : { model }),
    ...(usage === undefined ? {} : { usage }),
    ...(tokens === undefined ? {} : { tokens }),
    ...(thread === undefined ? {} : { thread }),
  };
}
