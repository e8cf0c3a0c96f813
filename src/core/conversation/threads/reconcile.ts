import { ownWords } from '../../messages';
import { isWhole } from '../summary';
import type { StoredTurn, TurnId } from '../turn';

/** One exchange as the panel shows it. */
export interface ShownTurn {
  readonly prompt: string;
  /** How many exchanges with us the thread shows before it. */
  readonly position: number;
  /** Unknown where VS Code lost what the answer carried. */
  readonly turnId?: TurnId;
}

/** The life of this extension in one window, from `activate` to its end. */
export interface Activation {
  readonly id: string;
  readonly startedAt: number;
}

/** What has to happen to the remembered turns so that they agree with the panel. The rest stays as it is. */
export interface Reconciliation {
  /** The turns of this thread that were looked at. */
  readonly compared: readonly StoredTurn[];
  /** The user removed them. */
  readonly cut: readonly StoredTurn[];
  /** They are not shown because VS Code lost them, not because anybody removed them: no longer bound to the thread. */
  readonly lost: readonly StoredTurn[];
  /** They came back from elsewhere, without a thread, and are shown in this one: from now on bound to it. */
  readonly adopted: readonly StoredTurn[];
}

/**
 * VS Code writes its chats down every 5 s in the browser, every 60 s on the desktop. When a window goes in between, all
 * that it showed since is gone: whole exchanges, the answers' metadata with them.
 */
const unwrittenMs = 60_000;

/**
 * Compares what is remembered with what one thread shows (M13). VS Code sends no event when a user retries, edits,
 * undoes or restores, nor does a request say that it is a Retry: a remembered turn of this thread that it no longer shows
 * was removed. Turns of other threads, of other extensions and of resumed conversations are nobody's here and stay. What
 * is shown and no longer remembered has left by a limit or was forgotten, and that is nothing to mend.
 */
export function reconcile(options: {
  /** Of the conversation, oldest first, with those that its summary stands for. */
  readonly turns: readonly StoredTurn[];
  readonly thread: string;
  /** What the thread shows of us before this request, oldest first, without what never was part of the conversation. */
  readonly shown: readonly ShownTurn[];
  /** The request itself as it will be shown, unless it is no part of the conversation. */
  readonly asked: ShownTurn | undefined;
  readonly activation: Activation;
  /** The turns of before this window opened. */
  readonly fromBefore: ReadonlySet<TurnId>;
  /** Those that this window has compared with the thread already. Of others, VS Code shows what it had written down. */
  readonly compared: ReadonlySet<TurnId>;
}): Reconciliation {
  const { turns, thread, shown, activation } = options;
  // Not what another window has saved since this one opened: nobody can have removed it here.
  const couldBeShown = (turn: StoredTurn) =>
    turn.activation === activation.id || options.fromBefore.has(turn.id);
  const own = turns.filter((turn) => turn.thread === thread && couldBeShown(turn));
  const ids = new Set(shown.flatMap(({ turnId }) => turnId ?? []));
  const unnamed = shown.filter(({ turnId }) => turnId === undefined);
  const isShown = (turn: StoredTurn) => ids.has(turn.id) || unnamed.some((entry) => isSame(turn, entry));
  const before = own.filter((turn) => turn.activation !== activation.id);
  const missing = before.slice(before.findLastIndex(isShown) + 1);
  const [firstMissing] = missing;
  // The same words in the same place: a Retry, or sent again because they had vanished, which comes to the same.
  const said = options.asked ? [...shown, options.asked] : shown;
  const isRepeated =
    firstMissing && isWhole(firstMissing) && said.some((entry) => isSame(firstMissing, entry));
  const lost = isRepeated
    ? []
    : missing.filter((turn) => !options.compared.has(turn.id) && wasUnwritten(turn, activation));
  return {
    compared: own,
    cut: own.filter((turn) => !isShown(turn) && !lost.includes(turn)),
    lost,
    adopted: turns.filter((turn) => turn.thread === undefined && ids.has(turn.id)),
  };
}

/**
 * Whether the user removed a turn of the thread that is kept but no longer remembered, so that nothing of it could be cut.
 * What VS Code may have lost, or another window has said since, was not removed.
 */
export function isRemoved(
  turn: StoredTurn,
  {
    thread,
    shown,
    activation,
  }: {
    readonly thread: string;
    readonly shown: readonly ShownTurn[];
    readonly activation: Activation;
  },
): boolean {
  const couldBeShown = turn.activation === activation.id || turn.endedAt <= activation.startedAt;
  if (turn.thread !== thread || !couldBeShown || wasUnwritten(turn, activation)) return false;
  return !shown.some((entry) =>
    entry.turnId === undefined ? isSame(turn, entry) : entry.turnId === turn.id,
  );
}

/** The same words may be asked again and again in a thread, but only once in each place. */
function isSame(turn: StoredTurn, { position, prompt }: ShownTurn): boolean {
  const [asked] = turn.messages;
  // Of some turns in a summary only the name is left.
  const isSaid = !isWhole(turn) || (asked !== undefined && ownWords(asked.content) === prompt.trim());
  return turn.position === position && isSaid;
}

function wasUnwritten({ activation, endedAt }: StoredTurn, { id, startedAt }: Activation): boolean {
  return activation !== id && startedAt - endedAt < unwrittenMs;
}
