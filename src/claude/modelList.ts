import type { Models } from '@anthropic-ai/sdk/resources/models';
import type { Clock } from '../core/ports';
import { isObject } from '../core/text/json';
import { toDetails, type ModelDetails } from './models';

/** How long a list is used, and how long to wait after a failure. */
const lifetimeMs = 60 * 60_000;
const failureLifetimeMs = 10 * 60_000;
/** More than anyone offers: a gateway that goes on repeats itself. */
const maxEntries = 1_000;

/** The models on offer, as they were listed for a credential. */
export interface ModelList {
  readonly known: readonly ModelDetails[];
  /** Asks when that is due. Never rejects: after a failure, what was known for this credential stays. */
  refresh(credential: string, ask: () => Promise<readonly ModelDetails[]>): Promise<void>;
}

export function createModelList(clock: Clock): ModelList {
  let known: readonly ModelDetails[] = [];
  let asked:
    | { readonly credential: string; readonly until: number; readonly done: Promise<void> }
    | undefined;

  async function list(credential: string, ask: () => Promise<readonly ModelDetails[]>): Promise<void> {
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

/** All pages of the list, without retired models, repetitions and what is not a model. */
export async function readModels(pages: ReturnType<Models['list']>): Promise<readonly ModelDetails[]> {
  const found = new Map<string, ModelDetails>();
  let entries = 0;
  for await (const page of (await pages).iterPages()) {
    const data: unknown = page.getPaginatedItems();
    const before = found.size;
    for (const raw of Array.isArray(data) ? data : []) {
      entries++;
      const facts = isObject(raw) && raw['lifecycle'] !== 'retired' ? toDetails(raw) : undefined;
      if (facts && !found.has(facts.id)) found.set(facts.id, facts);
    }
    // Without anything new, the next page would be the same again.
    if (found.size === before || entries >= maxEntries) break;
  }
  return [...found.values()];
}
