import { createHash } from 'node:crypto';
import { parseSync, Visitor, type Expression } from 'oxc-parser';

/** One change to one place of a file. */
export interface Mutant {
  readonly path: string;
  readonly line: number;
  readonly start: number;
  readonly end: number;
  readonly before: string;
  readonly after: string;
  /** Where it stands in the order of all: the same as long as its own line stays as it is. */
  readonly rank: string;
}

type Place = Pick<Expression, 'start' | 'end'>;

const operators: Readonly<Record<string, readonly string[]>> = {
  '<': ['<=', '>='],
  '<=': ['<', '>'],
  '>': ['>=', '<='],
  '>=': ['>', '<'],
  '===': ['!=='],
  '!==': ['==='],
  '+': ['-'],
  '-': ['+'],
  '*': ['/'],
  '/': ['*'],
  '%': ['*'],
  '&&': ['||'],
  '||': ['&&'],
  '??': ['&&'],
  '+=': ['-='],
  '-=': ['+='],
  '*=': ['/='],
  '??=': ['='],
  '||=': ['='],
  '&&=': ['='],
  '++': ['--'],
  '--': ['++'],
};

/** Every operator, condition and constant of a file, changed: no texts, no types. */
export function findMutants(path: string, source: string): Mutant[] {
  const found: Mutant[] = [];
  /** Numbers that are no values: those of types, and names of properties. */
  const names = new Set<unknown>();
  const seen = new Map<string, number>();
  const text = ({ start, end }: Place): string => source.slice(start, end);

  const add = ({ start, end }: Place, after: string): void => {
    const lineStart = source.lastIndexOf('\n', start) + 1;
    const lineEnd = source.indexOf('\n', start);
    const line = source.slice(lineStart, lineEnd < 0 ? undefined : lineEnd);
    const place = [path, line.trim(), start - lineStart - line.search(/\S/), after].join('\0');
    const repeated = seen.get(place) ?? 0;
    seen.set(place, repeated + 1);
    found.push({
      path,
      line: source.slice(0, start).split('\n').length,
      start,
      end,
      before: source.slice(start, end),
      after,
      rank: createHash('sha256').update(`${place}\0${repeated}`).digest('hex'),
    });
  };
  const addOperators = (node: Place & { operator: string }, left: Place, right: Place): void => {
    for (const other of operators[node.operator] ?? [])
      add(node, `(${text(left)}) ${other} (${text(right)})`);
  };
  const addCondition = (test: Expression | null, afters: readonly string[]): void => {
    if (test && test.type !== 'Literal') for (const after of afters) add(test, after);
  };
  const addLoop = ({ test }: { test: Expression | null }): void => {
    if (test) addCondition(test, [`!(${text(test)})`]);
  };

  const { program, errors } = parseSync(path, source);
  if (errors[0]) throw new Error(`${path}: ${errors[0].message}`);
  new Visitor({
    TSLiteralType: ({ literal }) => names.add(literal),
    Property: ({ key, computed }) => computed || names.add(key),
    BinaryExpression: (node) => {
      if (node.operator !== '+' || !(isText(node.left) || isText(node.right))) {
        addOperators(node, node.left, node.right);
      }
    },
    LogicalExpression: (node) => addOperators(node, node.left, node.right),
    AssignmentExpression: (node) => {
      if (isText(node.right)) return;
      for (const other of operators[node.operator] ?? []) {
        add(node, `${text(node.left)} ${other} ${text(node.right)}`);
      }
    },
    UpdateExpression: (node) => {
      for (const other of operators[node.operator] ?? []) {
        add(node, node.prefix ? `${other}${text(node.argument)}` : `${text(node.argument)}${other}`);
      }
    },
    UnaryExpression: (node) => {
      if (node.operator === '!') add(node, `!!(${text(node.argument)})`);
    },
    IfStatement: ({ test }) => addCondition(test, ['true', 'false']),
    ConditionalExpression: ({ test }) => addCondition(test, ['true', 'false']),
    WhileStatement: addLoop,
    DoWhileStatement: addLoop,
    ForStatement: addLoop,
    Literal: (node) => {
      if (names.has(node)) return;
      if (typeof node.value === 'boolean') add(node, String(!node.value));
      if (typeof node.value === 'number') add(node, String(node.value + 1));
    },
  }).visit(program);
  return found;
}

/** So many of them, spread by their hashes: code that changes elsewhere changes few of the sample. */
export function sampleOf(mutants: readonly Mutant[], size: number): Mutant[] {
  const chosen = mutants.toSorted((a, b) => (a.rank < b.rank ? -1 : 1)).slice(0, size);
  return chosen.toSorted((a, b) => (a.path === b.path ? a.start - b.start : a.path < b.path ? -1 : 1));
}

/** The file with all its mutants in it, each behind `__mutant(number)`. */
export function withMutants(source: string, mutants: ReadonlyMap<number, Mutant>): string {
  const render = (start: number, end: number, among: readonly [number, Mutant][]): string => {
    let text = '';
    let at = start;
    while (at < end) {
      const next = among
        .filter(([, mutant]) => mutant.start >= at)
        .toSorted(([, a], [, b]) => a.start - b.start || b.end - a.end)[0];
      if (!next) break;
      const [number, mutant] = next;
      const inside = among.filter(
        ([other, { start: from, end: to }]) => other !== number && from >= mutant.start && to <= mutant.end,
      );
      const original = render(mutant.start, mutant.end, inside);
      text += `${source.slice(at, mutant.start)}(__mutant(${number}) ? (${mutant.after}) : (${original}))`;
      at = mutant.end;
    }
    return text + source.slice(at, end);
  };
  return render(0, source.length, [...mutants]);
}

function isText(node: Expression | { readonly type: 'PrivateIdentifier' }): boolean {
  if (node.type === 'Literal') return typeof node.value === 'string';
  if (node.type === 'BinaryExpression')
    return node.operator === '+' && (isText(node.left) || isText(node.right));
  return node.type === 'TemplateLiteral';
}
