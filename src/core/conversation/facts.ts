import type { Conversation, ConversationId, StoredParam, StoredTurn, Summary, TurnId, Waiting } from './turn';

/**
 * One thing that became true of a conversation. Facts are what the write-ahead files hold and what windows learn from
 * each other. Each carries the revision of what it is about, and the highest revision holds whatever the order of
 * arrival; at the same revision a removal beats the thing, and a finished turn an interrupted one. So facts applied
 * twice, or in any order, end in the same memory.
 */
export type Fact =
  | {
      readonly kind: 'turn';
      readonly conversation: ConversationId;
      readonly turn: StoredTurn;
      /** When the conversation was last active, as far as the writer knew. */
      readonly at: number;
    }
  | {
      readonly kind: 'turn-gone';
      readonly conversation: ConversationId;
      readonly id: TurnId;
      readonly revision: number;
    }
  | {
      readonly kind: 'param';
      readonly conversation: ConversationId;
      readonly name: string;
      readonly param: StoredParam;
    }
  | {
      readonly kind: 'param-gone';
      readonly conversation: ConversationId;
      readonly name: string;
      readonly revision: number;
    }
  | {
      readonly kind: 'waiting';
      readonly conversation: ConversationId;
      readonly revision: number;
      readonly waiting?: Waiting;
    }
  | { readonly kind: 'summary'; readonly conversation: ConversationId; readonly summary: Summary }
  | { readonly kind: 'summary-gone'; readonly conversation: ConversationId; readonly revision: number };

/** A fact that says that something is no longer there. */
export type GoneFact = Extract<Fact, { readonly revision: number }>;

/** A conversation as the facts that make it. */
export function factsOf(conversation: Conversation): readonly Fact[] {
  const { id, lastActive, turns, params, waiting, waitingRevision, summary } = conversation;
  return [
    ...(summary ? [{ kind: 'summary', conversation: id, summary } as const] : []),
    // Each with the same time: whichever of them is new to a reader moves its conversation there.
    ...turns.map((turn): Fact => ({ kind: 'turn', conversation: id, turn, at: lastActive })),
    ...Object.entries(params).map(([name, param]): Fact => ({
      kind: 'param',
      conversation: id,
      name,
      param,
    })),
    ...(waiting ? [{ kind: 'waiting', conversation: id, revision: waitingRevision, waiting } as const] : []),
  ];
}

/** The facts that end a conversation. At the given distance from what is known they also beat a change elsewhere. */
export function factsOfEnd(conversation: Conversation, revisionsAhead: number): readonly GoneFact[] {
  const { id, turns, params, waiting, waitingRevision, summary } = conversation;
  return [
    ...(summary ? [summaryGone(id, summary, revisionsAhead)] : []),
    ...turns.map((turn) => turnGone(id, turn, revisionsAhead)),
    ...Object.entries(params).map(([name, { revision }]): GoneFact => ({
      kind: 'param-gone',
      conversation: id,
      name,
      revision: revision + revisionsAhead,
    })),
    ...(waiting ? [{ kind: 'waiting', conversation: id, revision: waitingRevision + 1 } as const] : []),
  ];
}

/** Says that something is no longer there. */
export function isRemoval(fact: Fact): boolean {
  switch (fact.kind) {
    case 'turn-gone':
    case 'param-gone':
    case 'summary-gone':
      return true;
    case 'waiting':
      return !fact.waiting;
    default:
      return false;
  }
}

/** What a fact is about: the same for a thing and for its removal. */
export function subjectOf(fact: Fact): string {
  const { conversation } = fact;
  switch (fact.kind) {
    case 'turn':
      return turnKey(conversation, fact.turn.id);
    case 'turn-gone':
      return turnKey(conversation, fact.id);
    case 'param':
    case 'param-gone':
      return paramKey(conversation, fact.name);
    case 'summary':
    case 'summary-gone':
      return summaryKey(conversation);
    default:
      return waitingKey(conversation);
  }
}

export function turnGone(conversation: ConversationId, turn: StoredTurn, revisionsAhead: number): GoneFact {
  return { kind: 'turn-gone', conversation, id: turn.id, revision: turn.revision + revisionsAhead };
}

export function summaryGone(
  conversation: ConversationId,
  summary: Summary,
  revisionsAhead: number,
): GoneFact {
  return { kind: 'summary-gone', conversation, revision: summary.revision + revisionsAhead };
}

/** All that is remembered now, and what is known to be gone. Conversations themselves never change in place. */
export class Facts {
  readonly #conversations = new Map<ConversationId, Conversation>();
  readonly #gone = new Map<string, GoneFact>();

