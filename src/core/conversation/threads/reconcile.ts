import { ownWords } from '../../messages';
import { isWhole } from '../folded';
import type { StoredTurn, TurnId } from '../turn';

/** One exchange as the panel shows it. */
export interface ShownTurn {
  readonly prompt: string;
  /** Unknown where VS Code lost what the answer carried and has no id of its own to tell. */
  readonly turnId?: TurnId;
}

/** The life of this extension in one window, from `activate` to its end. */
export interface Activation {
  readonly id: string;
  readonly startedAt: number;
}

/** What has to happen to the remembered turns so that they agree with the panel. The rest stays as it is. */
export interface Reconciliation {
  /** The person removed them. */
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
 * Compares what is remembered with what one thread shows (M13). VS Code sends no event when a person retries, edits,
 * undoes or restores: a remembered turn of this thread that it no longer shows was removed. Turns of other threads, of
 * other extensions and of resumed conversations are nobody's here and stay. What is shown and no longer remembered has
 * left by a limit or was forgotten, and that is nothing to mend.
 */
export function reconcile(options: {
  /** Of the conversation, oldest first, with those that its summary stands for. */
  readonly turns: readonly StoredTurn[];
  readonly thread: string;
  /** What the thread shows of us before this request, oldest first, without what never was part of the conversation. */
  readonly shown: readonly ShownTurn[];
  /** From 1 on it is a Retry. */
  readonly attempt: number;
  readonly activation: Activation;
  /** The turns that were remembered when this window opened. */
  readonly atStart: ReadonlySet<TurnId>;
  /** This thread was not yet seen in this activation: what VS Code shows is what it had written down. */
  readonly isFirstLook: boolean;
}): Reconciliation {
  const { turns, thread, shown, activation } = options;
  const ids = new Set(shown.flatMap(({ turnId }) => turnId ?? []));
  // Not what another window has saved since this one opened: nobody can have removed it here.
  const couldBeShown = (turn: StoredTurn) =>
    turn.activation === activation.id || options.atStart.has(turn.id);
  const own = turns.filter((turn) => turn.thread === thread && couldBeShown(turn));
  const byWords = matchedByWords(own, shown, ids);
  // Where something is shown that has no name, it may be any turn of which the words are not known.
  const mayBeShown = shown.some(({ turnId }) => turnId === undefined);
  const isShown = (turn: StoredTurn) =>
    ids.has(turn.id) || byWords.has(turn) || (mayBeShown && !isWhole(turn));
  const afterLastShown = own.slice(own.findLastIndex(isShown) + 1);
  const lost =
    options.isFirstLook && options.attempt === 0
      ? afterLastShown.filter((turn) => wasUnwritten(turn, activation))
      : [];
  return {
    cut: own.filter((turn) => !isShown(turn) && !lost.includes(turn)),
    lost,
    adopted: turns.filter((turn) => turn.thread === undefined && ids.has(turn.id)),
  };
}

function wasUnwritten({ activation, endedAt }: StoredTurn, { id, startedAt }: Activation): boolean {
  return activation !== id && startedAt - endedAt < unwrittenMs;
}

/** Where nothing but the prompt is known of what is shown: the first turn with these words, between its neighbours. */
function matchedByWords(
  own: readonly StoredTurn[],
  shown: readonly ShownTurn[],
  ids: ReadonlySet<TurnId>,
): ReadonlySet<StoredTurn> {
  const matched = new Set<StoredTurn>();
  const placeOf = ({ turnId }: ShownTurn) => own.findIndex(({ id }) => id === turnId);
  let from = 0;
  for (const [index, entry] of shown.entries()) {
    if (entry.turnId !== undefined) {
      from = Math.max(from, placeOf(entry) + 1);
      continue;
    }
    const until =
      shown
        .slice(index + 1)
        .map(placeOf)
        .find((place) => place >= from) ?? own.length;
    const found = own.findIndex(
      (turn, place) => place >= from && place < until && !ids.has(turn.id) && says(turn, entry.prompt),
    );
    const turn = own[found];
    if (!turn) continue;
    matched.add(turn);
    from = found + 1;
  }
  return matched;
}

/** What we add to a prompt stands below it. */
export function says({ messages }: StoredTurn, prompt: string): boolean {
  const words = prompt.trim();
  const [asked] = messages;
  const said = asked ? ownWords(asked.content) : '';
  return words !== '' && (said === words || said.startsWith(`${words}\n`));
}
