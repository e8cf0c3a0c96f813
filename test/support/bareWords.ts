import { parseSync } from 'oxc-parser';

/** A node of the syntax tree. */
interface Node {
  readonly type: string;
  readonly start: number;
  readonly [field: string]: unknown;
}

/** What a node stands in, and where in it. */
interface Outer {
  readonly node: Node;
  readonly field: string;
  readonly index: number;
}

/** Functions and methods that show people what they are given, but for so many arguments at the beginning. */
const shows: Readonly<Record<string, number>> = {
  ...from(0, 'showInformationMessage showWarningMessage showErrorMessage showInputBox showQuickPick'),
  ...from(0, 'setStatusBarMessage inform warn complain offer offerLater askInDialog pickOne pickSome'),
  ...from(0, 'wordList paragraph spokenSentences labeled withRemark'),
  ...from(0, 'UserError MarkdownString TreeItem ChatResponseMarkdownPart Unavailable NoPermissions Blocked'),
  ...from(0, 'markdown progress button appendMarkdown appendText createTextNode'),
  ...from(1, 'createWebviewPanel setAttribute sayWithSettings t'),
  ...from(2, 'element forget'),
};

/** Properties whose value people read, whosever they are. */
const shown = new Set(
  (
    'title label detail tooltip placeHolder placeholder notice shown spoken openLabel saveLabel textContent ' +
    'aria-label ariaLabel innerText invocationMessage pastTenseMessage markdown validateInput'
  ).split(' '),
);

/** The same outside of core, where these are for Claude as often. */
const shownInEditor = new Set(['description', 'message', 'text', 'name', 'body', 'prompt']);

/** And in the files of core that are for people, or describe to them what is for Claude besides. */
const shownInReports = new Set(['details', 'text', 'summary', 'hint', 'message']);

/** Files that make texts for people only: there, also what a function returns as a string is one. */
const forPeople = [
  'core/(receipt|text/(timeSpan|figures)|conversation/(reports/.*|threads/threadNotices))',
  'core/(ledger/(words|usage.*|ledgerReport)|tools/changes/change(Report|Rows)|tools/guidance/.*Report)',
  'vscode/formats',
].map((paths) => new RegExp(`^${paths}\\.ts$`));

const describing = /^core\/(tools\/confirmation|agent\/(describeEnd|summarizeTurns|unpricedNotice))\.ts$/;

/**
 * Texts with words in places that people read, and outside of `l10n.t`: English whatever the language of the reader is.
 * Each with its line.
 */
export function findBareWords(path: string, source: string): string[] {
  const texts: (readonly [Node, readonly Outer[]])[] = [];
  const names = new Set<string>();
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a tree of such nodes.
  walk(parseSync(path, source).program as unknown as Node, [], (node, outers) => {
    if (textOf(node) !== undefined) texts.push([node, outers]);
    if (node.type === 'Identifier' && isRead(path, outers)) names.add(nameOf(node));
  });
  return texts.flatMap(([node, outers]) => {
    const text = textOf(node) ?? '';
    const words = text.trim();
    // One word that a function is given first is what to do, not what to say.
    const isId = /^[\w-]+$/.test(words) && outers[0]?.field === 'arguments' && outers[0].index === 0;
    const isSaid = (hasWords(words) && !isId) || isGlue(text, outers);
    if (!isSaid || !isRead(path, outers, names)) return [];
    return `${path}:${source.slice(0, node.start).split('\n').length} ${words || `“${text}”`}`;
  });
}

function walk(
  node: Node,
  outers: readonly Outer[],
  visit: (node: Node, outers: readonly Outer[]) => void,
): void {
  if (/^(TS(?!As|Satisfies|NonNull)|Import)/.test(node.type)) return;
  visit(node, outers);
  const isTranslated = node.type === 'CallExpression' && nameOf(node['callee']) === 'l10n.t';
  for (const [field, value] of Object.entries(node)) {
    for (const [index, inner] of [value].flat().entries()) {
      const isItsWords = isTranslated && field === 'arguments' && index === 0;
      if (isNode(inner) && !isItsWords) walk(inner, [{ node, field, index }, ...outers], visit);
    }
  }
}

