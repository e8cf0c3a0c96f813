import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createMemory } from '../../../src/core/conversation/memory/memory';
import { findTurns } from '../../../src/core/conversation/recall/findTurns';
import { createRecall } from '../../../src/core/conversation/recall/recall';
import type { Conversation, StoredTurn } from '../../../src/core/conversation/turn';
import type { Message } from '../../../src/core/messages';
import { createMemoryDatabase } from '../../../src/storage/memoryDatabase';
import { Sqlite } from '../../../src/storage/sqlite';
import { noLimits } from '../../support/conversation/limits';
import { WorkspaceState } from '../../support/conversation/workspaceState';
import { projectRoot } from '../../support/projectPaths';
import { silent } from '../benchWorkspace';

/** An invented conversation about code, and what somebody looks for in it weeks later. */
interface Talk {
  readonly title: string;
  readonly daysAgo: number;
  readonly exchanges: readonly TalkExchange[];
  readonly questions: readonly { readonly question: string; readonly exchanges: readonly number[] }[];
}

interface TalkExchange {
  readonly asked: string;
  readonly answered: string;
  readonly calls?: readonly { readonly name: string; readonly input: object; readonly result: string }[];
}

/** The share of the questions whose exchange is among the first of what was found. */
export interface RecallFigures {
  readonly questions: number;
  readonly among5: number;
  readonly among10: number;
}

/** `heldBack` was not looked at while the search was tuned. `utterances` is bm25 over what each side said, by itself. */
export async function measureRecall(): Promise<{
  readonly tuning: RecallFigures;
  readonly heldBack: RecallFigures;
  readonly utterances: RecallFigures;
}> {
  const all = readTalks();
  const archive = await archiveOf(all.map(({ talk }) => talk));
  try {
    const search = async (question: string) =>
      (
        (await archive.memory.search((turns) =>
          findTurns(turns, question, { limit: 10, inSight: new Set() }),
        )) ?? []
      ).map(({ turn }) => turn);
    return {
      tuning: await askAll(
        all.filter(({ half }) => half === 'tuning'),
        search,
      ),
      heldBack: await askAll(
        all.filter(({ half }) => half === 'heldBack'),
        search,
      ),
      utterances: await askAll(
        all.filter(({ half }) => half === 'heldBack'),
        await searchUtterances(all),
      ),
    };
  } finally {
    archive.remove();
  }
}

/** How long a recall takes, and how large the database is, with so many turns. */
export async function measureRecallAt(turns: number): Promise<{
  readonly medianMs: number;
  readonly p95Ms: number;
  readonly megabytes: number;
  readonly bytesATurn: number;
}> {
  const all = readTalks();
  const count = all.reduce((sum, { talk }) => sum + talk.exchanges.length, 0);
  const copies = Array.from({ length: Math.ceil(turns / count) }, () => all.map(({ talk }) => talk)).flat();
  const archive = await archiveOf(copies);
  try {
    const recall = createRecall(archive.memory);
    const questions = all.flatMap(({ talk }) => talk.questions.map(({ question }) => question));
    const times: number[] = [];
    for (const question of questions) {
      const start = performance.now();
      await recall.find(question, 5);
      times.push(performance.now() - start);
    }
    times.sort((a, b) => a - b);
    const at = (share: number) => times[Math.floor(times.length * share)] ?? NaN;
    const bytes = archive.bytes();
    return {
      medianMs: at(0.5),
      p95Ms: at(0.95),
      megabytes: bytes / 1e6,
      bytesATurn: bytes / ((copies.length * count) / all.length),
    };
  } finally {
    archive.remove();
  }
}

interface TalkOfHalf {
  readonly half: 'tuning' | 'heldBack';
  readonly index: number;
  readonly talk: Talk;
}

function readTalks(): readonly TalkOfHalf[] {
  const halves = ['tuning', 'heldBack'] as const;
  return halves
    .flatMap((half) => {
      const file = join(projectRoot, `test/bench/recall/${half}.json`);
      return (JSON.parse(readFileSync(file, 'utf8')) as readonly Talk[]).map((talk) => ({ half, talk }));
    })
    .map(({ half, talk }, index) => ({ half, talk, index }));
}

