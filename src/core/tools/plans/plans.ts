import type { Clock } from '../../ports';
import { keepsLines, maxClosedPlans, type Plan } from './plan';

/** The plans of a workspace: at most one that is open, and those that were closed. */
export interface Plans {
  open(): Promise<Plan | undefined>;
  get(id: number): Promise<Plan | undefined>;
  /** The open one first, then the closed ones, the newest first. */
  list(): Promise<readonly Plan[]>;
  /** Claude writes, on what Claude has seen. */
  write(writing: Writing): Promise<Written>;
  /** The user writes, on the revision that they have seen. Undefined when the plan is no longer there. */
  save(id: number, text: string, revision: number): Promise<Saved | undefined>;
  /** Another one that is open is closed. Undefined when the plan is no longer there. */
  start(id: number): Promise<Plan | undefined>;
  /** It is kept, and no longer sent. */
  close(id: number): Promise<Plan | undefined>;
  /** Opens it again as it was. Another one that is open is closed. */
  reopen(id: number): Promise<Plan | undefined>;
  /** Adds one that comes from elsewhere: not started, and closed when another one is open. */
  add(text: string): Promise<Plan>;
  /** For good (M26), and returns them, so that `restore` can undo it. */
  erase(ids: readonly number[]): Promise<readonly Plan[]>;
  restore(plans: readonly Plan[]): Promise<void>;
  /** One was changed, here or in another window. */
  onDidChange(listener: () => void): { dispose(): void };
  /** To be told that another window may have written. */
  refresh(): void;
}

export interface Writing {
  readonly text: string;
  /** Undefined when Claude has seen none. */
  readonly seen: SeenPlan | undefined;
  /** It is written to be read first (N1), and not to be worked on. */
  readonly isPlanning: boolean;
}

export type SeenPlan = Pick<Plan, 'id' | 'revision'>;

export type Written =
  | { readonly kind: 'written'; readonly plan: Plan }
  /** Not written: the user has changed it since. */
  | { readonly kind: 'changed'; readonly plan: Plan }
  /** Not written: the user has closed it since. */
  | { readonly kind: 'closed' };

export type Saved =
  | { readonly kind: 'saved'; readonly plan: Plan }
  | { readonly kind: 'changed'; readonly plan: Plan };

/** Where they are kept. One job is one transaction. */
export interface PlanStore {
  read<T>(job: (table: Pick<PlanTable, 'open' | 'list' | 'get'>) => T): Promise<T>;
  change<T>(job: (table: PlanTable) => T): Promise<T>;
  /** The same for a job that erases: no byte of what is gone then stays in any file. */
  erase<T>(job: (table: PlanTable) => T): Promise<T>;
}

export interface PlanTable {
  open(): Plan | undefined;
  /** In no order. */
  list(): readonly Plan[];
  get(id: number): Plan | undefined;
  add(plan: Omit<Plan, 'id'>): number;
  /** Also one that is no longer there. */
  put(plan: Plan): void;
  remove(id: number): void;
}

