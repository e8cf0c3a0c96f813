import { tokensIn } from './claude';
import { conversationId } from './model';
import { toldOf, type PlacedTurn, type Whereabouts } from './whereabouts';
import type { SimulatedWindow, World } from './world';

/** What must hold at rest, and of what was erased. */
export class Checks {
  readonly #world: World;
  /** Answers to questions, which are remembered as values, too. */
  readonly #values = new Set<string>();

  constructor(world: World) {
    this.#world = world;
  }

  /** What a request would tell of now: as it was said, or at least in the words of a summary, which may be anybody's. */
  told(): Told {
    const { model } = this.#world;
    if (this.isOver(model.now)) return { whole: [], all: [] };
    const all = toldOf(conversationId, model.now).toSorted();
    const kept = new Set(remembered(model.now).map(({ id }) => id));
    return { whole: all.filter((id) => kept.has(id)), all };
  }

  agrees(window: SimulatedWindow, expected = this.told()): void {
    const { model, limits } = this.#world;
    const told = tokensIn(window.chat.history()).toSorted();
    const isWhole = limits.whenFull !== 'drop' || isWithin(expected.whole, told);
    if (!isWhole || !isWithin(told, expected.all))
      model.fail(`${window.name} knows [${told.join(' ')}] and not [${expected.all.join(' ')}]`);
    this.#agreesOnPins(window);
    this.isOnNoDisk(window, model.gone);
    const [running] = model.now.running.keys();
    if (running !== undefined) model.fail(`${running} runs for ever`);
    if (model.now.misindexed > 0) model.fail(`the index is wrong about ${model.now.misindexed} turns`);
  }

  /** A turn that was changed in one window is changed in the other. */
  #agreesOnPins(window: SimulatedWindow): void {
    const { model } = this.#world;
    const known = pinnedOf(window.chat.stored()?.turns ?? []);
    const kept = pinnedOf(remembered(model.now));
    if (!this.isOver(model.now) && known !== kept)
      model.fail(`${window.name} has pinned [${known}] and not [${kept}]`);
  }

  /** What could not be written is in the state that VS Code keeps, unless that failed as well. */
  keepsUnwritten(window: SimulatedWindow): void {
    const { model } = this.#world;
    if (!window.isStateSaved) return;
    const known = tokensIn(window.chat.history());
    const state = window.store.keys().map((key) => JSON.stringify(window.store.get(key)));
    for (const id of model.unwrittenOf(window)) {
      if (known.includes(id) && !state.some((value) => value.includes(`ask ${id}.`)))
        model.fail(`${id} could not be written, and is not in the state either`);
    }
  }

  /** No byte of what was erased is in any file, nor in the state that VS Code keeps for the window. */
  isOnNoDisk(window: SimulatedWindow, erased: ReadonlySet<string>): void {
    const { model, disk } = this.#world;
    // What was answered to a question is a value as well, and that stays until it is forgotten itself.
    const values = [...model.now.values].join('\n');
    for (const id of erased) if (values.includes(`ask ${id}.`)) this.#values.add(id);
    const isGone = (id: string) => model.gone.has(id) && !this.#values.has(id);
    const gone = [...erased].filter(isGone).map((id) => `ask ${id}.`);
    const state = window.store.keys().map((key) => JSON.stringify(window.store.get(key)));
    const inState = gone.filter((text) => state.some((value) => value.includes(text)));
    const left = [...disk.filesWith(gone), ...inState.map((text) => `${text} in the state`)];
    if (left.length > 0) model.fail(`erased and still there: ${left.join(', ')}`);
  }

  /** Nobody has said anything for too long, and no turn runs. */
  isOver({ live, running }: Whereabouts): boolean {
    const found = live.get(conversationId);
    const isBusy = [...running.values()].some(({ owner }) => this.#world.isAlive(owner));
    return found !== undefined && !isBusy && this.isLongAgo(found.lastActive);
  }

  isLongAgo(at: number): boolean {
    const { limits, now } = this.#world;
    return limits.timeoutSeconds > 0 && now - at > limits.timeoutSeconds * 1000;
  }
}

interface Told {
  readonly whole: readonly string[];
  readonly all: readonly string[];
}

function remembered({ live }: Whereabouts): readonly PlacedTurn[] {
  return live.get(conversationId)?.turns.filter(({ state }) => state === 'remembered') ?? [];
}

function pinnedOf(turns: readonly { readonly id: string; readonly isPinned?: boolean }[]): string {
  return turns
    .flatMap(({ id, isPinned }) => (isPinned ? [id] : []))
    .toSorted()
    .join(' ');
}

function isWithin(some: readonly string[], all: readonly string[]): boolean {
  return some.every((one) => all.includes(one));
}
