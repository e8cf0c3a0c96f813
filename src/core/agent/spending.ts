import type { DaySum } from '../conversation/reports/daySum';
import { OverBudget, type BudgetStop } from '../errors';
import { inputTokens, isSpent, type Usage } from '../messages';
import type { Clock, Log, Model, ModelRequest } from '../ports';
import { tierOf, type Price } from '../price';
import { dayOf } from '../text/dayOf';
import { bytesPerToken, type Forecast } from './forecast';
import { TurnModel, type Admission, type Gate } from './turnModel';

/** US dollars; 0 is no limit. */
export interface BudgetLimits {
  readonly turn: number;
  readonly day: number;
}

/** The sums of the days, and what requests under way may still take. */
export interface SpendingTable {
  sum(day: string): DaySum;
  /** What is held for requests that began after this. */
  held(day: string, since: number): number;
  /** `least` counts even if nobody ever says what the request took. Returns its id. */
  hold(request: {
    readonly day: string;
    readonly at: number;
    readonly least: number;
    readonly most: number;
  }): number;
  add(day: string, spent: DaySum): void;
  release(id: number): void;
}

export interface SpendingStore {
  read<T>(job: (table: SpendingTable) => T): Promise<T>;
  change<T>(job: (table: SpendingTable) => T): Promise<T>;
}

export interface Spending {
  /** For the requests of one turn. `isBeyond`: the user has said to go on beyond the limits, once. */
  gate(limits: BudgetLimits, options?: { readonly isBeyond?: boolean | undefined }): Gate;
  /** Claude for other chats, whose requests are no turns: of the limits, that of the day counts. */
  forOthers(model: Model, limits: BudgetLimits): Model;
  today(): Promise<DaySum>;
  readonly priceOf: (modelId: string) => Price | undefined;
}

/** An answer shorter than this is not worth asking for. */
const leastOutput = 1_000;
const defaultOutput = 64_000;
/** How many tokens a text has is known for certain only afterwards. */
const margin = 1.1;
/** A request that nobody has settled by then belongs to a window that is gone. */
const heldMs = 900_000;

