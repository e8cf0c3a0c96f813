import { deepStrictEqual, ok, strictEqual } from 'node:assert/strict';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { OlderData } from '../../../src/core/conversation/store';
import { valuesOf, type Conversation } from '../../../src/core/conversation/turn';
import { decodeRecord } from '../../../src/core/ledger/decodeRecord';
import { paramId } from '../../../src/core/ledger/record';
import { readOlder } from '../../../src/storage/older/readOlder';
import { projectRoot } from '../../support/projectPaths';

/** Folders that the last version without a database wrote, and what it read from them; see their README.md. */
const fixtures = join(projectRoot, 'test/fixtures/older');

interface Expected {
  readonly now: number;
  readonly conversations: readonly Omit<Conversation, 'params'>[];
  /** By conversation, what was remembered after these turns had been taken back. */
  readonly values: Values;
  readonly archived: readonly { readonly id: string; readonly conversation: Omit<Conversation, 'params'> }[];
  readonly archivedValues: Values;
  readonly unreadable: readonly string[];
}

type Values = Readonly<
  Record<string, readonly { readonly cut: readonly string[]; readonly values: object }[]>
>;

describe('what older versions stored', () => {
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'older-'))));
  afterEach(() => rmSync(folder, { recursive: true }));

  for (const name of ['plain', 'crash', 'windows', 'archived', 'version1']) {
    it(`is read as the version that wrote it read it: ${name}`, async () => {
      const { data, expected } = await read(name);
      deepStrictEqual(byId(data.conversations.map(withoutParams)), byId(expected.conversations));
      deepStrictEqual(
        data.archived.map((one) => ({ ...one, conversation: withoutParams(one.conversation) })),
        expected.archived,
      );
      deepStrictEqual(
        data.unreadable.map((path) => basename(path)),
        expected.unreadable,
      );
    });

    it(`has the same values, also after every rewind: ${name}`, async () => {
      const { data, expected } = await read(name);
      deepStrictEqual(
        valuesIn(
          data.conversations.map((one) => [one.id, one]),
          expected.values,
        ),
        expected.values,
      );
      deepStrictEqual(
        valuesIn(
          data.archived.map((one) => [one.id, one.conversation]),
          expected.archivedValues,
        ),
        expected.archivedValues,
      );
    });
  }

  it('keeps what a turn had changed as the writes before and after it', async () => {
    const { data } = await read('plain');
    const writes = data.conversations[0]?.params.map(({ name, value, turnId }) => [name, value, turnId]);
    deepStrictEqual(writes, [
      ['name', 'shop', 't1'],
      ['port', '8080', 't1'],
      ['name', null, 't2'],
      ['port', '9090', 't2'],
      ['port', null, 't5'],
      ['name', 'store', 't3'],
      ['editor', 'by hand', undefined],
    ]);
  });

  it('recovers the turn of a window that died as an interrupted one', async () => {
    const { data } = await read('crash');
    const turn = data.conversations[0]?.turns.find(({ id }) => id === 't5');
    deepStrictEqual(
      [turn?.outcome, turn?.messages.at(-1)?.content],
      [
        'interrupted',
        [
          {
            type: 'text',
            text: '[This turn was interrupted: VS Code stopped before it was finished. What is above was done.]',
          },
        ],
      ],
    );
  });

  it('brings turns back that only the beaten of two summaries told of', async () => {
    const { data } = await read('windows');
    const one = data.conversations.find(({ id }) => id === 'conversation1');
    deepStrictEqual(
      [one?.summary?.text, one?.summarized.map(({ id }) => id), one?.turns.map(({ id }) => id)],
      ['In window 2: t1 and t4.', ['t1', 't4'], ['t3', 't6', 't7']],
    );
  });

  it('has the records of what was sent without any words', async () => {
    const { data } = await read('plain');
    strictEqual(
      /words|What is the port|an earlier question|long ago/.test(JSON.stringify(data.answers)),
      false,
    );
    deepStrictEqual(
      data.answers.map((answer) => {
        const { turn, conversation, requests } = decodeRecord(answer)!;
        return [turn, conversation, requests];
      }),
      [
        ['t5', 'conversation1', 2],
        ['t9', undefined, 2],
      ],
    );
    deepStrictEqual(decodeRecord(data.answers[0])?.sent, [
      { kind: 'system', tokens: 500 },
      { kind: 'turn', turn: 't0', tokens: 60, placeholders: 1 },
      { kind: 'param', param: paramId('port'), tokens: 9 },
      { kind: 'message', tokens: 431 },
    ]);
    deepStrictEqual(data.departures, [
      { conversation: 'conversation1', turn: 't4', reason: 'forgotten', tokens: 60, at: 1767603625000 },
    ]);
  });

  it('lets go of the texts before changes, which nothing could be judged by', async () => {
    const { data } = await read('plain');
    const [file = ''] = readdirSync(join(fixtures, 'plain/changes'));
    ok(data.files.some((path) => path.endsWith(`changes/${file}`)));
  });

  it('names the files to remove: all that were read, and half-written ones', async () => {
    const { data } = await read('archived');
    const there = readdirSync(join(folder, 'archive'));
    const staying = new Set(data.unreadable.map((path) => basename(path)).concat('notes.txt'));
    deepStrictEqual(
      data.files.map((path) => basename(path)).toSorted(),
      there.filter((name) => !staying.has(name)).toSorted(),
    );
    for (const path of data.files) rmSync(path);
    strictEqual(await readOlder({ folder, state: undefined, besides: undefined, now: 0 }), undefined);
  });

  it('names damaged parts of an archived conversation and takes the rest', async () => {
    const { data } = await read('archived');
    deepStrictEqual(
      data.damaged.map(({ what }) => what),
      ['a turn of conversation p'],
    );
    deepStrictEqual(
      data.archived.at(-1)?.conversation.turns.map(({ id }) => id),
      ['pb', 'pc'],
    );
  });

  it('names damaged parts of the state and takes the rest', async () => {
    const { data } = await read('version1');
    deepStrictEqual(
      data.damaged.map(({ what }) => what),
      ['a turn of conversation conversation1', 'conversation broken'],
    );
    const broken = await readOlder({ folder, state: 'broken', besides: undefined, now: 0 });
    deepStrictEqual(broken?.damaged.slice(0, 1), [{ what: 'the whole memory', data: 'broken' }]);
  });

  it('reads the folder of a workspace whose state cannot be read', async () => {
    cpSync(join(fixtures, 'crash'), folder, { recursive: true });
    const now = Date.now();
    const data = await readOlder({ folder, state: undefined, besides: undefined, now });
    deepStrictEqual(
      data?.conversations[0]?.turns.map(({ id }) => id),
      ['t1', 't2', 't3', 't4', 't5'],
    );
  });

  it('names lines that cannot be read, and leaves out the torn one at the end', async () => {
    write('memory/wal-a-1-00000000-1.jsonl', `no line\n\n{"v":2,"kind":"turn"}\n${turnLine('t1')}\n{"v":2,`);
    const data = await readOlder({ folder, state: undefined, besides: undefined, now: 0 });
    deepStrictEqual(
      data?.damaged.map(({ data: line }) => line),
      ['no line', '{"v":2,"kind":"turn"}'],
    );
    deepStrictEqual(
      data?.conversations.map(({ turns }) => turns.map(({ id }) => id)),
      [['t1']],
    );
  });

  it('leaves a file alone that a newer version wrote', async () => {
    write('memory/wal-a-1-00000000-1.jsonl', `${turnLine('t1')}\n{"v":3,"kind":"more"}\n`);
    write('memory/wal-b-1-00000000-1.jsonl', `${turnLine('t2')}\n`);
    const data = await readOlder({ folder, state: { version: 3 }, besides: undefined, now: 0 });
    deepStrictEqual(
      data?.conversations.map(({ turns }) => turns.map(({ id }) => id)),
      [['t2']],
    );
    deepStrictEqual(
      [data?.unreadable, data?.files].map((paths) => paths?.map((path) => basename(path))),
      [['wal-a-1-00000000-1.jsonl'], ['wal-b-1-00000000-1.jsonl']],
    );
  });

  it('says nothing when there is nothing older', async () => {
    const nothing = { folder, state: undefined, besides: undefined, now: 0 };
    strictEqual(await readOlder(nothing), undefined);
    strictEqual(await readOlder({ ...nothing, folder: join(folder, 'missing') }), undefined);
    strictEqual(await readOlder({ ...nothing, state: { version: 2, conversations: {} } }), undefined);
    strictEqual(await readOlder({ ...nothing, state: { version: 3 } }), undefined);
  });

  async function read(name: string): Promise<{ readonly data: OlderData; readonly expected: Expected }> {
    cpSync(join(fixtures, name), folder, { recursive: true });
    const json = (file: string): unknown => JSON.parse(readFileSync(join(folder, file), 'utf8'));
    const state = json('state.json') as Readonly<Record<string, unknown>>;
    const expected = json('expected.json') as Expected;
    const data = await readOlder({
      folder,
      state: state['assistant.memory'],
      besides: state['assistant.memory.v2'],
      now: expected.now,
    });
    if (!data) throw new Error(`nothing was read from ${name}`);
    return { data, expected };
  }

  function write(path: string, text: string): void {
    mkdirSync(join(folder, 'memory'), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
});

function turnLine(id: string): string {
  const messages = [
    { role: 'user', content: 'Hello' },
    { role: 'assistant', content: 'Hi.' },
  ];
  const turn = { id, order: 1, revision: 1, startedAt: 1, endedAt: 2, outcome: 'finished', messages };
  return JSON.stringify({ v: 2, kind: 'turn', conversation: 'one', turn, at: 2 });
}

function withoutParams({ params: _params, ...rest }: Conversation): Omit<Conversation, 'params'> {
  return rest;
}

function byId<T extends { readonly id: string }>(conversations: readonly T[]): readonly T[] {
  return conversations.toSorted((a, b) => (a.id < b.id ? -1 : 1));
}

function valuesIn(conversations: readonly (readonly [string, Conversation])[], expected: Values): Values {
  const found = conversations.map(([id, { params }]) => {
    const rewinds = (expected[id] ?? []).map(({ cut }) => {
      const staying = params.filter(({ turnId }) => turnId === undefined || !cut.includes(turnId));
      const values = Array.from(valuesOf({ params: staying }), ([name, { value }]) => [name, value] as const);
      return { cut, values: Object.fromEntries(values) };
    });
    return [id, rewinds] as const;
  });
  return Object.fromEntries(found);
}
