/**
 * Whether the person's own words ask for this very note (M28). Code decides it, never the model: the words ask for keeping
 * something, and what the note says is what they say. What a file or a web page wants noted is in neither. Where it is
 * not plain, the answer is no: that costs no more than a card.
 */
export function isAskedFor(note: string, ownWords: string): boolean {
  if (ownWords.length > maxOwnChars) return false;
  const own = ownWords.replaceAll(notForgotten, ' remember ').replaceAll(interjection, '');
  if (!asksForKeeping(own)) return false;
  const known = wordsIn(own);
  const said = wordsIn(note);
  // Names, numbers and addresses are what a note is about, and "not" turns it round: each has to be the person's.
  if (![...said.exact].every((word) => known.exact.has(word))) return false;
  const content = [...said.content];
  // So does one that is left out.
  const isTurnedRound = sentencesOf(own)
    .map(wordsIn)
    .some((words) => content.some((word) => isIn(word, words)) && words.isNegative && !said.isNegative);
  if (isTurnedRound) return false;
  const foreign = content.filter((word) => !isIn(word, known));
  return (
    content.length + said.exact.size > 0 &&
    foreign.length <= Math.min(maxForeign, Math.floor(content.length / 3))
  );
}

/** Who writes more has pasted something, and it would take long to look through. */
const maxOwnChars = 4_000;

/** Words that the person did not say: two of them are a sentence of somebody else. */
const maxForeign = 1;

function isIn(word: string, words: Words): boolean {
  return [...words.content].some((other) => isSameWord(word, other));
}

function sentencesOf(text: string): readonly string[] {
  return text.split(/[.!?;\n]+(?=\s|$)|[。！？；]/);
}

/** Something is to be kept, in the languages of the extension; quoted text and code ask for nothing. */
function asksForKeeping(ownWords: string): boolean {
  const own = ownWords
    .replaceAll(/```[^]*?(?:```|$)/g, ' ')
    .replaceAll(/^\s*>.*$/gm, ' ')
    .replaceAll(/"[^"\n]*"|“[^”\n]*”|„[^“”\n]*[“”]|«[^»\n]*»|「[^」\n]*」|『[^』\n]*』|`[^`\n]*`/g, ' x ')
    .toLowerCase();
  return sentencesOf(own).some((sentence) => {
    const request = requests.exec(sentence);
    if (!request) return false;
    return !refusal.test(request.input.slice(0, request.index)) && !isRefused.test(request.input);
  });
}