/** Keeps what is spent within what may be (L14). */
export function createSpending(options: {
  readonly store: SpendingStore;
  readonly priceOf: (modelId: string) => Price | undefined;
  readonly forecast: Forecast;
  readonly clock: Clock;
  readonly log: Log;
}): Spending {
  const { store, priceOf, forecast, clock, log } = options;
  /** What could not be written counts in this window. */
  const unwritten = new Map<string, DaySum>();

  const sumOf = (table: SpendingTable, day: string): DaySum =>
    addSums(table.sum(day), unwritten.get(day) ?? nothing);

  const keep = async (day: string, spent: DaySum, held: number | undefined): Promise<void> => {
    try {
      await store.change((table) => {
        if (held !== undefined) table.release(held);
        table.add(day, spent);
      });
    } catch (error) {
      log.warn(`the day's spending cannot be written: ${String(error)}`);
      unwritten.set(day, addSums(unwritten.get(day) ?? nothing, spent));
    }
  };

  /** Some gateways say nothing of what was used: then it is what was expected, and what came of it. */
  function completed(
    reported: Usage,
    about: { readonly request: ModelRequest; readonly price: Price; readonly arrived: number },
  ): Usage {
    if (inputTokens(reported) > 0) return reported;
    const { request, price, arrived } = about;
    const { tokens: input, cost } = forecast.coldInput(request, price);
    const output = reported.output || Math.ceil(arrived / bytesPerToken);
    return { ...reported, input, output, cost: cost + (output * tierOf(price, input).output) / 1_000_000 };
  }

  function gate(limits: BudgetLimits, { isBeyond = false } = {}): Gate {
    let spent = 0;
    /** What requests of this turn that are under way may take. */
    let pending = 0;
    let hasAsked = false;
    /** What was spent on a day before a turn that may go beyond its limit. */
    let before: { readonly day: string; readonly cost: number } | undefined;

    /** Holds what the request may take of the day; the id of that, or what the day has spent already. */
    async function holdOfDay(day: string, need: Need, isFree: boolean): Promise<Held> {
      if (limits.day === 0) return { most: need.most };
      try {
        return await store.change((table) => {
          const at = clock();
          const taken = sumOf(table, day).cost + table.held(day, at - heldMs);
          if (isBeyond) before ??= { day, cost: taken };
          const left = limits.day + (before?.day === day ? before.cost : 0) - taken;
          if (!isFree && need.least > left)
            throw new OverBudget({ ...need.stop, limit: 'day', amount: limits.day, spentToday: taken });
          const most = isFree ? need.most : Math.min(need.most, left);
          return { most, id: table.hold({ day, at, least: need.input, most }) };
        });
      } catch (error) {
        if (error instanceof OverBudget) throw error;
        // A database that cannot be used never keeps anybody from working; the turn's own limit still counts.
        log.warn(`the day's spending cannot be read: ${String(error)}`);
        return { most: need.most };
      }
    }

    return {
      async admit(request, kind): Promise<Admission> {
        const startedAt = clock();
        const day = dayOf(startedAt);
        const price = priceOf(request.model);
        const asked = request.maxOutputTokens ?? defaultOutput;
        const isFree = isBeyond && !hasAsked;
        let admitted = request;
        let held: Held = { most: 0 };
        if (price && limits.turn + limits.day > 0) {
          // The API may drop what it has cached at any time, and says so with the bill.
          const { cost: input, tokens } = forecast.coldInput(request, price, margin);
          const perToken = tierOf(price, tokens).output / 1_000_000;
          const shortest = Math.min(asked, leastOutput) * perToken;
          const least = input + shortest;
          const likely = forecast.input(request, price).cost + shortest;
          const stop = { spent, next: least, likely };
          const left = limits.turn > 0 ? limits.turn - spent - pending : Infinity;
          if (!isFree && least > left)
            throw new OverBudget({ ...stop, limit: 'turn', amount: limits.turn, spentToday: 0 });
          const most = Math.min(input + asked * perToken, isFree ? Infinity : left);
          // Before anything is waited for: scouts ask at the same moment.
          pending += most;
          try {
            held = await holdOfDay(day, { input, least, most, stop }, isFree);
          } finally {
            pending -= most - held.most;
          }
          // Whatever Claude has to say, it fits into what is left.
          const affordable = perToken === 0 ? asked : Math.floor((held.most - input) / perToken);
          if (affordable < asked) admitted = { ...request, maxOutputTokens: affordable };
        }
        if (kind === 'answer') hasAsked = true;
        return {
          request: admitted,
          async settle(reported, arrived) {
            const usage =
              arrived === undefined || price === undefined
                ? reported
                : completed(reported, { request, price, arrived });
            pending -= held.most;
            spent += usage.cost ?? 0;
            // What came to nothing is sent once more.
            if (isFree && !isSpent(usage)) hasAsked = false;
            forecast.learn(request, reported, startedAt);
            if (isSpent(usage) || held.id !== undefined) await keep(day, sumOfUsage(usage), held.id);
          },
        };
      },
    };
  }

  return {
    gate,
    forOthers(model, { day }) {
      const guarded = new TurnModel(model);
      guarded.guard(gate({ turn: 0, day }));
      return guarded;
    },
    priceOf,
    async today() {
      const day = dayOf(clock());
      try {
        return await store.read((table) => sumOf(table, day));
      } catch {
        // It is said where it is written.
        return unwritten.get(day) ?? nothing;
      }
    },
  };
}

interface Need {
  readonly input: number;
  readonly least: number;
  readonly most: number;
  readonly stop: Pick<BudgetStop, 'spent' | 'next' | 'likely'>;
}

interface Held {
  readonly most: number;
  readonly id?: number;
}

const nothing: DaySum = { cost: 0, unpricedTokens: 0 };

function addSums(a: DaySum, b: DaySum): DaySum {
  return { cost: a.cost + b.cost, unpricedTokens: a.unpricedTokens + b.unpricedTokens };
}

function sumOfUsage(usage: Usage): DaySum {
  return usage.cost === undefined
    ? { cost: 0, unpricedTokens: inputTokens(usage) + usage.output }
    : { cost: usage.cost, unpricedTokens: 0 };
}
