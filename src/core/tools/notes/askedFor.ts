/**
 * Whether the person's own words ask for this very note (M28). Code decides it, never the model: the words ask for keeping
 * something, and what the note says is what they say. What a file or a web page wants noted is in neither.
 */
export function isAskedFor(note: string, ownWords: string): boolean {
  if (!asksForKeeping(ownWords)) return false;
  const known = wordsIn(ownWords);
  const said = wordsIn(note);
  // Names, numbers and addresses are what a note is about, and "not" turns it round: each has to be the person's.
  if (![...said.exact].every((word) => known.exact.has(word))) return false;
  const content = [...said.content];
  const foreign = content.filter((word) => ![...known.content].some((other) => isSameWord(word, other)));
  return (
    content.length + said.exact.size > 0 &&
    foreign.length <= Math.min(maxForeign, Math.floor(content.length / 3))
  );
}

/** Words that the person did not say: a longer note does not make room for a sentence of somebody else. */
const maxForeign = 3;

/** Something is to be kept, in the languages of the extension; quoted text and code ask for nothing. */
function asksForKeeping(ownWords: string): boolean {
  const own = ownWords
    .replaceAll(/```[^]*?(?:```|$)/g, ' ')
    .replaceAll(/^\s*>.*$/gm, ' ')
    .toLowerCase();
  return requests.test(own.replaceAll(noRequests, ' '));
}

/** At the beginning of a sentence, or after a word of politeness: "why does it always fail?" asks for nothing. */
const sentence = String.raw`(?:^|[.!?;:\n]\s*|\b(?:please|bitte|por favor)[ ,]+|s['’]il (?:te|vous) pla[iî]t[ ,]+)`;

const requests = new RegExp(
  [
    String.raw`\b(?:remember|memori[sz]e|keep in mind|bear in mind|don['’]?t forget|do not forget)\b`,
    String.raw`\bnote (?:that|this|it|down|to self)\b|\b(?:write|jot) (?:that |this |it )?down\b|\b(?:write|put) a note\b|\b(?:make|take|add|keep|save) (?:a |it as a )?note\b`,
    String.raw`${sentence}(?:note\b|always\b|never\b)|\b(?:from now on|in future|in the future|going forward)\b`,
    String.raw`\bmerk(?:e|t|en)?\b|\bnotier(?:e|t|en)?\b|\bbehalt(?:e|et|en)? (?:dir|im|das|bitte)\b|\bdenk(?:e|t)? (?:daran|dran)\b|\bvergi(?:ss|ß) nicht\b|\bnicht vergessen\b`,
    String.raw`\bab (?:jetzt|sofort)\b|\bvon (?:nun|jetzt) an\b|\bin zukunft\b|(?<!\p{L})künftig\b|${sentence}(?:immer|nie|niemals)\b`,
    String.raw`\b(?:souviens-toi|souvenez-vous|rappelle-toi|rappelez-vous|retiens|retenez)\b|(?<!\p{L})mémorise|\bnote[zr]? (?:que|bien|ça|cela)\b|\bgarde[zr]? (?:en tête|à l['’]esprit|en mémoire)|\bn['’]oublie[zr]? pas\b`,
    String.raw`(?<!\p{L})(?:désormais|dorénavant)\b|(?<!\p{L})à partir de maintenant\b|${sentence}(?:toujours|jamais)\b`,
    String.raw`\b(?:recuerda|recuerde|anota|anote|apunta|apunte|memoriza)(?!\p{L})|\bacu[eé]rdate\b|\btoma nota\b|\bten(?:ga)? en (?:cuenta|mente)\b|\bno (?:te )?olvid(?:es|e)\b`,
    String.raw`\b(?:de|a partir de) ahora(?: en adelante)?\b|\ben adelante\b|${sentence}(?:siempre|nunca)\b`,
    '覚えて|憶えて|記憶して|メモして|メモに|記録して|書き留めて|忘れないで|今後は?|これからは|以後|(?:常に|必ず)[^。\\n]*(?:ください|下さい)',
    '记住|记下|记得|牢记|记录下|记一下|别忘|不要忘|勿忘|記住|記下|記得|別忘|从现在起|從現在起|从今以后|今后|今後|以后(?:都|请|一律)',
    String.raw`${sentence}请?(?:总是|總是|始终|一律)`,
  ].join('|'),
  'mu',
);