  constructor(conversations: Iterable<Conversation> = []) {
    for (const conversation of conversations) {
      if (this.#conversations.has(conversation.id))
        for (const fact of factsOf(conversation)) this.apply(fact);
      else this.#put(conversation);
    }
  }

  get conversations(): ReadonlyMap<ConversationId, Conversation> {
    return this.#conversations;
  }

  /** What must not come back from the file of another window. */
  get gone(): ReadonlySet<GoneFact> {
    return new Set(this.#gone.values());
  }

  /** For when nothing is left anywhere that could bring these back. */
  forgetGone(facts: ReadonlySet<GoneFact>): void {
    for (const [key, fact] of this.#gone) if (facts.has(fact)) this.#gone.delete(key);
  }

  /** Moves the time from which the timeout counts. */
  touch(id: ConversationId, lastActive: number): void {
    const conversation = this.#conversations.get(id);
    if (conversation) this.#put({ ...conversation, lastActive });
  }

  /** Puts a shortened copy in place of a turn. Not a fact: the turn is the same one, and every window shortens alike. */
  replaceTurn(id: ConversationId, turn: StoredTurn): void {
    const conversation = this.#conversations.get(id);
    if (!conversation) return;
    const turns = conversation.turns.map((one) => (one.id === turn.id ? turn : one));
    this.#conversations.set(id, { ...conversation, turns });
  }

  /** Says whether anything remembered changed by it. */
  apply(fact: Fact): boolean {
    const conversation = this.#conversations.get(fact.conversation) ?? emptyConversation(fact.conversation);
    switch (fact.kind) {
      case 'turn':
        return this.#applyTurn(conversation, fact);
      case 'turn-gone':
        return this.#applyTurnGone(conversation, fact);
      case 'param':
        return this.#applyParam(conversation, fact.name, fact.param);
      case 'param-gone':
        return this.#applyParamGone(conversation, fact);
      case 'summary':
        return this.#applySummary(conversation, fact.summary);
      case 'summary-gone':
        return this.#applySummaryGone(conversation, fact);
      default:
        return this.#applyWaiting(conversation, fact);
    }
  }

  /** The revision that the next fact about this turn needs in order to hold. */
  nextTurnRevision(conversation: ConversationId, id: TurnId): number {
    const turn = this.#conversations.get(conversation)?.turns.find((one) => one.id === id);
    return Math.max(turn?.revision ?? 0, this.#goneRevision(turnKey(conversation, id))) + 1;
  }

  nextParamRevision(conversation: ConversationId, name: string): number {
    const param = paramOf(this.#conversations.get(conversation), name);
    return Math.max(param?.revision ?? 0, this.#goneRevision(paramKey(conversation, name))) + 1;
  }

  nextWaitingRevision(conversation: ConversationId): number {
    const known = this.#conversations.get(conversation)?.waitingRevision ?? 0;
    return Math.max(known, this.#goneRevision(waitingKey(conversation))) + 1;
  }

  nextSummaryRevision(conversation: ConversationId): number {
    const known = this.#conversations.get(conversation)?.summary?.revision ?? 0;
    return Math.max(known, this.#goneRevision(summaryKey(conversation))) + 1;
  }

  #applyTurn(conversation: Conversation, { turn, at }: Extract<Fact, { kind: 'turn' }>): boolean {
    const known = conversation.turns.find(({ id }) => id === turn.id);
    if (this.#goneRevision(turnKey(conversation.id, turn.id)) >= turn.revision) return false;
    if (known && !beats(turnRank(turn), turnRank(known))) return false;
    const others = known ? conversation.turns.filter((one) => one !== known) : conversation.turns;
    const lastActive = Math.max(conversation.lastActive, at);
    this.#put({ ...conversation, lastActive, turns: inserted(others, turn) });
    return true;
  }

  #applyTurnGone(conversation: Conversation, fact: Extract<Fact, { kind: 'turn-gone' }>): boolean {
    this.#bury(turnKey(conversation.id, fact.id), fact);
    const turns = conversation.turns.filter(({ id, revision }) => id !== fact.id || revision > fact.revision);
    if (turns.length === conversation.turns.length) return false;
    this.#put({ ...conversation, turns });
    return true;
  }

  #applyParam(conversation: Conversation, name: string, param: StoredParam): boolean {
    const known = paramOf(conversation, name);
    if (this.#goneRevision(paramKey(conversation.id, name)) >= param.revision) return false;
    if (known && !beats(paramRank(param), paramRank(known))) return false;
    const lastActive = Math.max(conversation.lastActive, param.at);
    this.#put({ ...conversation, lastActive, params: { ...conversation.params, [name]: param } });
    return true;
  }

  #applyParamGone(conversation: Conversation, fact: Extract<Fact, { kind: 'param-gone' }>): boolean {
    this.#bury(paramKey(conversation.id, fact.name), fact);
    const known = paramOf(conversation, fact.name);
    if (!known || known.revision > fact.revision) return false;
    const params = Object.fromEntries(
      Object.entries(conversation.params).filter(([name]) => name !== fact.name),
    );
    this.#put({ ...conversation, params });
    return true;
  }

  #applySummary(conversation: Conversation, summary: Summary): boolean {
    const known = conversation.summary;
    if (this.#goneRevision(summaryKey(conversation.id)) >= summary.revision) return false;
    if (known && !beats(summaryRank(summary), summaryRank(known))) return false;
    this.#put({ ...conversation, summary, lastActive: Math.max(conversation.lastActive, summary.at) });
    return true;
  }

  #applySummaryGone(
    conversation: Conversation,
    fact: Extract<Fact, { readonly kind: 'summary-gone' }>,
  ): boolean {
    this.#bury(summaryKey(conversation.id), fact);
    const { summary, ...rest } = conversation;
    if (!summary || summary.revision > fact.revision) return false;
    this.#put(rest);
    return true;
  }

  #applyWaiting(conversation: Conversation, fact: Extract<Fact, { kind: 'waiting' }>): boolean {
    const key = waitingKey(conversation.id);
    const { waiting: before, ...rest } = conversation;
    const isBuried = this.#goneRevision(key) >= fact.revision;
    const known = waitingRank(conversation.waitingRevision, before);
    if (isBuried || !beats(waitingRank(fact.revision, fact.waiting), known)) return false;
    if (!fact.waiting) this.#bury(key, fact);
    const waiting = fact.waiting ? { waiting: fact.waiting } : {};
    const lastActive = Math.max(conversation.lastActive, fact.waiting?.askedAt ?? 0);
    this.#put({ ...rest, ...waiting, lastActive, waitingRevision: fact.revision });
    return before !== undefined || fact.waiting !== undefined;
  }

  #goneRevision(key: string): number {
    return this.#gone.get(key)?.revision ?? -1;
  }

  #bury(key: string, fact: GoneFact): void {
    if (this.#goneRevision(key) < fact.revision) this.#gone.set(key, fact);
  }

  #put(conversation: Conversation): void {
    const { id, turns, params, waiting, summary } = conversation;
    const isEmpty = turns.length === 0 && Object.keys(params).length === 0 && !waiting && !summary;
    if (isEmpty) this.#conversations.delete(id);
    else this.#conversations.set(id, conversation);
  }
}

function emptyConversation(id: ConversationId): Conversation {
  return { id, lastActive: 0, turns: [], params: {}, waitingRevision: 0 };
}

/** Shortening does not count: a shortened copy is the same turn. */
function turnRank({ revision, outcome, endedAt, isPinned }: StoredTurn): Rank {
  return [revision, Number(outcome === 'finished'), endedAt, Number(isPinned ?? false)];
}

function paramRank({ revision, at, value }: StoredParam): Rank {
  return [revision, at, value];
}

function summaryRank({ revision, at, text }: Summary): Rank {
  return [revision, at, text];
}

function waitingRank(revision: number, waiting: Waiting | undefined): Rank {
  return waiting ? [revision, 0, waiting.askedAt, waiting.param, waiting.toolUse.id] : [revision, 1];
}

/** What decides between two windows that changed the same thing; compared from the left. */
type Rank = readonly (number | string)[];

function beats(one: Rank, other: Rank): boolean {
  const index = one.findIndex((value, at) => value !== other[at]);
  const [mine, theirs] = [one[index], other[index]];
  return mine !== undefined && theirs !== undefined && mine > theirs;
}

function inserted(turns: readonly StoredTurn[], turn: StoredTurn): readonly StoredTurn[] {
  const before = turns.findLastIndex(
    ({ order, id }) => order < turn.order || (order === turn.order && id < turn.id),
  );
  return turns.toSpliced(before + 1, 0, turn);
}

/** A param may be called `constructor`. */
function paramOf(conversation: Conversation | undefined, name: string): StoredParam | undefined {
  return conversation && Object.hasOwn(conversation.params, name) ? conversation.params[name] : undefined;
}

function turnKey(conversation: ConversationId, id: TurnId): string {
  return JSON.stringify(['turn', conversation, id]);
}

function paramKey(conversation: ConversationId, name: string): string {
  return JSON.stringify(['param', conversation, name]);
}

function waitingKey(conversation: ConversationId): string {
  return JSON.stringify(['waiting', conversation]);
}

function summaryKey(conversation: ConversationId): string {
  return JSON.stringify(['summary', conversation]);
}
