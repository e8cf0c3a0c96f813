/** What a question is about, as something to search for. */
export interface Term {
  /** As it is told to the person. */
  readonly shown: string;
  readonly pattern: string;
  readonly isLiteral: boolean;
}

/** What is quoted or looks like a name in code; else any of the words that say something. */
export function termIn(question: string): Term | undefined {
  const name = nameIn(question);
  if (name !== undefined) return { shown: `\`${name}\``, pattern: name, isLiteral: true };
  const words = question.match(/[A-Za-z]{3,}/g)?.filter((word) => !fillers.has(word.toLowerCase())) ?? [];
  if (words.length === 0) return undefined;
  // Small letters find capitals as well, and without the plural "prices" finds `priceInCents`.
  const stems = words.map((word) => word.toLowerCase().replace(/(?<=\w{3})s$/, ''));
  return {
    shown: stems.map((stem) => `\`${stem}\``).join(' or '),
    pattern: stems.join('|'),
    isLiteral: false,
  };
}

/** What is quoted, else what is written as names in code or numbers of orders are. */
export function nameIn(question: string): string | undefined {
  const quoted = /[`"“]([^`"”]+)[`"”]|(?<!\w)'([^']+)'(?!\w)/.exec(question);
  const written = /\b(?:\w*(?:_\w+|[a-z][A-Z]\w*)|[A-Z]+-?\d+)\b/.exec(question)?.[0];
  return quoted?.[1] ?? quoted?.[2] ?? written;
}

/** One text in place of another. */
export interface Replacement {
  readonly oldText: string;
  readonly newText: string;
  /** As the person calls it; undefined means wherever it stands. */
  readonly file: string | undefined;
}

export function replacementIn(question: string): Replacement | undefined {
  const [, oldText, newText, file] =
    /\b(?:replace|change) ["'`“]?(.+?)["'`”]? (?:with|by|to) ["'`“]?(.+?)["'`”]?(?: in [`'"]?([^\s`'"]*\w)[`'"]?)?(?: everywhere)?[.!]?$/i.exec(
      question,
    ) ?? [];
  return oldText === undefined || newText === undefined ? undefined : { oldText, newText, file };
}

/** They stand in many questions and say nothing of what is looked for. */
const fillers = new Set(
  [
    'about all and any are below can could did does each else explain file files find for from function get give has',
    'have her here how into its let look made make many mean mention mentioned much need not our out please search see',
    'should show some tell that the their them there these they this those use used uses call calls called defined',
    'was were what when where which who whose why will with work works would you your',
  ]
    .join(' ')
    .split(' '),
);
