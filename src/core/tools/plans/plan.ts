import { inOneLine } from '../../text/cutText';

/** More than anybody reads, in characters: it goes with each message. Neither Claude nor the user writes a longer one. */
export const maxPlanChars = 50_000;

/** So many closed ones are kept, the newest. */
export const maxClosedPlans = 20;

/** A plan as it is kept: the document of a workspace that Claude and the user both write (N2). */
export interface Plan {
  readonly id: number;
  readonly text: string;
  /** Rises with each change of the text: nobody writes over words that they have not seen. */
  readonly revision: number;
  /** The user has written into it. */
  readonly isEdited: boolean;
  /** Rises with each change of the text, whatever the clock does. */
  readonly changedAt: number;
  /** Absent until somebody said go. */
  readonly startedAt?: number | undefined;
  readonly isClosed: boolean;
}

export function stateOf({ isClosed, startedAt }: Plan): 'draft' | 'started' | 'closed' {
  if (isClosed) return 'closed';
  return startedAt === undefined ? 'draft' : 'started';
}

export interface PlanStep {
  readonly title: string;
  readonly isDone: boolean;
}

/** The lines with a box to tick, but for those in code. */
export function stepsOf(text: string): readonly PlanStep[] {
  const steps: PlanStep[] = [];
  let fence = '';
  for (const line of text.split(/\r?\n/)) {
    const [mark = ''] = /^\s*(```+|~~~+)/.exec(line)?.slice(1) ?? [];
    if (fence === '' && mark !== '') fence = mark;
    else if (fence !== '' && mark.startsWith(fence)) fence = '';
    const [, box, title] = (fence === '' && step.exec(line)) || [];
    if (box !== undefined && title !== undefined) steps.push({ title: title.trim(), isDone: box !== ' ' });
  }
  return steps;
}

const step = /^\s*(?:[-*+]|\d+[.)])\s+\[([ xX])\]\s+(\S.*)$/;

export interface Progress {
  readonly done: number;
  readonly total: number;
}

export function progressOf(text: string): Progress {
  const steps = stepsOf(text);
  return { done: steps.filter(({ isDone }) => isDone).length, total: steps.length };
}

/** What it is called: its first heading, or else its first line, without the marks of Markdown. */
export function titleOf(text: string): string {
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '');
  const line = lines.find((one) => /^#+\s+\S/.test(one)) ?? lines[0] ?? '';
  return inOneLine(line.replace(/^\s*(#+\s+|[-*+]\s+(\[[ xX]\]\s+)?|\d+[.)]\s+(\[[ xX]\]\s+)?)/, ''));
}

/** Whether all that one text says is in the other, ticked or not, and as often: two parts may have the same step. */
export function keepsLines(before: string, after: string): boolean {
  const counts = new Map<string, number>();
  for (const line of after.split(/\r?\n/).map(untick)) counts.set(line, (counts.get(line) ?? 0) + 1);
  return before.split(/\r?\n/).every((text) => {
    const line = untick(text);
    const left = counts.get(line) ?? 0;
    counts.set(line, left - 1);
    return line === '' || left > 0;
  });
}

function untick(line: string): string {
  return line.trim().replace(/^((?:[-*+]|\d+[.)])\s+)\[[ xX]\]/, '$1[ ]');
}
