/** `npm run bench`: what we add to the SDK and to ripgrep, and how the memory's costs grow. Only ratios: they hold on any machine. */
import { runMain } from '../support/setupError';
import { memoryRatios } from './memory';
import { measureSearch } from './search';
import { measureStream } from './stream';

runMain(async () => {
  const stream = await measureStream();
  printTable(
    'Streaming',
    ['what', 'ratio'],
    [
      ['50,000 text deltas, over the bare SDK stream', times(stream.overSdk)],
      ['50,000 text deltas, over messages.stream() of the SDK', times(stream.overSdkHelper)],
      ['50,000 text deltas, over 25,000 (2 is linear)', times(stream.textGrowth)],
      ['1 MB of tool input, over 512 KB (2 is linear)', times(stream.inputGrowth)],
      ['1 MB of tool input, over the bare SDK stream', times(stream.inputOverSdk)],
    ],
  );
  const memory = await memoryRatios();
  printTable(
    'Memory with the cap off, over 10 turns',
    ['turns saved', 'kept', 'save', 'read', 'load'],
    [
      ...memory.map(({ turns, kept, save, read, load }) => [
        String(turns),
        String(kept),
        times(save),
        times(read),
        times(load),
      ]),
    ],
  );
  const search = await measureSearch();
  printTable(
    `Searching ${search.files.toLocaleString('en')} files, over bare ripgrep with the same flags`,
    ['what', 'ratio'],
    Object.entries(search.overRipgrep).map(([name, ratio]) => [name, times(ratio)]),
  );
  console.log('\nThe size bound keeps what fits into 256 KiB: from there on the costs are flat.');
  return 0;
});

function times(ratio: number): string {
  return `${ratio.toFixed(2)} ×`;
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
