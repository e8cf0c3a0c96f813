import { tokensIn } from './claude';
import { conversationId } from './model';
import { toldOf, type Whereabouts } from './whereabouts';
import type { SimulatedWindow, World } from './world';

/** What must hold at rest, and of what was erased. */
export class Checks {
  readonly #world: World;
  /** Answers to questions, which are remembered as values, too. */
  readonly #values = new Set<string>();

  constructor(world: World) {
    this.#world = world;
  }

  /** What a request would tell of now. */
  told(): readonly string[] {
    const { model } = this.#world;
    return this.isOver(model.now) ? [] : toldOf(conversationId, model.now).toSorted();
  }

  agrees(window: SimulatedWindow, expected = this.told()): void {
    const { model, limits } = this.#world;
    const told = tokensIn(window.chat.history()).toSorted();
    const isWhole =
      limits.whenFull === 'drop' ? told.join(' ') === expected.join(' ') : isWithin(told, expected);
    if (!isWhole) model.fail(`${window.name} knows [${told.join(' ')}] and not [${expected.join(' ')}]`);
    this.#agreesOnPins(window);
    this.isOnNoDisk(window, model.gone);
    const [running] = model.now.running.keys();
    if (running !== undefined) model.fail(`${running} runs for ever`);
  }

  /** A turn that was changed in one window is changed in the other. */
  #agreesOnPins(window: SimulatedWindow): void {
    const { model } = this.#world;
    const known = pinnedOf(window.chat.stored()?.turns ?? []);
    const kept =
      model.now.live.get(conversationId)?.turns.filter(({ state }) => state === 'remembered') ?? [];
    const isOver = this.isOver(model.now);
    if (!isOver && known !== pinnedOf(kept))
      model.fail(`${window.name} has pinned [${known}] and not [${pinnedOf(kept)}]`);
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
    const { limits, now } = this.#world;
    const found = live.get(conversationId);
    if (!found || limits.timeoutSeconds === 0) return false;
    const isBusy = [...running.values()].some(({ owner }) => this.#world.isAlive(owner));
    return !isBusy && now - found.lastActive > limits.timeoutSeconds * 1000;
  }
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