/** Not to be kept, or a question what is. */
const noRequests =
  /\b(?:(?:do|don['’]?t|did|didn['’]?t) (?:you|i|we)|i|we|you) (?:still |even |can['’]?t |don['’]?t )?remember\b|\b(?:do not|don['’]?t|never|no need to|needn['’]?t) (?:remember|memori[sz]e|(?:make|take|add|keep|write) (?:a )?note|note)\b|\bmerk(?:e|t)? dir (?:das|dies|es)? ?nicht\b|\bne (?:note|retiens|mémorise)[zs]? pas\b|\bno (?:lo )?(?:recuerdes|anotes|apuntes)\b|覚えないで|覚えていますか|覚えてる[?？]|メモしないで|(?:不要|别|別|不用)(?:记住|记下|記住|記下)|(?:还|還)?(?:记得|記得)(?:吗|嗎)/g;

interface Words {
  /** Names, numbers, paths, addresses and negations, which have to be the same. */
  readonly exact: ReadonlySet<string>;
  readonly content: ReadonlySet<string>;
}

function wordsIn(text: string): Words {
  const folded = text.normalize('NFKC').toLowerCase();
  const exact = new Set<string>();
  const content = new Set<string>();
  for (const token of folded.match(/[\p{L}\p{M}\p{N}_@/\\.:~#$%&+='’-]+/gu) ?? []) {
    for (const run of token.match(unspaced) ?? []) pairsOf(run).forEach(addContent);
    const word = token.replaceAll(anyUnspaced, ' ').trim();
    for (const part of word.split(/\s+/)) addWord(part.replaceAll(/^[.:'’-]+|[.:'’,-]+$/g, ''));
  }
  for (const [negation] of folded.matchAll(/不|没|沒|勿|ない|ません/g)) exact.add(negation);
  return { exact, content };

  function addWord(word: string): void {
    if (negations.has(word.replace('’', "'"))) exact.add('not');
    else if (/[\d@/\\_:~#$%&+=]|\.\p{L}/u.test(word)) exact.add(word);
    else word.split(/['’-]/).forEach(addContent);
  }

  function addContent(word: string): void {
    if ((word.length > 1 || /\p{sc=Han}/u.test(word)) && !fillers.has(word)) content.add(word);
  }
}

/** Han and Katakana carry what is said, and Hiragana how: they are compared by pairs, as there are no spaces. */
const unspaced = /[\p{sc=Han}\p{sc=Katakana}ー]+/gu;
const anyUnspaced = /[\p{sc=Han}\p{sc=Katakana}\p{sc=Hiragana}ー]+/gu;

function pairsOf(run: string): readonly string[] {
  const signs = Array.from(run);
  return signs.length === 1 ? signs : signs.slice(1).map((sign, at) => `${signs[at]}${sign}`);
}

/** `use` and `uses`, `Test` and `Tests`: by their common beginning. */
function isSameWord(a: string, b: string): boolean {
  if (a === b) return true;
  const length = Math.max(a.length, b.length);
  let common = 0;
  while (common < Math.min(a.length, b.length) && a[common] === b[common]) common++;
  return common >= 3 && common >= 0.6 * length;
}

const negations = new Set(
  "not no never don't doesn't cannot can't won't mustn't without nicht kein keine keinen nie niemals ohne ne pas jamais sans non nunca jamás sin".split(
    ' ',
  ),
);

/** Words that say nothing by themselves, or that every note has. */
const fillers = new Set(
  (
    'the an and or of to in on at for with by as is are was be been it its this that these those we our us you your they their ' +
    'he she his her them i my me from then than so if when which who what there here has have had do does will would should must ' +
    'can may all any always use uses used using project workspace repository repo code team person user users note notes please ' +
    'remember convention rule decision prefer prefers preferred wants want now future ' +
    'der die das den dem des ein eine einen einem einer und oder von zu zum zur im am auf für mit bei als ist sind war wird werden ' +
    'wir uns unser unsere dass es sie ihr man immer bitte merke merk dir notiere projekt verwenden verwendet benutzen benutzt nutzen nutzt ' +
    'le la les un une des du de et ou à au aux en dans sur pour avec par est sont nous notre nos vous que qui ce cette il elle on ' +
    'toujours projet utiliser utilise utilisons note souviens toi ' +
    'el los las unos unas y o del al con por para es son nuestro nuestra nuestros que se su sus siempre proyecto usar usa usamos ' +
    'recuerda anota 项目 使用 使用し 我们 请记 记住 プロ ロジ ジェ ェク クト'
  ).split(' '),
);