/** Says "remember" with a "not". */
const notForgotten =
  /\bdo(?:n['’]?t| not) forget\b|\bvergi(?:ss|ß)t? (?:bitte )?nicht\b|\bnicht vergessen\b|\bn['’]oublie[zr]? pas\b|\bno (?:te )?olvid(?:es|e)\b|忘れないで|(?:别|別|不要|勿)忘(?:记|記|了)?/gi;

/** Before an order: "why does it always fail?" and "the dialog should remember the folder" ask for nothing. */
const order = [
  String.raw`(?:^\s*|[:,(–—¡]\s*|\b(?:please|kindly|also|just|then|but|so|claude|bitte|auch|dann|por favor|pero|mais|alors)[ ,]+`,
  String.raw`|s['’]il (?:te|vous) pla[iî]t[ ,]+|\b(?:(?:can|could|would|will|must|should) you|you (?:should|must|have to|need to)`,
  String.raw`|(?:want|like|need) you to|(?:make|be) sure (?:to|you|that you)) (?:please )?)`,
].join('');

const requests = new RegExp(
  [
    String.raw`${order}(?:always )?(?:remember|memori[sz]e|(?:keep|bear) (?:this |that |it )?in mind)\b|\band (?:remember|memori[sz]e) (?:that|this|it)\b|\b(?:thing|things|something) to remember\b`,
    String.raw`${order}(?:note (?:that|this|it|down|to self)|note\b|(?:write|jot) (?:that |this |it )?down|(?:write|put|make|take|add|keep|save) (?:a |it as a |that as a |this as a )?note)\b(?! (?:to (?!self)|in |into |on |at |above |below ))`,
    String.raw`${order}(?:always\b|never\b)|\b(?:from now on|in future|in the future|going forward)\b`,
    String.raw`${order}(?:merke?\b|merkt euch|merken\b|notiere?\b|notieren\b)|\b(?:dir|euch)\b.*\bmerken\b|\bbehalt(?:e|et)? (?:dir|im|das|bitte)\b|\bdenk(?:e|t)? (?:daran|dran)\b`,
    String.raw`\bab (?:jetzt|sofort)\b|\bvon (?:nun|jetzt) an\b|\bin zukunft\b|(?<!\p{L})künftig\b|${order}(?:immer|nie|niemals)\b`,
    String.raw`${order}(?:souviens-toi|souvenez-vous|rappelle-toi|rappelez-vous|retiens|retenez|mémorise[zr]?|note[zr]? (?:que|bien|ça|cela)|garde[zr]? (?:en tête|à l['’]esprit|en mémoire))(?!\p{L})`,
    String.raw`(?<!\p{L})(?:désormais|dorénavant)\b|(?<!\p{L})à partir de maintenant\b|${order}(?:toujours|jamais)\b`,
    String.raw`${order}(?:recuerda|recuerde|anota|anote|apunta|apunte|memoriza|memorice|acu[eé]rdate|toma nota|ten(?:ga)? en (?:cuenta|mente))(?!\p{L})`,
    String.raw`\b(?:de|a partir de) ahora(?: en adelante)?\b|\ben adelante\b|${order}(?:siempre|nunca)\b`,
    '覚えて|憶えて|記憶して|メモして|メモに|記録して|書き留めて|今後は?|これからは|以後|(?:常に|必ず)[^。\\n]*(?:ください|下さい)',
    '记住|记下|记得|牢记|记录下|记一下|記住|記下|記得|从现在起|從現在起|从今以后|今后|今後|以后(?:都|请|一律)',
    String.raw`${order}请?(?:总是|總是|始终|一律)`,
  ].join('|'),
  'u',
);

/** "No, remember that …" refuses nothing of it. */
const interjection = /(?<=^|[.!?\n]\s*)(?:no|nope|nein|non)\s*[,–—]\s*/gi;

/** Before the request: not to be kept. */
const refusal =
  /n['’]t\b|\b(?:not|dont|no|never|nothing|without|stop|avoid|nicht|kein\p{L}*|nie|niemals|ohne|ne|pas|rien|sans|jamais|nunca|sin|tampoco)\b|\bn['’]|不|别|別|勿|无需|無需|莫|没|沒/u;

/** After it, or a question what is kept. */
const isRefused =
  /\b(?:merk|notier|behalt|denk)\p{L}*[^,:]*\bnicht\b|(?:覚え|憶え|記憶|メモ|記録|書き留め)[^、：:]{0,12}(?:ない|なく|ません|不要)|覚えて(?:い?ますか|い?る[?？]?$)|(?:记得|記得)(?:吗|嗎)|\b(?:thing|things|something) to remember\?$/u;

interface Words {
  /** Names, numbers, paths, addresses and negations, which have to be the same. */
  readonly exact: ReadonlySet<string>;
  readonly content: ReadonlySet<string>;
  readonly isNegative: boolean;
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
  const unspacedNegations = Array.from(folded.matchAll(/不|没|沒|勿|ない|ません/g), ([negation]) => negation);
  for (const negation of unspacedNegations) exact.add(negation);
  return { exact, content, isNegative: exact.has('not') || unspacedNegations.length > 0 };

  function addWord(word: string): void {
    if (negations.has(word.replace('’', "'"))) exact.add('not');
    else if (reversals.test(word)) exact.add(reversals.exec(word)?.[0] ?? word);
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

/** Verbs that turn round what follows as "not" does: "run the tests" and "skip the tests" differ in one word. */
const reversals =
  /^(?:skip|ignor|disabl|avoid|bypass|omit|exclud|remov|delet|forbid|prevent|stop|drop|switch|allow|enabl|permit|überspring|auslass|ignorier|deaktivier|aktivier|abschalt|vermeid|umgeh|lösch|entfern|erlaub|désactiv|activ|évit|supprim|autoris|contourn|saut|desactiv|evit|elimin|permit|salt|omit)/u;

/** Words that say nothing by themselves, or that every note has. */
const fillers = new Set(
  (
    'the an and or of to in on at for with by as is are was be been it its this that these those we our us you your they their ' +
    'he she his her them i my me from then than so if when which who what there here has have had do does will would should must ' +
    'can may all any each every always use uses used using project workspace repository repo code team person user users note notes please ' +
    'remember convention rule decision prefer prefers preferred wants want now future ' +
    'der die das den dem des ein eine einen einem einer und oder von zu zum zur im am auf für mit bei als ist sind war wird werden ' +
    'wir uns unser unsere dass es sie ihr man immer bitte merke merk dir notiere projekt verwenden verwendet benutzen benutzt nutzen nutzt ' +
    'le la les un une des du de et ou à au aux en dans sur pour avec par est sont nous notre nos vous que qui ce cette il elle on ' +
    'toujours projet utiliser utilise utilisons note souviens toi ' +
    'el los las unos unas y o del al con por para es son nuestro nuestra nuestros que se su sus siempre proyecto usar usa usamos ' +
    'recuerda anota 项目 使用 使用し 我们 请记 记住 プロ ロジ ジェ ェク クト'
  ).split(' '),
);
