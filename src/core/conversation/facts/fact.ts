import type {
  Conversation,
  ConversationId,
  StoredParam,
  StoredTurn,
  Summary,
  TurnId,
  Waiting,
} from '../turn';

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

export function turnKey(conversation: ConversationId, id: TurnId): string {
  return JSON.stringify(['turn', conversation, id]);
}

export function paramKey(conversation: ConversationId, name: string): string {
  return JSON.stringify(['param', conversation, name]);
}

export function waitingKey(conversation: ConversationId): string {
  return JSON.stringify(['waiting', conversation]);
}

export function summaryKey(conversation: ConversationId): string {
  return JSON.stringify(['summary', conversation]);
}
