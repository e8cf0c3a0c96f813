import {
  apiError,
  drop,
  endEarly,
  gate,
  reply,
  text,
  toolUse,
  type Gate,
  type Reply,
} from '../support/claude/script';
import type { Errand, Errands } from './errands';

/** What is to happen to a turn of the soak. */
export const fates = [
  'answered',
  'overloaded',
  'dropped',
  'ended early',
  'stopped',
  'retried',
  'edited',
  'failed at once',
  'failed after a round',
  'killed',
  'killed after the answer',
  'reloaded after the answer',
] as const;

export type Fate = (typeof fates)[number];

export interface TurnPlan {
  readonly number: number;
  readonly fate: Fate;
  readonly errand?: Errand | undefined;
  readonly question: string;
  /** The replies of the stand-in, in order. */
  readonly replies: readonly Reply[];
  /** Where the stream of each reply with text waits. */
  readonly gates: readonly Gate[];
  /** For a turn that is killed: at which reply, and how many milliseconds later. */
  readonly killAt: number;
  readonly killDelay: number;
  /** What the reply at which it ends has said by then. */
  readonly heldText: string;
  /** Of a turn that does not come to its end: how many rounds were done when it ended. */
  readonly roundsDone: number;
  /** What the person makes of the question when it is sent once more: the same again, or another one. */
  readonly secondQuestion: string;
  readonly secondReply: Reply;
  /** The turn as it is remembered when it comes to its end. */
  readonly finished: readonly string[];
}

/** Turns that come to an end leave the extension host alone; others replace it, which takes seconds. */
const weights: Readonly<Record<Fate, number>> = {
  answered: 45,
  overloaded: 9,
  dropped: 9,
  'ended early': 6,
  stopped: 9,
  retried: 4,
  edited: 4,
  'failed at once': 5,
  'failed after a round': 5,
  killed: 4,
  'killed after the answer': 4,
  'reloaded after the answer': 4,
};

const replacesHost: ReadonlySet<Fate> = new Set([
  'killed',
  'killed after the answer',
  'reloaded after the answer',
]);

/** Of the turns that come to their end at once, so many are for an errand. */
const errandShare = 0.6;

export function planTurn(
  number: number,
  {
    isCalm,
    errands,
    random,
  }: { readonly isCalm: boolean; readonly errands: Errands; readonly random: () => number },
): TurnPlan {
  const possible = fates.filter((fate) => !isCalm || !replacesHost.has(fate));
  const fate = chosen(possible, random);
  const errand = fate === 'answered' && random() < errandShare ? errands.next(number, random) : undefined;
  const looks = fate === 'failed after a round' ? 1 : Math.floor(random() * 3);
  const calls =
    errand?.rounds ??
    Array.from({ length: looks }, (_, round) => ({ call: toolCall(number, round), side: [] }));
  const rounds = calls.length;
  const question = `Question ${number}?${errand?.request ?? ''}`;
  const isHeld = fate === 'stopped' || fate === 'killed';
  const gates = Array.from({ length: rounds + 1 }, () => gate());
  const held = (index: number) => (isHeld && gates[index] ? [gates[index]] : []);
  const looking = (round: number) => `Looking ${number}.${round + 1}`;
  const uses = calls.flatMap(({ call, side = [] }, round) => [
    reply(text(`${looking(round)} `, ...held(round)), toolUse(...call, { id: toolId(number, round) })),
    ...side,
  ]);
  const isSentAgain = fate === 'retried' || fate === 'edited';
  const secondQuestion = fate === 'edited' ? `Question 10${number}?` : `Question ${number}?`;
  const answer = reply(text(`Answer ${number}`, ...held(rounds), '.'));
  const replies = withFault(fate, [...uses, answer], random);
  const killAt = Math.floor(random() * (rounds + 1));
  return {
    number,
    fate,
    errand,
    question: `${errand?.command ?? ''}${question}`,
    replies,
    gates: isHeld ? gates : [],
    killAt,
    killDelay: random() * 40,
    heldText: killAt < rounds ? looking(killAt) : `Answer ${number}`,
    roundsDone: isHeld ? killAt : fate === 'failed after a round' ? rounds : 0,
    secondQuestion,
    secondReply: reply(text(`Answer ${number} again.`)),
    finished: isSentAgain
      ? [`user: ${secondQuestion}`, `assistant: Answer ${number} again.`]
      : [
          `user: ${question}`,
          ...calls.flatMap((_, round) => [
            `assistant: ${looking(round)}`,
            `result: ${toolId(number, round)}`,
          ]),
          `assistant: Answer ${number}.`,
        ],
  };
}

/** Puts the fault before a reply, or in place of the last one. */
function withFault(fate: Fate, replies: readonly Reply[], random: () => number): readonly Reply[] {
  const at = Math.floor(random() * replies.length);
  switch (fate) {
    case 'overloaded':
      return replies.toSpliced(at, 0, apiError(529, { message: 'Overloaded', retryAfter: 0 }));
    case 'dropped':
      return replies.toSpliced(at, 0, reply(text('This will ', 'break '), drop()));
    case 'ended early':
      return replies.toSpliced(at, 0, reply(text('This will ', 'break '), endEarly()));
    case 'failed at once':
      return [apiError(403, { message: 'No.' })];
    case 'failed after a round':
      return [...replies.slice(0, -1), apiError(403, { message: 'No.' })];
    default:
      return replies;
  }
}

function toolCall(number: number, round: number): readonly [string, object] {
  const calls = [
    ['read_file', { path: 'README.md' }],
    ['find_files', { pattern: '**/*.ts' }],
    ['search_text', { pattern: `needle ${number}`, literal: true }],
  ] as const;
  return calls[(number + round) % calls.length]!;
}

function toolId(number: number, round: number): string {
  return `toolu_soak${number}r${round + 1}`;
}

function chosen(possible: readonly Fate[], random: () => number): Fate {
  let left = random() * possible.reduce((sum, fate) => sum + weights[fate], 0);
  return possible.find((fate) => (left -= weights[fate]) < 0) ?? 'answered';
}
