import { isWhole } from '../folded';
import type { Conversation, ConversationId, StoredParam, StoredTurn, Summary, TurnId } from '../turn';
import { factsOf, paramKey, summaryKey, turnKey, waitingKey, type Fact, type GoneFact } from './fact';
import { beats, paramRank, summaryRank, turnRank, waitingRank } from './precedence';

/** All that is remembered now, and what is known to be gone. Conversations themselves never change in place. */
export class Facts {
  readonly #conversations = new Map<ConversationId, Conversation>();
  /** The turns of all conversations by their keys: nobody has to search 1,000 of them for one. */
  readonly #turns = new Map<string, StoredTurn>();
  readonly #gone = new Map<string, GoneFact>();
  #returned: readonly Fact[] = [];

  constructor(conversations: Iterable<Conversation> = []) {
    for (const conversation of conversations) {
      if (this.#conversations.has(conversation.id)) {
        for (const fact of factsOf(conversation)) this.apply(fact);
        continue;
      }
      this.#put(conversation);
      for (const turn of conversation.turns) this.#turns.set(turnKey(conversation.id, turn.id), turn);
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
    this.#put({ ...conversation, turns });
    this.#turns.set(turnKey(id, turn.id), turn);
  }

  /** As with a shortened turn: the same summary, with less of what it was made of. */
  replaceSummary(id: ConversationId, summary: Summary): void {
    const conversation = this.#conversations.get(id);
    if (conversation) this.#put({ ...conversation, summary });
  }

  /** Turns that came back by themselves since this was last asked: nobody has written that down. */
  takeReturned(): readonly Fact[] {
    const returned = this.#returned;
    this.#returned = [];
    return returned;
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

  turn(conversation: ConversationId, id: TurnId): StoredTurn | undefined {
    return this.#turns.get(turnKey(conversation, id));
  }

  /** The revision that the next fact about this turn needs in order to hold. */
  nextTurnRevision(conversation: ConversationId, id: TurnId): number {
    return (
      Math.max(this.turn(conversation, id)?.revision ?? 0, this.#goneRevision(turnKey(conversation, id))) + 1
    );
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
    const known = this.turn(conversation.id, turn.id);
    if (this.#goneRevision(turnKey(conversation.id, turn.id)) >= turn.revision) return false;
    if (known && !beats(turnRank(turn), turnRank(known))) return false;
    const others = known ? without(conversation.turns, known) : conversation.turns;
    const lastActive = Math.max(conversation.lastActive, at);
    this.#put({ ...conversation, lastActive, turns: inserted(others, turn) });
    this.#turns.set(turnKey(conversation.id, turn.id), turn);
    return true;
  }

  #applyTurnGone(conversation: Conversation, fact: Extract<Fact, { kind: 'turn-gone' }>): boolean {
    this.#bury(turnKey(conversation.id, fact.id), fact);
    const known = this.turn(conversation.id, fact.id);
    if (!known || known.revision > fact.revision) return false;
    this.#put({ ...conversation, turns: without(conversation.turns, known) });
    this.#turns.delete(turnKey(conversation.id, fact.id));
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
    const isBeaten = known && !beats(summaryRank(summary), summaryRank(known));
    if (!isBeaten) {
      this.#put({ ...conversation, summary, lastActive: Math.max(conversation.lastActive, summary.at) });
    }
    const hasReturned =
      known?.revision === summary.revision &&
      this.#returnFolded(conversation.id, isBeaten ? [summary, known] : [known, summary]);
    return !isBeaten || hasReturned;
  }

  /** Two windows have summarized at the same time: what only the summary that does not hold told of comes back. */
  #returnFolded(id: ConversationId, [beaten, holding]: readonly [Summary, Summary]): boolean {
    const told = new Set(holding.folded?.map((turn) => turn.id));
    const returning = beaten.folded?.filter((turn) => isWhole(turn) && !told.has(turn.id)) ?? [];
    const facts = returning.map((turn): Fact => {
      // Above its removal, and the same in every window.
      const back = { ...turn, revision: turn.revision + 1 };
      return { kind: 'turn', conversation: id, turn: back, at: beaten.at };
    });
    const applied = facts.filter((fact) => this.apply(fact));
    this.#returned = [...this.#returned, ...applied];
    return applied.length > 0;
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

function inserted(turns: readonly StoredTurn[], turn: StoredTurn): readonly StoredTurn[] {
  const before = turns.findLastIndex(
    ({ order, id }) => order < turn.order || (order === turn.order && id < turn.id),
  );
  return turns.toSpliced(before + 1, 0, turn);
}

function without(turns: readonly StoredTurn[], turn: StoredTurn): readonly StoredTurn[] {
  return turns.toSpliced(turns.indexOf(turn), 1);
}

/** A param may be called `constructor`. */
function paramOf(conversation: Conversation | undefined, name: string): StoredParam | undefined {
  return conversation && Object.hasOwn(conversation.params, name) ? conversation.params[name] : undefined;
}
