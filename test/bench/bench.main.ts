/**
 * `npm run bench`: what we add to the SDK and to ripgrep, what we cost beside others, and how costs grow. Ratios within
 * one run: they hold on any machine. `npm run bench -- stream cost` runs only these parts.
 */
import { runWithSqlite } from '../support/nodeWithSqlite';
import { runMain } from '../support/setupError';
import { measureBudget } from './budget';
import { changeRatios } from './changes';
import {
  defaultSession,
  measureCost,
  measuredPauses,
  measureForecast,
  measureLives,
  measureRecallCost,
  people,
  sessions,
  type SessionCost,
} from './cost';
import { measureFirstText } from './firstText';
import { measureFootprint } from './footprint';
import { measureHost } from './inHost';
import { memoryRatios } from './memory';
import { measureRecall, measureRecallAt, type RecallFigures } from './recall/recall';
import { measureDeferral, measureScouts } from './scouts';
import { measureSearch } from './search';
import { measureStream } from './stream';

const parts: Readonly<Record<string, () => Promise<void>>> = {
  stream,
  memory,
  changes,
  recall,
  search,
  footprint,
  cost,
  meter,
  scouts,
  host,
};

runMain(async () => {
  const status = runWithSqlite(__filename);
  if (status !== undefined) return status;
  const chosen = process.argv.slice(2);
  for (const [name, run] of Object.entries(parts)) {
    if (chosen.length === 0 || chosen.includes(name)) await run();
  }
  return 0;
});

async function stream(): Promise<void> {
  const first = [await measureFirstText(300, 40), await measureFirstText(0, 200)];
  printTable(
    'Until the first text: our whole path over the bare SDK with the same request',
    ['Claude takes ms', 'bare SDK ms', 'ours ms', 'we add ms', 'best', 'median'],
    first.map(({ waitMs, best, median }) => [
      String(waitMs),
      best.bare.toFixed(2),
      best.ours.toFixed(2),
      (best.ours - best.bare).toFixed(2),
      times(best.ours / best.bare),
      times(median.ours / median.bare),
    ]),
  );
  const figures = await measureStream();
  printTable(
    'Streaming',
    ['what', 'ratio'],
    [
      ['50,000 text deltas, over the bare SDK stream', times(figures.overSdk)],
      ['50,000 text deltas, over messages.stream() of the SDK', times(figures.overSdkHelper)],
      ['50,000 text deltas, over 25,000 (2 is linear)', times(figures.textGrowth)],
      ['1 MB of tool input, over 512 KB (2 is linear)', times(figures.inputGrowth)],
      ['1 MB of tool input, over the bare SDK stream', times(figures.inputOverSdk)],
    ],
  );
}

async function changes(): Promise<void> {
  const { save, request, change } = await changeRatios();
  printTable(
    'With 1,000 changes to judge, over none; best of 31, in turn',
    ['a turn is saved', 'a request is prepared', 'a file is changed'],
    [[times(save), times(request), times(change)]],
  );
}

async function memory(): Promise<void> {
  const figures = await memoryRatios();
  printTable(
    'Memory with the cap off, over 10 turns of the same size; best of 31, the sizes in turn',
    ['turns saved', 'bytes each', 'kept', 'save', 'read', 'load'],
    figures.map(({ turns, bytes, kept, save, read, load }) => [
      String(turns),
      String(bytes),
      String(kept),
      times(save),
      times(read),
      times(load),
    ]),
  );
}

function sharesRow(what: string, { questions, among5, among10 }: RecallFigures): readonly string[] {
  const percent = (share: number) => `${(100 * share).toFixed(0)} %`;
  return [`${what} (${questions})`, percent(among5), percent(among10)];
}

