import { priceOf } from '../../src/claude/models';
import { createForecast, type Forecast } from '../../src/core/agent/forecast';
import { createSpending, type Spending } from '../../src/core/agent/spending';
import type { Clock } from '../../src/core/ports';
import { createSpendingStore } from '../../src/storage/spendingTable';
import { inMemory, Sqlite } from '../../src/storage/sqlite';

export interface TestSpending {
  readonly spending: Spending;
  readonly forecast: Forecast;
  readonly sqlite: Sqlite;
  readonly warnings: readonly string[];
}

/** What one window spends, on a database in memory unless there is a file. */
export async function openSpending(clock: Clock = Date.now, file = inMemory): Promise<TestSpending> {
  const sqlite = await Sqlite.open(file);
  const forecast = createForecast(clock);
  const warnings: string[] = [];
  const spending = createSpending({
    store: createSpendingStore(async () => (sqlite.isOpen ? sqlite : undefined)),
    priceOf,
    forecast,
    clock,
    log: {
      info: () => undefined,
      warn: (line) => void warnings.push(line),
      error: () => undefined,
    },
  });
  return { spending, forecast, sqlite, warnings };
}
