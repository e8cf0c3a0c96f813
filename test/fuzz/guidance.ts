import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { splitFrontMatter, splitList, wordsOf } from '../../src/core/tools/guidance/frontMatter';
import { importsIn } from '../../src/core/tools/guidance/imports';
import { fillArguments, parseRun, runMessage } from '../../src/core/tools/guidance/prompts';
import { hostileText, inShortTime } from './mutations';
import { fuzzTarget, type FuzzTarget } from './target';

/** Instructions, skills and prompt files of a team: front matter, imports, and what `/run` puts into them. */
export function guidanceTarget(): FuzzTarget {
  return fuzzTarget({
    name: 'guidance',
    share: 6,
    input: fc.record({ matter, body, args: hostileText }),
    holds: async (given) => inShortTime(() => read(given)),
  });
}

const value = fc.oneof(
  fc.constantFrom(
    'words',
    '"a, b"',
    '[\'x\', "y"]',
    '[a, {b,c}, ',
    '|',
    '>-',
    '# nothing',
    '[',
    '{',
    '',
    '@a.md',
  ),
  hostileText,
);
const matter = fc
  .array(
    fc.tuple(
      fc.constantFrom('name', 'description', 'paths', 'Argument-Hint', '- a', '  - b', '---', ' '),
      value,
    ),
    {
      maxLength: 12,
    },
  )
  .map((lines) => lines.map(([name, said]) => `${name}: ${said}`).join('\n'));
const body = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        '@docs/a.md',
        '@../../x',
        '(@~/.claude/b.md)',
        '`@code.md`',
        '```\n@in/code.md\n',
        '~~~',
        '@',
        'a@b.c',
      ),
      fc.constantFrom('$ARGUMENTS', '$1', '$10', '$9', '$$1', '$ARGUMENTSX', '\\ '),
      hostileText,
    ),
    { maxLength: 20 },
  )
  .map((parts) => parts.join(' '));

function read({
  matter: head,
  body: text,
  args,
}: Readonly<Record<'matter' | 'body' | 'args', string>>): void {
  const whole = `---\n${head}\n---\n${text}`;
  const split = splitFrontMatter(whole);
  assert.ok(whole.replaceAll(/\r\n?/g, '\n').endsWith(split.body), 'what follows it stays as it is');
  for (const [name, entries] of split.values) {
    assert.equal(name, name.toLowerCase());
    assert.ok(entries.every((entry) => typeof entry === 'string'));
    assert.doesNotMatch(wordsOf(split, name), /[\r\n]/);
  }
  assert.ok(splitList(head).every((entry) => entry !== ''));
  const imports = importsIn(text);
  assert.ok(imports.length <= 30 && new Set(imports).size === imports.length);
  for (const path of imports)
    assert.ok(/^[~./\w]/.test(path) && text.includes(path.replaceAll(' ', '\\ ')), path);
  assert.deepEqual(importsIn(`\`\`\`\n${text.replaceAll(/`|~/g, '')}\n`), [], 'code imports nothing');
  // Arguments are taken as they are, whatever stands in them.
  assert.equal(fillArguments('a $ARGUMENTS b', args), `a ${args} b`);
  const { name, args: rest } = parseRun(`${text} ${args}`);
  assert.ok(
    !/\s/.test(name) && `${text} ${args}`.trim().startsWith(name) && `${text} ${args}`.trim().endsWith(rest),
  );
  const runnable = {
    kind: 'prompt',
    name: 'x',
    description: '',
    argumentHint: '',
    path: 'x.md',
    body: text,
  } as const;
  const message = runMessage(runnable, args);
  assert.ok(message.isWellFormed() && message.length < 70_000);
}
