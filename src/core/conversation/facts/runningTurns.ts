import type { Message } from '../../messages';
import { closeInterrupted } from '../interrupt';
import { repairedMessages } from '../transcript';
import type { StoredTurn, TurnId } from '../turn';
import type { Fact } from './fact';
import type { JournalLine, RunningRound } from './journalLine';

/** A turn that had not ended when its last line was written. */
export type RunningTurn = Omit<RunningRound, 'kind' | 'keep'>;

const crashed =
  '[This turn was interrupted: VS Code stopped before it was finished. What is above was done.]';

/** Follows the lines of one write-ahead file and knows which turns it left open. */
export class RunningTurns {
  readonly #turns = new Map<TurnId, RunningTurn>();

  get all(): readonly RunningTurn[] {
    return [...this.#turns.values()];
  }

  get(id: TurnId): RunningTurn | undefined {
    return this.#turns.get(id);
  }

  follow(line: JournalLine): void {
    switch (line.kind) {
      case 'running': {
        const { kind: _kind, keep, ...round } = line;
        const kept = this.#turns.get(line.id)?.messages.slice(0, keep) ?? [];
        this.#turns.set(line.id, { ...round, messages: [...kept, ...line.messages] });
        return;
      }
      case 'turn':
        this.#turns.delete(line.turn.id);
        return;
      case 'abandoned':
        this.#turns.delete(line.id);
        return;
      default:
    }
  }

  clear(): void {
    this.#turns.clear();
  }
}

/** The line that brings the file from what it knows of a turn to what is known now, without repeating the rounds before. */
export function nextRound(known: RunningTurn | undefined, now: RunningTurn): RunningRound {
  const before = known?.messages ?? [];
  const changed = now.messages.findIndex((message, index) => !isSame(message, before[index]));
  const keep = changed < 0 ? now.messages.length : changed;
  // A line with no messages would be a damaged one: the last is simply said again.
  const from = Math.max(0, Math.min(keep, now.messages.length - 1));
  return { kind: 'running', ...now, keep: from, messages: now.messages.slice(from) };
}

/** A turn whose window died, as an interrupted one; nothing when no tool had returned (M7). */
export function recovered(running: RunningTurn): Fact | undefined {
  // By who speaks, not by what is said: a result that cannot be read was a result all the same.
  if (!running.messages.slice(1).some(({ role }) => role === 'user')) return undefined;
  const { conversation, id, startedAt, order, revision, at, thread, position, found } = running;
  const messages = repairedMessages(closeInterrupted(running.messages, crashed));
  if (messages.length === 0) return undefined;
  const turn: StoredTurn = {
    id,
    order,
    revision,
    startedAt,
    endedAt: at,
    outcome: 'interrupted',
    messages,
    ...(thread === undefined ? {} : { thread }),
    ...(position === undefined ? {} : { position }),
    ...(found === undefined ? {} : { found }),
  };
  return { kind: 'turn', conversation, turn, at };
}

/** Compared by what they say: the loop builds its messages anew in every round. */
function isSame(message: Message, known: Message | undefined): boolean {
  return message === known || JSON.stringify(message) === JSON.stringify(known);
}
