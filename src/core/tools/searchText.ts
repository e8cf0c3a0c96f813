import * as l10n from '@vscode/l10n';
import { codeSpan } from '../text/markdown';
import { boolean, integer, objectOf, string } from './inputSchema';
import { resultLimit } from './lines';
import type { PathPolicy } from './paths/pathPolicy';
import { resolveScope, touchingScope } from './scope';
import type { FoundText, TextLine } from './workspace';
import { defineTool } from './workspaceTool';

interface Input {
  readonly pattern: string;
  readonly literal?: boolean;
  readonly path?: string;
  readonly include?: string;
  readonly case_sensitive?: boolean;
  readonly context_lines?: number;
  readonly max_results?: number;
  readonly include_ignored?: boolean;
}

const defaultResults = 100;
const mostResults = 500;

export const searchText = defineTool<Input>({
  name: 'search_text',
  title: () => l10n.t('Search Text'),
  description:
    'Search the contents of all files of the workspace with ripgrep. The pattern is a regular expression (Rust ' +
    'syntax: no look-around, no back-references) or, with literal: true, plain text. Use it to find where something is ' +
    'defined, used or said, before reading files; context_lines of 3 to 5 often saves reading them at all. Back come ' +
    'the matching lines by file with line numbers ("12: match", "13- context"). Ignored and excluded files are skipped ' +
    'unless include_ignored is true; files that look like secrets, binary files and those of more than 1 GB always are.',
  effect: 'reads',
  inputSchema: objectOf(
    { pattern: string('Regular expression, or plain text with literal: true.', { minLength: 1 }) },
    {
      literal: boolean('Take the pattern as plain text. Default: false.'),
      path: string('Folder or file to search in; all of the workspace if left out.'),
      include: string('Only files that match this glob, relative to path, such as **/*.ts.'),
      case_sensitive: boolean('Default: true exactly when the pattern has a capital letter.'),
      context_lines: integer('Lines shown before and after each match. Default: 0.', {
        minimum: 0,
        maximum: 10,
      }),
      max_results: integer(`How many matching lines to return at most. Default: ${defaultResults}.`, {
        minimum: 1,
        maximum: mostResults,
      }),
      include_ignored: boolean('Search also ignored and excluded files.'),
    },
  ),
  prepare: async (request, context, preparing) => ({
    ...(await touchingScope(context, { path: request.path, glob: request.include }, preparing)),
    progress: l10n.t('Searching for {0}', codeSpan(request.pattern)),
    async run(_, signal) {
      const { path, include, pattern, max_results: limit = defaultResults } = request;
      const secrets = context.policy.secrets();
      const scope = await resolveScope(context, { path, glob: include, secrets: 'refused' }, signal);
      const query = {
        ...scope,
        pattern,
        isLiteral: request.literal ?? false,
        isCaseSensitive: request.case_sensitive ?? /\p{Lu}/u.test(pattern),
        contextLines: request.context_lines ?? 0,
        exclude: secrets.globs,
        isIgnoredIncluded: request.include_ignored ?? false,
        limit,
      };
      const found = await context.workspace.searchText(query, signal);
      const lines = found.lines.filter(({ place }) => !secrets.has(place));
      return { content: describe({ ...found, lines }, request, limit, context.policy) };
    },
  }),
});

function describe(found: FoundText, request: Input, limit: number, policy: PathPolicy): string {
  const { text, shown, total } = showLines(found.lines, (line) => policy.show(line.place));
  const notes: string[] = [];
  if (shown < total) notes.push(`only the first ${shown} of ${total} matching lines fit here`);
  else if (found.end === 'limit') notes.push(`stopped after ${limit} matching lines; there are more`);
  if (found.end === 'time') notes.push('time ran out before all files were searched');
  const advice = 'narrow it with path, include or a longer pattern';
  if (total === 0 && notes.length === 0) return nothingFound(request);
  return notes.length === 0 ? text : `${text}\n[${notes.join('; ')}: ${advice}.]`.trimStart();
}

function nothingFound(request: Input): string {
  const ideas = [
    ...(request.literal === true ? [] : ['literal: true if the pattern is meant as plain text']),
    ...(request.include_ignored === true ? [] : ['include_ignored: true']),
    ...(request.include === undefined && request.path === undefined ? [] : ['a wider path or include']),
  ];
  const limits = isAscii(request.pattern)
    ? ''
    : ' Text is found in UTF-8, in UTF-16 with a byte order mark and in the encoding of the setting files.encoding, in no other.';
  return `No match for ${request.pattern}. Check the spelling${ideas.length > 0 ? `, or try ${ideas.join(', or ')}` : ''}.${limits}`;
}

function isAscii(text: string): boolean {
  return !/[^\p{ASCII}]/u.test(text);
}

function showLines(lines: readonly TextLine[], nameOf: (line: TextLine) => string) {
  const out: string[] = [];
  let size = 0;
  let shown = 0;
  let total = 0;
  let last: TextLine | undefined;
  let isFull = false;
  for (const line of lines) {
    if (line.isMatch) total++;
    if (isFull) continue;
    const name = nameOf(line);
    const isNewFile = last === undefined || nameOf(last) !== name;
    const isGap =
      !isNewFile && last !== undefined && line.line > last.line + 1 && !(last.isMatch && line.isMatch);
    const entry = [
      ...(isNewFile ? [last === undefined ? name : `\n${name}`] : []),
      ...(isGap ? ['--'] : []),
      `${line.line}${line.isMatch ? ':' : '-'} ${line.text}`,
    ].join('\n');
    size += entry.length + 1;
    isFull = size > resultLimit;
    if (isFull) continue;
    out.push(entry);
    if (line.isMatch) shown++;
    last = line;
  }
  return { text: out.join('\n'), shown, total };
}
