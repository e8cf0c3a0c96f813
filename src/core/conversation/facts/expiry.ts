import type { Clock, Log } from '../../ports';
import { isExpired, notInFuture, type MemoryLimits } from '../retention';
import type { Conversation, ConversationId, TurnId } from '../turn';
import { applyFacts, type Departure } from './departures';
import { factsOfEnd, type Fact } from './fact';
import type { Facts } from './facts';
import type { MemoryProblem, MemoryStore } from './memoryStore';

interface ExpiryOptions {
  readonly facts: () => Facts;
  readonly store: MemoryStore;
  readonly clock: Clock;
  readonly settings: () => MemoryLimits;
  readonly log: Log;
  readonly onProblem: (problem: MemoryProblem) => void;
  readonly onDepartures: (departures: readonly Departure[]) => void;
  /** Keeps a conversation that expired, before it is no longer remembered. */
  readonly archive: (conversation: Conversation) => Promise<void>;
}

/** When conversations end by themselves (M2), and that they are kept then. */
export class Expiry {
  readonly #options: ExpiryOptions;
  readonly #begun = new Map<TurnId, BegunTurn>();

  constructor(options: ExpiryOptions) {
    this.#options = options;
  }

  /** Until the turn ends its conversation does not expire, unless it had already. */
  begin(conversation: ConversationId, id: TurnId, order: number): void {
    this.#begun.set(id, { conversation, order, isAlive: this.touch(conversation) });
  }

  /** Something was said: from now on it lasts for another timeout, unless it has ended already. Says whether it does. */
  touch(conversation: ConversationId): boolean {
    const { facts, clock, settings } = this.#options;
    const now = clock();
    const known = facts().conversations.get(conversation);
    const isAlive = !known || !isExpired(known, settings(), now);
    if (isAlive) facts().touch(conversation, now);
    return isAlive;
  }

  begun(id: TurnId): BegunTurn | undefined {
    return this.#begun.get(id);
  }

  end(id: TurnId): void {
    this.#begun.delete(id);
  }

  hasExpired(conversation: Conversation): boolean {
    if (!isExpired(conversation, this.#options.settings(), this.#options.clock())) return false;
    return ![...this.#begun.values()].some((turn) => turn.isAlive && turn.conversation === conversation.id);
  }

  /** Ends what has expired, and says by which facts. */
  async endExpired(): Promise<readonly Fact[]> {
    const facts = this.#options.facts();
    const now = this.#options.clock();
    const ended: Fact[] = [];
    for (const stored of facts.conversations.values()) {
      const conversation = notInFuture(stored, now);
      if (conversation !== stored) facts.touch(stored.id, now);
      if (!this.hasExpired(conversation)) continue;
      await this.#archive(conversation);
      const ending = factsOfEnd(conversation, 0);
      this.#options.onDepartures(applyFacts(facts, ending, 'expiry'));
      ended.push(...ending);
    }
    return ended;
  }

  /** What the archive does not take is not lost either. */
  async #archive(conversation: Conversation): Promise<void> {
    const { archive, log, store, onProblem } = this.#options;
    try {
      await archive(conversation);
    } catch (cause) {
      log.error('memory: an ended conversation could not be archived', cause);
      const what = 'an ended conversation that could not be archived';
      const problem = store.setAside({ what, data: conversation });
      if (problem) onProblem(problem);
    }
  }
}

interface BegunTurn {
  readonly conversation: ConversationId;
  readonly order: number;
  readonly isAlive: boolean;
}
