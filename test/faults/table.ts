export interface Row {
  readonly id: string;
  readonly expected: string;
  /** One line for each test. */
  readonly seen: readonly string[];
  readonly verdict: 'held' | 'MISSED' | 'NOT SHOWN';
}

const widths = { id: 4, expected: 46, seen: 78 } as const;

/** For a terminal: lines are broken within their columns. */
export function printedTable(rows: readonly Row[]): string {
  const head = line('case', 'expected', 'seen', 'verdict');
  return [head, ...rows.flatMap(printedRow)].join('\n');
}

export function markdownTable(rows: readonly Row[]): string {
  const cell = (text: string) => text.replaceAll('|', '\\|').replaceAll('\n', ' ');
  const body = rows.map(
    ({ id, expected, seen, verdict }) =>
      `| ${id} | ${cell(expected)} | ${seen.map(cell).join('<br>')} | ${verdict} |`,
  );
  return ['| case | expected | seen | verdict |', '| --- | --- | --- | --- |', ...body, ''].join('\n');
}

function printedRow({ id, expected, seen, verdict }: Row): readonly string[] {
  const left = broken(expected, widths.expected);
  const right = seen.flatMap((one) => broken(one, widths.seen));
  const height = Math.max(left.length, right.length, 1);
  return Array.from({ length: height }, (_, at) =>
    line(at === 0 ? id : '', left[at] ?? '', right[at] ?? '', at === 0 ? verdict : ''),
  );
}

function line(id: string, expected: string, seen: string, verdict: string): string {
  return `${id.padEnd(widths.id)}  ${expected.padEnd(widths.expected)}  ${seen.padEnd(widths.seen)}  ${verdict}`.trimEnd();
}

function broken(text: string, width: number): readonly string[] {
  const lines: string[] = [''];
  for (const word of text.split(/\s+/)) {
    const last = lines.at(-1) ?? '';
    if (last !== '' && last.length + 1 + word.length > width) lines.push(word);
    else lines[lines.length - 1] = last === '' ? word : `${last} ${word}`;
  }
  return lines;
}
