import type { Erased } from '../../src/core/conversation/memory/handle';
import { StoreError } from '../../src/core/conversation/store';
import { UserError } from '../../src/core/errors';
import { Checks } from './checks';
import { simulatedTools, SimulatedClaude, tokensIn } from './claude';
import { conversationId, mayVanish, type Doing, type Plan } from './model';
import { toldOf, type Place, type Whereabouts } from './whereabouts';
import type { SimulatedWindow, Thread, World } from './world';

/** The person at the windows of one folder. Every step is one thing that they do, or that happens to them. */
export class Person {
  readonly #world: World;
  readonly #checks: Checks;
  readonly #stops: AbortController[] = [];
  #cleared: { readonly in: SimulatedWindow; readonly erased: Erased } | undefined;
  /** Brought back after a Clear, into whatever was said since: the next one may be about them, too. */
  readonly #restored = new Set<string>();
  /** Resumed, so that they belong to no thread, and no thread can take them back. */
  readonly #detached = new Set<string>();

  constructor(world: World) {
    this.#world = world;
    this.#checks = new Checks(world);
  }

  /** What to do next is drawn by lot; what is at the top is done most often when a failing run is made smaller. */
  act(): void {
    const { choices, windows } = this.#world;
    const place = choices.below(2);
    const window = windows[place];
    if (!window) return void this.#open(place);
    const steps: readonly [() => void, ...(() => void)[]] = [
      () => this.#ask(window),
      () => this.#ask(window),
      () => this.#ask(window),
      () => this.#refresh(window),
      () => this.#passTime(),
      () => this.#flush(window),
      () => this.#clear(window),
      () => this.#undoClear(window),
      () => this.#forget(window),
      () => this.#pin(window),
      () => this.#writeSummary(window),
      () => this.#startFresh(window),
      () => this.#resume(window),
      () => this.#deleteArchived(window),
      () => this.#deleteAll(window),
      () => this.#changeLimits(),
      () => this.#stop(),
      () => this.#reload(window, place),
      () => this.#kill(window),
      () => this.#cutPower(),
      () => this.#troubleDisk(),
    ];
    if (window.doing >= 2) return this.#stop();
    if (this.#world.isWordy && choices.oneIn(2)) return this.#ask(window);
    choices.pick(steps)();
  }

  /** When all has come to rest and nothing goes wrong any more, everybody agrees on everything. */
  async rest(quiet: () => Promise<void>): Promise<void> {
    const { disk, outside, model } = this.#world;
    disk.isFull = false;
    disk.lockedFor = 0;
    const settle = async () => {
      for (
        let rounds = 0;
        this.#world.openWindows.some(({ doing }) => doing > 0) && rounds < 1_000;
        rounds++
      ) {
        outside.release();
        await quiet();
      }
      while (outside.release()) await quiet();
      for (const { name, doing } of this.#world.openWindows)
        if (doing > 0) model.fail(`${name} never comes to rest`);
    };
    await settle();
    for (const place of [0, 1]) if (!this.#world.windows[place]) this.#open(place);
    await settle();
    for (const round of ['once', 'twice']) {
      for (const window of this.#world.openWindows) {
        this.#refresh(window);
        await settle();
        if (round === 'twice') this.#checks.agrees(window);
      }
    }
    // Whoever comes next finds the same: in the database, and without it in VS Code's state.
    for (const isLost of [false, true]) {
      for (const window of this.#world.openWindows) window.close();
      const before = this.#checks.told();
      if (isLost) {
        this.#world.note('the database is deleted');
        disk.remove();
        model.lostDatabase();
      }
      const window = this.#open(0);
      await settle();
      this.#checks.agrees(window, before);
    }
  }

  #open(place: number): SimulatedWindow {
    const window = this.#world.open(place);
    this.#does(window, { what: 'opens' }, () => window.memory.load());
    return window;
  }

  #ask(window: SimulatedWindow): void {
    const { choices, model, outside } = this.#world;
    const thread = this.#thread(window);
    if (!thread) return;
    if (thread.shown.length > 0 && choices.oneIn(3)) {
      const taken = thread.shown.splice(choices.below(thread.shown.length));
      for (const { turnId } of taken) if (turnId !== undefined) thread.removed.add(turnId);
    }
    const id = this.#world.nextTurn();
    const prompt = `ask ${id}. ${'please '.repeat(choices.pick(this.#world.isWordy ? lengths : [1]))}`;
    const stop = new AbortController();
    this.#stops.push(stop);
    const wasOver = this.#checks.isOver(model.now);
    const before = toldOf(conversationId, model.now);
    const isBusy = window.doing > 0;
    const begunAt = this.#world.now;
    const isCut = (turn: string) => thread.removed.has(turn);
    const what = `asks ${id}${thread.removed.size > 0 ? ` without ${[...thread.removed].join(' ')}` : ''}`;
    this.#does(window, { what, adds: (turn) => turn === id, cuts: isCut }, async (doing, isWell) => {
      thread.isBusy = true;
      const view = await window.threads.look({
        session: thread.session,
        prompt,
        isAside: false,
        shown: thread.shown,
      });
      await window.threads.settle(view);
      let requests = 0;
      const claude = new SimulatedClaude({
        choices,
        outside,
        crosser: window,
        turn: id,
        onRefusal: (sentence) => model.fail(`a request of ${id} is refused: ${sentence}`),
        onRequest: ({ messages, tools }) => {
          const told = tokensIn(messages).filter((turn) => turn !== id);
          this.#world.note(`  the request of ${id} tells of [${told.join(' ')}]`);
          // A turn under way goes on with what it began with.
          if (tools.length === 0 || requests++ > 0) return;
          const back = told.filter(
            (turn) => (isCut(turn) && !this.#detached.has(turn)) || (isWell() && model.gone.has(turn)),
          );
          if (back.length > 0)
            model.fail(`the request of ${id} tells of ${back.join(' ')}, which was taken back`);
          if (!isWell()) return;
          if (this.#world.limits.whenFull === 'drop')
            model.isTold(doing, told, wasOver || this.#checks.isOver(model.now));
          if (wasOver && !isBusy && told.some((turn) => before.includes(turn)))
            model.fail(`the request of ${id} tells of what has expired`);
        },
      });
      const request = {
        conversationId: view.conversation,
        turnId: id,
        shownAt: { thread: view.thread, position: view.position },
        userContent: prompt,
        model: claude,
        modelId: 'claude-sonnet-5-5',
        system: [{ type: 'text' as const, text: 'Be kind.' }],
        tools: simulatedTools(outside, window, id),
        maxRounds: 5,
        yieldRequested: () => false,
        wait: () => outside.wait(window, 'a pause', () => undefined),
        random: () => 0,
      };
      let isKept = false;
      let isAsked = false;
      for await (const event of window.assistant.answer(request, stop.signal).events) {
        if (event.type !== 'turn-end') continue;
        isKept = event.messages.length > 0;
        isAsked = event.end.reason === 'asked';
      }
      if (isAsked && isWell()) model.isAsked(doing, id);
      thread.shown.push({ prompt, turnId: id, threadId: view.thread, conversationId: view.conversation });
      thread.isBusy = false;
      if (isKept && isWell() && !doing.added.has(id) && !mayVanish(this.#world.limits))
        model.fail(`${id} was acknowledged and is not written`);
      if (isKept && !isWell() && !doing.added.has(id)) {
        doing.unwritten.add(id);
        const isKnown = tokensIn(window.chat.history()).includes(id);
        // What began before others and is long may have to go as it comes.
        const isOver = this.#checks.isLongAgo(begunAt) || this.#world.isWordy;
        if (!isKnown && !isOver && window.doing === 1 && !this.#hasOthers(window))
          model.fail(`${id} is not known where it was said`);
      }
    });
  }

  #thread(window: SimulatedWindow): Thread | undefined {
    const { choices } = this.#world;
    const free = window.shown.filter(({ isBusy }) => !isBusy);
    const [first, ...others] = free;
    if (first && !choices.oneIn(4)) return choices.pick([first, ...others]);
    const thread: Thread = {
      session: `${window.name}-thread-${window.shown.length}`,
      shown: [],
      removed: new Set(),
      isBusy: false,
    };
    window.shown.push(thread);
    return thread;
  }

  #refresh(window: SimulatedWindow): void {
    this.#does(window, { what: 'looks' }, () => window.memory.refresh());
  }

  #passTime(): void {
    const ms = this.#world.choices.pick([1_000, 60_000, 1_860_000, -600_000]);
    this.#world.note(`${ms / 1000} s pass`);
    this.#world.now += ms;
  }

  #flush(window: SimulatedWindow): void {
    this.#world.note(`VS Code writes the state of ${window.name}`);
    window.store.flush();
  }

  #clear(window: SimulatedWindow): void {
    const { model } = this.#world;
    let isMeant = (_turn: string): boolean => false;
    let meanwhile: readonly Whereabouts[] = [];
    const known = window.chat.stored()?.turns.map(({ id }) => id) ?? [];
    const cleared = () => [...known, ...meanwhile.flatMap((seen) => toldOf(conversationId, seen))];
    const own = new Set([...known, ...model.unwrittenOf(window)]);
    const erases = (turn: string, was: Place) =>
      was.live !== undefined ||
      was.isRunning ||
      isMeant(turn) ||
      own.has(turn) ||
      // Also what was cut from it, where another window has left it meanwhile.
      model.isFromSame(turn, cleared()) ||
      this.#restored.has(turn) ||
      model.unclear.has(turn);
    this.#does(window, { what: 'clears', erases }, async (doing, isWell) => {
      const isUnsettled = model.owes(window);
      isMeant = model.ofThisConversation(doing);
      meanwhile = doing.seen;
      const erased = await window.chat.clear();
      this.#cleared = erased && { in: window, erased };
      // One that has expired is in the archive, and was not meant.
      const [first = model.now] = doing.seen;
      const isClear = !isUnsettled && !doing.isCrossed && !this.#checks.isOver(first);
      if (isWell() && isClear) this.#isErased(window, doing, isMeant);
    });
  }

  #undoClear(window: SimulatedWindow): void {
    if (this.#cleared?.in !== window) return;
    const { erased } = this.#cleared;
    this.#cleared = undefined;
    const { conversation, branches = [], evicted = [] } = erased;
    const all = [conversation, ...branches.map((branch) => branch.conversation)];
    // A question may hold words of a turn that had left before.
    const said = all.flatMap(({ waiting }) => tokensIn(waiting?.sent ?? []));
    const left = [...evicted, ...branches.flatMap((branch) => branch.evicted ?? [])];
    const back = [...all.flatMap(({ turns, summarized }) => turns.concat(summarized)), ...left];
    const ids = new Set(back.map(({ id }) => id).concat(said));
    for (const id of ids) {
      this.#world.model.gone.delete(id);
      this.#restored.add(id);
    }
    // It joins what was said since, with all that was cut from either.
    this.#world.model.cutsAreUnclear();
    const doing = { what: 'undoes Clear', adds: (turn: string) => ids.has(turn), switches: true };
    this.#does(window, doing, () => window.chat.restore(erased));
  }

  #forget(window: SimulatedWindow): void {
    const turn = this.#someTurn(window);
    if (turn === undefined) return;
    const isMeant = (id: string) => id === turn;
    this.#does(window, { what: `forgets ${turn}`, erases: isMeant }, async (doing, isWell) => {
      await window.chat.forget({ turns: [turn] });
      if (isWell()) this.#isErased(window, doing, isMeant);
    });
  }

  #pin(window: SimulatedWindow): void {
    const turn = this.#someTurn(window);
    const isPinned = !this.#world.choices.oneIn(3);
    if (turn === undefined) return;
    this.#does(window, { what: `${isPinned ? 'pins' : 'unpins'} ${turn}` }, () =>
      window.chat.setPinned(turn, isPinned),
    );
  }

  #writeSummary(window: SimulatedWindow): void {
    const text = 'What was before. '.repeat(this.#world.choices.pick([1, 4_000, 20_000]));
    this.#does(window, { what: `writes a summary of ${text.length} characters` }, () =>
      window.chat.setSummary(text),
    );
  }

  #startFresh(window: SimulatedWindow): void {
    this.#does(window, { what: 'starts fresh', switches: true }, async () => {
      await window.archive.startFresh(conversationId);
    });
  }

  #resume(window: SimulatedWindow): void {
    const found = this.#someArchived();
    if (!found) return;
    const [key, turns] = found;
    const does = this.#world.choices.pick(['resume', 'continueEnded'] as const);
    for (const id of turns) this.#detached.add(id);
    const doing = {
      what: `${does} ${[...turns].join(' ')}`,
      adds: (turn: string) => turns.has(turn),
      switches: true,
    };
    this.#does(window, doing, async () => {
      await window.archive[does](conversationId, key);
    });
  }

  #deleteArchived(window: SimulatedWindow): void {
    const found = this.#someArchived();
    if (!found) return;
    const [key, turns] = found;
    const erases = (_turn: string, was: Place) => was.archived.includes(key);
    this.#does(window, { what: `deletes ${[...turns].join(' ')}`, erases }, async (doing, isWell) => {
      const archived = await window.archive.get(key);
      if (!archived) return;
      await window.archive.remove(archived);
      if (!isWell()) return;
      if (this.#world.model.now.archived.has(key))
        this.#world.model.fail('what was deleted is still in the archive');
      this.#isErased(window, doing, () => false);
    });
  }

  #deleteAll(window: SimulatedWindow): void {
    if (!this.#world.choices.oneIn(4)) return;
    this.#does(window, { what: 'deletes all', erases: () => true }, async (doing, isWell) => {
      await window.memory.deleteAll();
      if (isWell()) this.#isErased(window, doing, () => true);
    });
  }

  #changeLimits(): void {
    const { choices, limits } = this.#world;
    this.#world.limits = {
      ...limits,
      maxTurns: choices.pick([3, 1, 2, 5, 0]),
      timeoutSeconds: choices.pick([1800, 60, 0]),
      eviction: choices.pick(['oldest', 'half']),
      whenFull: choices.pick(['drop', 'drop', 'summarize']),
      archiveSize: choices.pick([100, 100, 2, 0]),
    };
    this.#world.note(`limits: ${JSON.stringify(this.#world.limits)}`);
  }

  #stop(): void {
    this.#world.note('Stop');
    this.#stops.shift()?.abort();
  }

  #reload(window: SimulatedWindow, place: number): void {
    if (window.doing > 0) return;
    this.#world.note(`${window.name} is closed`);
    this.#checks.keepsUnwritten(window);
    window.close();
    this.#open(place);
  }

  #kill(window: SimulatedWindow): void {
    this.#world.note(`kill -9 of ${window.name}`);
    window.die();
  }

  #cutPower(): void {
    this.#world.note('the power fails');
    for (const window of this.#world.openWindows) window.die();
    this.#world.disk.cutPower();
    this.#world.checkDisk('the power failed');
  }

  #troubleDisk(): void {
    const { disk, choices } = this.#world;
    disk.isFull = !disk.isFull && choices.oneIn(2);
    disk.lockedFor = disk.isFull ? 0 : choices.below(4);
    this.#world.note(
      disk.isFull ? 'the disk is full' : `the disk is well, locked for ${disk.lockedFor} tries`,
    );
  }

  /** Nobody waits for it; what goes on here is seen by the model. */
  #does(
    window: SimulatedWindow,
    about: Omit<Plan, 'by'>,
    act: (doing: Doing, isWell: () => boolean) => Promise<unknown>,
  ): void {
    const { model } = this.#world;
    this.#world.note(`${window.name} ${about.what}`);
    const doing = model.begin({ ...about, by: window });
    const faults = window.faults;
    const isWell = () => window.faults === faults && !model.owes(window) && !window.isDead;
    window.doing++;
    const ended = act(doing, isWell).catch((error: unknown) => {
      const isNamed = error instanceof UserError || (error instanceof StoreError && window.faults > faults);
      if (!isNamed && !window.isDead)
        model.fail(`${about.what} failed: ${String(error)}\n${(error as Error).stack}`);
    });
    const end = (): void => {
      window.doing--;
      model.end(doing, isWell());
    };
    void ended.then(end);
  }

  #isErased(window: SimulatedWindow, doing: Doing, isMeant: (turn: string) => boolean): void {
    this.#world.model.isErased(doing, isMeant);
    // What another one erases at this moment may still stand there.
    if (window.doing === 1) this.#checks.isOnNoDisk(window, doing.erased);
  }

  #someTurn(window: SimulatedWindow): string | undefined {
    const [first, ...others] = window.chat.snapshot()?.turns.map(({ id }) => id) ?? [];
    return first === undefined ? undefined : this.#world.choices.pick([first, ...others]);
  }

  #someArchived(): readonly [string, ReadonlySet<string>] | undefined {
    const [first, ...others] = [...this.#world.model.now.archived].map(
      ([key, { turns }]) => [key, turns] as const,
    );
    return first && this.#world.choices.pick([first, ...others]);
  }

  #hasOthers(window: SimulatedWindow): boolean {
    return this.#world.openWindows.some((other) => other !== window);
  }
}

/** Of a long message, in words. */
const lengths = [1, 20_000, 14_000, 9_000] as const;
