import type { Models } from '@anthropic-ai/sdk/resources/models';
import { isObject } from '../core/json';
import type { Clock } from '../core/ports';
import { toFacts, type ModelFacts } from './models';

/** So long a list holds; and so long it is not asked for again where there was none. */
const lifetimeMs = 60 * 60_000;
const failureLifetimeMs = 10 * 60_000;
/** Nobody offers so many: a gateway that goes on has lost its place. */
const maxEntries = 1_000;

/** The models on offer, as they were listed for a credential. */
export interface ModelList {
  /** Those that are known now. */
  readonly known: readonly ModelFacts[];
  /** Asks where that is due. Never fails: then, what was known for this credential stays. */
  refresh(credential: string, ask: () => Promise<readonly ModelFacts[]>): Promise<void>;
}

export function createModelList(clock: Clock): ModelList {
  let known: readonly ModelFacts[] = [];
  let asked:
    | { readonly credential: string; readonly until: number; readonly done: Promise<void> }
    | undefined;

  async function list(credential: string, ask: () => Promise<readonly ModelFacts[]>): Promise<void> {
    try {
      const listed = await ask();
      if (asked?.credential === credential) known = listed;
    } catch {
      if (asked?.credential === credential) asked = { ...asked, until: clock() + failureLifetimeMs };
    }
  }

  return {
    get known() {
      return known;
    },
    async refresh(credential, ask) {
      if (asked?.credential === credential && clock() < asked.until) return asked.done;
      if (asked?.credential !== credential) known = [];
      const done = list(credential, ask);
      asked = { credential, until: clock() + lifetimeMs, done };
      return done;
    },
  };
}

/** All pages of the list. What is no model, is retired or comes again is left out. */
export async function readModels(pages: ReturnType<Models['list']>): Promise<readonly ModelFacts[]> {
  const found = new Map<string, ModelFacts>();
  let entries = 0;
  for await (const page of (await pages).iterPages()) {
    const data: unknown = page.getPaginatedItems();
    const before = found.size;
    for (const raw of Array.isArray(data) ? data : []) {
      entries++;
      const facts = isObject(raw) && raw['lifecycle'] !== 'retired' ? toFacts(raw) : undefined;
      if (facts && !found.has(facts.id)) found.set(facts.id, facts);
    }
    // Without anything new, the next page would be the same again.
    if (found.size === before || entries >= maxEntries) break;
  }
  return [...found.values()];
}