/** What puts words together is not the same in every language: there is `core/text/joined.ts` for it. */
function isGlue(text: string, [outer]: readonly Outer[]): boolean {
  if (outer?.node.type === 'CallExpression') return isJoin(outer) && /^[,;:.]? $/.test(text);
  const isInside = outer?.node.type === 'TemplateLiteral' && outer.index > 0;
  return isInside && /^([,;:.] | \()\W*$/.test(text);
}

function isJoin({ node, field }: Outer): boolean {
  return field === 'arguments' && nameOf(node['callee']).endsWith('.join');
}

/** Whether people read what stands in there: as an argument, a property, a result, or by the name that it gets. */
function isRead(path: string, outers: readonly Outer[], names: ReadonlySet<string> = new Set()): boolean {
  const decides = outers.findIndex((outer) => !isPassedOn(outer));
  const outer = outers[decides];
  if (!outer) return false;
  const { node, field, index } = outer;
  const isReport = forPeople.some((files) => files.test(path));
  if (isReport && outers.slice(0, decides).some((inner) => isTextFunction(inner.node))) return true;
  switch (node.type) {
    case 'Property':
      return field === 'value' && isReadProperty(path, nameOf(node['key']));
    case 'AssignmentExpression':
      return field === 'right' && isReadProperty(path, lastOf(nameOf(node['left'])));
    case 'VariableDeclarator':
      return field === 'init' && names.has(nameOf(node['id']));
    case 'CallExpression':
    case 'NewExpression': {
      const callee = nameOf(node['callee']);
      if (field === 'arguments' && callee.endsWith('.push'))
        return names.has(callee.slice(0, -'.push'.length));
      const first = /\blog\.\w+$/.test(callee) ? undefined : shows[lastOf(callee)];
      return field === 'arguments' && first !== undefined && index >= first;
    }
    case 'ReturnStatement': {
      const made = outers.slice(decides).find((one) => /Function/.test(one.node.type))?.node;
      return made !== undefined && ((isReport && isTextFunction(made)) || names.has(nameOf(made['id'])));
    }
    default:
      return false;
  }
}

/** Whether a value goes on outwards, alone or as a part of another. */
function isPassedOn({ node, field, index }: Outer): boolean {
  switch (node.type) {
    case 'TemplateLiteral':
    case 'ArrayExpression':
    case 'SpreadElement':
    case 'ParenthesizedExpression':
    case 'TSAsExpression':
    case 'TSSatisfiesExpression':
    case 'LogicalExpression':
      return true;
    case 'BinaryExpression':
      return node['operator'] === '+';
    case 'ConditionalExpression':
      return field !== 'test';
    case 'ArrowFunctionExpression':
      return field === 'body';
    // `[one, another].join(' ')` is made of its parts.
    case 'MemberExpression':
      return field === 'object' && /^(join|filter|trim|concat|map|flatMap)$/.test(nameOf(node['property']));
    case 'CallExpression':
      return field === 'callee' || isJoin({ node, field, index }) || isMapped({ node, field, index });
    default:
      return false;
  }
}

function isMapped({ node, field }: Outer): boolean {
  return field === 'arguments' && /\.(map|flatMap)$/.test(nameOf(node['callee']));
}

function isReadProperty(path: string, name: string): boolean {
  if (shownInReports.has(name) && [...forPeople, describing].some((files) => files.test(path))) return true;
  return shown.has(name) || (!path.startsWith('core/') && shownInEditor.has(name));
}

function isTextFunction(made: Node): boolean {
  const returned = made['returnType'];
  return isNode(returned) && isNode(returned['typeAnnotation'])
    ? returned['typeAnnotation'].type === 'TSStringKeyword'
    : false;
}

/** A text without what is put into it. */
function textOf(node: Node): string | undefined {
  if (node.type === 'Literal') return typeof node['value'] === 'string' ? node['value'] : undefined;
  if (node.type !== 'TemplateElement' || !isObject(node['value'])) return undefined;
  return String(node['value']['cooked']);
}

/** What is a name, an id, a piece of code or of Markdown has no words. */
function hasWords(text: string): boolean {
  const rest = text
    .replaceAll(/`[^`]*`|\$\([\w~-]+\)|command:\S+|https?:\S+|\bassistant\.[\w.]*|@assistant\b|\/\w+/g, '')
    .replaceAll(/\b(Claude( Assistant)?|VS Code|Markdown|JSON|KB|MB|GB|TB|USD)\b/g, '');
  return /\p{L}{2,}/u.test(rest);
}

function nameOf(value: unknown): string {
  if (!isNode(value)) return '';
  if (value.type === 'MemberExpression') return `${nameOf(value['object'])}.${nameOf(value['property'])}`;
  const name = value['name'] ?? value['value'];
  return typeof name === 'string' ? name : '';
}

function lastOf(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1);
}

function from(first: number, names: string): Record<string, number> {
  return Object.fromEntries(names.split(' ').map((name) => [name, first]));
}

function isNode(value: unknown): value is Node {
  return isObject(value) && typeof value['type'] === 'string';
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