export function createPlans(options: { readonly store: PlanStore; readonly clock: Clock }): Plans {
  const { store, clock } = options;
  const listeners = new Set<() => void>();
  const fire = () => {
    for (const listener of listeners) listener();
  };
  const change = async <T>(job: (table: PlanTable) => T): Promise<T> => {
    const result = await store.change((table) => {
      const value = job(table);
      trim(table);
      return value;
    });
    fire();
    return result;
  };
  const update = (id: number, next: (plan: Plan, table: PlanTable) => Plan) =>
    change((table) => {
      const plan = table.get(id);
      if (!plan) return undefined;
      const now = next(plan, table);
      table.put(now);
      return now;
    });

  return {
    open: () => store.read((table) => table.open()),
    get: (id) => store.read((table) => table.get(id)),
    list: () => store.read((table) => table.list().toSorted(byAge)),

    write: (writing) => change((table) => write(table, writing, clock())),

    save: (id, text, revision) =>
      change((table): Saved | undefined => {
        const known = table.get(id);
        if (!known) return undefined;
        if (known.revision !== revision) return { kind: 'changed', plan: known };
        const plan = withText(known, { text, isEdited: true }, clock());
        table.put(plan);
        return { kind: 'saved', plan };
      }),

    start: (id) =>
      update(id, (plan, table) => {
        closeOther(table, id);
        return { ...plan, isClosed: false, startedAt: clock() };
      }),
    close: (id) => update(id, (plan) => ({ ...plan, isClosed: true })),
    reopen: (id) =>
      update(id, (plan, table) => {
        closeOther(table, id);
        return { ...plan, isClosed: false };
      }),

    add: (text) =>
      change((table) => {
        const isClosed = table.open() !== undefined;
        return added(table, { ...firstRevision(text, true, clock()), isClosed });
      }),

    async erase(ids) {
      const erased = await store.erase((table) => {
        const found = ids.flatMap((id) => table.get(id) ?? []);
        for (const { id } of found) table.remove(id);
        return found;
      });
      fire();
      return erased;
    },
    restore: (plans) =>
      change((table) => {
        for (const plan of plans) {
          const isFree = plan.isClosed || table.open() === undefined;
          table.put(isFree ? plan : { ...plan, isClosed: true });
        }
      }),

    onDidChange(listener) {
      listeners.add(listener);
      return { dispose: () => listeners.delete(listener) };
    },
    refresh: fire,
  };
}

function write(table: PlanTable, { text, seen, isPlanning }: Writing, now: number): Written {
  const open = table.open();
  if (!open) {
    if (seen) return { kind: 'closed' };
    const startedAt = isPlanning ? undefined : now;
    return {
      kind: 'written',
      plan: added(table, { ...firstRevision(text, false, now), startedAt, isClosed: false }),
    };
  }
  if (open.id !== seen?.id || open.revision !== seen.revision) return { kind: 'changed', plan: open };
  const isOther = !keepsLines(open.text, text);
  // What the user wrote, or what was worked on, is kept beside what takes its place.
  const isCopied = isOther && (open.isEdited || open.startedAt !== undefined);
  if (isCopied) {
    const { id: _id, ...copy } = open;
    table.add({ ...copy, isClosed: true });
  }
  const startedAt = isPlanning ? (isOther ? undefined : open.startedAt) : (open.startedAt ?? now);
  const plan = { ...withText(open, { text, isEdited: open.isEdited && !isCopied }, now), startedAt };
  table.put(plan);
  return { kind: 'written', plan };
}

function withText(plan: Plan, { text, isEdited }: Pick<Plan, 'text' | 'isEdited'>, now: number): Plan {
  if (plan.text === text) return plan;
  return {
    ...plan,
    text,
    isEdited,
    revision: plan.revision + 1,
    changedAt: Math.max(now, plan.changedAt + 1),
  };
}

function firstRevision(text: string, isEdited: boolean, now: number) {
  return { text, isEdited, revision: 1, changedAt: now };
}

function added(table: PlanTable, plan: Omit<Plan, 'id'>): Plan {
  return { ...plan, id: table.add(plan) };
}

function closeOther(table: PlanTable, id: number): void {
  const open = table.open();
  if (open && open.id !== id) table.put({ ...open, isClosed: true });
}

function trim(table: PlanTable): void {
  const closed = table
    .list()
    .filter(({ isClosed }) => isClosed)
    .toSorted(byAge);
  // One without words is no plan.
  const gone = [
    ...closed.slice(maxClosedPlans),
    ...closed.slice(0, maxClosedPlans).filter(({ text }) => text.trim() === ''),
  ];
  for (const { id } of gone) table.remove(id);
}

function byAge(a: Plan, b: Plan): number {
  return Number(a.isClosed) - Number(b.isClosed) || b.changedAt - a.changedAt || b.id - a.id;
}