async function recall(): Promise<void> {
  const { tuning, heldBack, utterances } = await measureRecall();
  printTable(
    'Recall: the exchange that a question is about is among the first, over 40 invented conversations',
    ['questions', 'first 5', 'first 10'],
    [
      sharesRow('held back', heldBack),
      sharesRow('looked at', tuning),
      sharesRow('held back, bm25 over single utterances', utterances),
    ],
  );
  console.log(`  input cost of 30 turns with recall over without: ${(await measureRecallCost()).toFixed(4)}`);
  const rows: string[][] = [];
  for (const turns of [1_000, 10_000, 100_000]) {
    const { medianMs, p95Ms, megabytes, bytesATurn } = await measureRecallAt(turns);
    rows.push([
      String(turns),
      medianMs.toFixed(1),
      p95Ms.toFixed(1),
      megabytes.toFixed(0),
      bytesATurn.toFixed(0),
    ]);
  }
  printTable(
    'Recall by the number of turns',
    ['turns', 'median ms', 'p95 ms', 'database MB', 'bytes a turn'],
    rows,
  );
}

async function search(): Promise<void> {
  const figures = await measureSearch();
  printTable(
    `Searching ${figures.files.toLocaleString('en')} files, over bare ripgrep with the same flags`,
    ['what', 'ratio'],
    Object.entries(figures.overRipgrep).map(([name, ratio]) => [name, times(ratio)]),
  );
}

async function footprint(): Promise<void> {
  const figures = await measureFootprint();
  const { bundleBytes, vsixBytes, copilotChat } = figures;
  printTable(
    'Size',
    ['what', 'KiB', 'over Copilot Chat'],
    [
      ['bundle', kib(bundleBytes), times(bundleBytes / copilotChat.bundleBytes)],
      ['VSIX, over what is installed', kib(vsixBytes), times(vsixBytes / copilotChat.installedBytes)],
    ],
  );
  printTable(
    'What runs when',
    ['part of the bundle', 'at activation', 'with the first message'],
    [...new Set([...Object.keys(figures.atActivation), ...Object.keys(figures.withFirstMessage)])].map(
      (name) => [name, kib(figures.atActivation[name] ?? 0), kib(figures.withFirstMessage[name] ?? 0)],
    ),
  );
}

async function cost(): Promise<void> {
  for (const [name, options] of Object.entries(sessions)) printCost(name, await measureCost(options));
  printCost('default, pauses as measured', await measureCost(defaultSession, measuredPauses));
  const lives: string[][] = [];
  for (const [name, pauses] of Object.entries(people)) {
    const ratios = await measureLives(pauses);
    lives.push([name, ...Object.values(ratios).map((ratio) => ratio.toFixed(4))]);
  }
  printTable(
    'The same with default settings, by who asks and how long tools and system prompt are kept',
    ['pauses', '5 minutes', '1 hour', 'ours'],
    lives,
  );
}

async function meter(): Promise<void> {
  const measured = [
    ...Object.entries(sessions).map(([name, options]) => [name, options, undefined] as const),
    ...Object.entries(people).map(([name, pauses]) => [`default; ${name}`, defaultSession, pauses] as const),
  ];
  const rows: string[][] = [];
  for (const [name, options, pauses] of measured) {
    const { messages, requests } = await measureForecast(options, pauses);
    rows.push([name, ...[messages, requests].flatMap(closeness)]);
  }
  printTable(
    'How far the forecast of what the input costs is off: at most 5 % in …, and the worst of nine in ten',
    ['session', 'messages', 'nine in ten', 'requests', 'nine in ten'],
    rows,
  );
  printTable(
    'What a turn of 60 rounds has taken of its budget when it was stopped',
    ['the budget is', 'cache kept', 'cache dropped each time'],
    (await measureBudget()).map(({ times: part, cached, dropped }) => [
      `1/${part} of what it takes`,
      inPercent(cached),
      inPercent(dropped),
    ]),
  );
}

function closeness(errors: readonly number[]): readonly string[] {
  const sorted = errors.toSorted((one, other) => one - other);
  const close = errors.filter((error) => error <= 0.05).length;
  return [
    `${close} of ${errors.length}`,
    inPercent(sorted[Math.ceil(0.9 * sorted.length) - 1] ?? Number.NaN),
  ];
}