/** What others do: each utterance is a document, and the best one counts. */
async function searchUtterances(
  all: readonly TalkOfHalf[],
): Promise<(question: string) => Promise<readonly string[]>> {
  const { DatabaseSync } = await import('node:sqlite');
  const database = new DatabaseSync(':memory:');
  database.exec("CREATE VIRTUAL TABLE said USING fts5 (turn UNINDEXED, text, tokenize = 'porter unicode61')");
  const insert = database.prepare('INSERT INTO said VALUES (?, ?)');
  for (const { index, talk } of all)
    for (const [at, { asked, answered }] of talk.exchanges.entries())
      for (const text of [asked, answered]) insert.run(turnId(index, at), text);
  const select = database.prepare('SELECT turn FROM said WHERE said MATCH ? ORDER BY rank LIMIT 100');
  return async (question) => {
    const words = (question.match(/[\p{L}\p{N}]+/gu) ?? []).map((word) => `"${word}"`);
    const found = select.all(words.join(' OR ')).map(({ turn }) => String(turn));
    return [...new Set(found)].slice(0, 10);
  };
}

const day = 24 * 60 * 60 * 1000;
const now = Date.UTC(2026, 0, 1);

/** A workspace in which all these conversations are archived. */
async function archiveOf(talks: readonly Talk[]) {
  const folder = mkdtempSync(join(tmpdir(), 'bench-recall-'));
  const file = join(folder, 'memory.db');
  const sqlite = await Sqlite.open(file);
  const memory = createMemory({
    store: new WorkspaceState().openWindow(),
    open: async () => createMemoryDatabase(sqlite),
    clock: () => now,
    ids: () => 'id',
    wait: async () => undefined,
    settings: () => ({ ...noLimits, archiveSize: 100_000 }),
    log: silent,
    activationId: 'bench',
    owner: { pid: 1, startedAt: 1 },
    isAlive: async () => false,
  });
  await memory.change((draft) => {
    for (const [index, talk] of talks.entries()) draft.archive(toConversation(talk, index), { kind: 'left' });
  });
  return {
    memory,
    bytes: () => {
      sqlite.scrub();
      return statSync(file).size;
    },
    remove() {
      sqlite.close();
      rmSync(folder, { recursive: true });
    },
  };
}

async function askAll(
  talks: readonly TalkOfHalf[],
  search: (question: string) => Promise<readonly string[]>,
): Promise<RecallFigures> {
  const ranks: number[] = [];
  for (const { index, talk } of talks) {
    for (const { question, exchanges } of talk.questions) {
      const found = await search(question);
      ranks.push(found.findIndex((id) => exchanges.some((at) => id === turnId(index, at))));
    }
  }
  const share = (first: number) => ranks.filter((rank) => rank >= 0 && rank < first).length / ranks.length;
  return { questions: ranks.length, among5: share(5), among10: share(10) };
}

function turnId(talk: number, exchange: number): string {
  return `talk${talk}-${exchange}`;
}

function toConversation({ exchanges, daysAgo }: Talk, index: number): Conversation {
  const begin = now - daysAgo * day;
  return {
    id: `talk${index}`,
    lineage: `talk${index}`,
    lastActive: begin + exchanges.length * 60_000,
    turns: exchanges.map((exchange, at) => toTurn(exchange, turnId(index, at), begin + at * 60_000)),
    summarized: [],
    params: [],
  };
}

function toTurn({ asked, answered, calls = [] }: TalkExchange, id: string, at: number): StoredTurn {
  const rounds = calls.flatMap(({ name, input, result }, index): Message[] => [
    { role: 'assistant', content: [{ type: 'tool_use', id: `${id}-${index}`, name, input }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: `${id}-${index}`, content: result }] },
  ]);
  const messages: Message[] = [
    { role: 'user', content: asked },
    ...rounds,
    { role: 'assistant', content: answered },
  ];
  return { id, startedAt: at, endedAt: at, order: at, outcome: 'finished', messages };
}
