import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import MarkdownIt, { type Token } from 'markdown-it';
import { Lexer } from 'marked';
import { fetchingLines, quoted } from '../../src/core/text/foreignMarkdown';
import { PictureFilter } from '../../src/core/text/pictureFilter';
import { inShortTime } from './mutations';
import { fuzzTarget, type FuzzTarget } from './target';

/** Pictures of the web in Markdown of others (S6), as VS Code reads it: its chat with marked, its preview with markdown-it. */
export function picturesTarget(): FuzzTarget {
  return fuzzTarget({
    name: 'pictures',
    share: 10,
    input: fc.record({
      markdown: fc.array(atom, { maxLength: 40 }).map((atoms) => atoms.join('')),
      cuts: fc.array(fc.record({ at: fc.nat(400), isEnd: fc.boolean() }), { maxLength: 6 }),
    }),
    holds: async ({ markdown, cuts }) => {
      inShortTime(() => {
        const given = filtered(markdown, cuts);
        assert.deepEqual(inChat(given), [], `in the chat: ${given}`);
        const quote = quoted(markdown);
        assert.deepEqual([...inChat(quote), ...inPreview(quote)], [], `in a quotation: ${quote}`);
        if (inPreview(markdown).length > 0) assert.notDeepEqual(fetchingLines(markdown), []);
      });
    },
  });
}

const picture = '![x](https://e.example)';
const atom = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.constantFrom('`', '``', '```', '````', '~~~', '\n```\n', '\n~~~\n', '\n````\n'),
  },
  { weight: 3, arbitrary: fc.constantFrom('\n', '\n\n', '\r', '\r\n', ' ', '    ', '   ', '\t', '\u00A0') },
  { weight: 3, arbitrary: fc.constantFrom(picture, '![x][r]', '![r]', '!', '[', ']', '(', ')', '](') },
  fc.constantFrom(
    '- ',
    '1. ',
    '> ',
    '# ',
    '---\n',
    '| a | b |\n|---|---|\n| ',
    '|',
    ' | ',
    '$',
    '$$',
    '\n$$\n',
  ),
  fc.constantFrom('<b>', '<div>', '</div>', '<!--', '-->', '<a href="', '"', "'", '>', '<https://e/', '&'),
  fc.constantFrom('[r]: https://e.example\n', '[q]: u "', '[x](y)', '![a b](c/d)', 'https://e', 'a@b', '\\'),
  {
    weight: 2,
    arbitrary: fc.constantFrom('\n- a ', '\n  - ', '\n\n  ```\n', '\n   ```\n   ', '\n  ', '\n\t'),
  },
  fc.constantFrom('```~~~\n', '~~~\t\n', '```<\n', '- [ ] ', '~a`~', '[`]()`', '\n-\n'),
  fc.constantFrom('a', 'b ', '*', '**', '_', 'js', '<img src=y>', '[x](y/z.a#L1)'),
);

function filtered(
  markdown: string,
  cuts: readonly { readonly at: number; readonly isEnd: boolean }[],
): string {
  const filter = new PictureFilter();
  const given: string[] = [];
  let start = 0;
  for (const { at, isEnd } of cuts.toSorted((one, other) => one.at - other.at)) {
    given.push(filter.add(markdown.slice(start, at)));
    if (isEnd) given.push(filter.end());
    start = Math.max(start, at);
  }
  return [...given, filter.add(markdown.slice(start)), filter.end()].join('');
}

const isRemote = (address: string) => /^\s*(?:[a-z][a-z0-9+.-]*:|\/\/|\\)/i.test(address);

/** Addresses of the pictures that the chat finds. */
function inChat(markdown: string): readonly string[] {
  const found: string[] = [];
  const walk = (value: unknown): void => {
    if (Array.isArray(value)) for (const one of value) walk(one);
    else if (typeof value === 'object' && value !== null) {
      const { type, href } = value as { readonly type?: unknown; readonly href?: unknown };
      if (type === 'image' && typeof href === 'string') found.push(href);
      for (const inner of Object.values(value)) walk(inner);
    }
  };
  walk([...new Lexer({ gfm: true }).lex(markdown)]);
  return found.filter(isRemote);
}

const preview = new MarkdownIt({ html: true, linkify: true });

/** Addresses of the pictures that the preview finds. */
function inPreview(markdown: string): readonly string[] {
  const found: string[] = [];
  const walk = (tokens: readonly Token[]): void => {
    for (const token of tokens) {
      if (token.type === 'image') found.push(token.attrGet('src') ?? '');
      if (token.type.startsWith('html_') && token.content.includes('<img')) found.push('//e.example');
      walk(token.children ?? []);
    }
  };
  walk(preview.parse(markdown, {}));
  return found.filter(isRemote);
}