async function scouts(): Promise<void> {
  const { cost: ratio, sameModel, history } = await measureScouts();
  printTable(
    '30 questions about a repository of 5,000 files, with a scout for each over searching by itself',
    ['what', 'ratio'],
    [
      ['input cost', ratio.toFixed(3)],
      ['input cost, the scout being the model of the answer', sameModel.toFixed(3)],
      ['length of the remembered history', history.toFixed(3)],
    ],
  );
  const rows: string[][] = [];
  for (const [session, reads, keptTurns] of foreignSessions) {
    for (const [name, pauses] of Object.entries(people).slice(0, 3)) {
      const { deferred, floor } = await measureDeferral({ reads, keptTurns, pauses });
      const added = (deferred - floor) / (1 - floor);
      rows.push([`${session}; ${name}`, ...[deferred, floor, added].map((value) => value.toFixed(3))]);
    }
  }
  printTable(
    'Input cost of 30 questions with 100 foreign tools of 500 tokens each, over all of them in sight',
    ['session and pauses', 'deferred', 'none at all', 'what they add'],
    rows,
  );
}

const foreignSessions = [
  ['scouts read, 10 turns kept', 0, 10],
  ['scouts read, no turn limit', 0, 30],
  ['Claude reads 2 files each, 10 turns kept', 2, 10],
] as const;

function printCost(name: string, costs: SessionCost): void {
  printTable(
    `Input cost of 30 turns, over no caching: ${name}`,
    ['cache marks', 'ratio'],
    Object.entries(costs).map(([who, ratio]) => [who, ratio.toFixed(4)]),
  );
}

async function host(): Promise<void> {
  const { activation, memory: saves, heap } = await measureHost();
  const [own, copilot] = [...Object.values(activation)].map((spent) => spent.codeLoad + spent.activate);
  printTable(
    'Activation in one extension host, medians',
    ['extension', 'code load ms', 'activate ms', 'together'],
    Object.entries(activation).map(([id, { codeLoad, activate }]) => [
      id,
      codeLoad.toFixed(0),
      activate.toFixed(0),
      times((own ?? Number.NaN) / (codeLoad + activate)),
    ]),
  );
  console.log(`  ours over Copilot Chat's: ${times((own ?? Number.NaN) / (copilot ?? Number.NaN))}`);
  printTable(
    'Memory in the real workspaceState with the cap off, best of 20, the sizes in turn',
    ['turns saved', 'bytes each', 'save ms', 'over 10', 'read ms', 'over 10'],
    saves.map(({ turns, bytes, save, read }) => {
      const base = saves.find((one) => one.bytes === bytes && one.turns === 10);
      const over = (value: number, of: number | undefined) => times(value / (of ?? Number.NaN));
      return [
        String(turns),
        String(bytes),
        save.toFixed(2),
        over(save, base?.save),
        read.toFixed(2),
        over(read, base?.read),
      ];
    }),
  );
  printTable(
    'Live heap of the extension host after so many turns',
    ['turns', 'MiB', 'over 100'],
    heap.map(({ turns, bytes }) => [
      String(turns),
      (bytes / 2 ** 20).toFixed(1),
      times(bytes / (heap.find((one) => one.turns === 100)?.bytes ?? Number.NaN)),
    ]),
  );
}

function inPercent(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}

function times(ratio: number): string {
  return `${ratio.toFixed(2)} ×`;
}

function kib(bytes: number): string {
  return (bytes / 1024).toFixed(0);
}

function printTable(title: string, head: readonly string[], rows: readonly (readonly string[])[]): void {
  const widths = head.map((name, column) =>
    Math.max(name.length, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, column) =>
        column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      .join('  ');
  console.log(`\n${title}`);
  for (const row of [head, ...rows]) console.log(`  ${line(row)}`);
}
