import * as fc from 'fast-check';
import { createSecretFilesReader } from '../../src/core/tools/paths/secretFiles';
import { createToolset } from '../../src/core/tools/toolset';
import { unrecorded } from '../support/changes';
import { noSkills } from '../support/guidance';
import { createInMemoryWorkspace } from '../support/inMemoryWorkspace';
import { unkept } from '../support/notes';
import { oddValue } from './mutations';

const paths = [
  'src/a.ts',
  'src',
  '.',
  '',
  ' ',
  'README.md',
  'photo.png',
  'data.bin',
  'big.txt',
  '.env',
  'out',
  'out/key',
  'dangling',
  'loop',
  'pipe',
  '.vscode/settings.json',
  '.VSCODE/Tasks.json',
  '.git/hooks/pre-commit',
  'package.json',
  'new/deep/file.txt',
  '../../etc/passwd',
  '/etc/passwd',
  '/work/app/src/a.ts',
  '/work/app-secrets/x',
  '../app-secrets/x',
  '~/x',
  'file:///etc/passwd',
  '\\\\?\\C:\\x',
  'C:\\x',
  '%2e%2e/x',
  'src/./../src/a.ts',
  'src//a.ts',
  'a\0b',
  'src/a.ts/',
  'caf\u00e9',
  'cafe\u0301',
  '\uD83D',
  'x'.repeat(5000),
] as const;
const globs = [
  '**/*.ts',
  '*',
  '{a,b',
  '[',
  '**',
  '../**',
  '/etc/*',
  '!x',
  'src/{a,b}.ts',
  '\0',
  '*'.repeat(200),
  '{'.repeat(100),
] as const;
const words = [
  'a',
  'export',
  '',
  ' ',
  '(',
  '[a-z]+',
  '\\',
  '^$',
  '.',
  '\uD83D',
  '\0',
  '--pre=sh',
  'A'.repeat(3000),
] as const;
const anyPath = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom(...paths) },
  fc.string({ unit: 'binary', maxLength: 20 }),
);
const anyText = fc.oneof(fc.constantFrom(...words), fc.string({ unit: 'binary', maxLength: 20 }));
const anyNumber = fc.oneof(fc.constantFrom(0, 1, 2, 5, 10, 1000, -1, 1.5, 1e9, 2 ** 53), fc.integer());

/** By the name of a field, what is likely and what is not. */
const fields: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  path: anyPath,
  from: anyPath,
  to: anyPath,
  pattern: fc.oneof(fc.constantFrom(...globs), anyText),
  include: fc.constantFrom(...globs),
  query: anyText,
  content: anyText,
  text: anyText,
  edits: fc.array(
    fc.record(
      {
        old_text: fc.oneof(fc.constantFrom('export const a = 1;\n', 'a', ''), anyText),
        new_text: anyText,
        replace_all: fc.boolean(),
      },
      { requiredKeys: ['old_text', 'new_text'] },
    ),
    { maxLength: 3 },
  ),
  start_line: anyNumber,
  end_line: anyNumber,
  start_character: anyNumber,
  depth: anyNumber,
  context_lines: anyNumber,
  max_results: anyNumber,
  literal: fc.boolean(),
  case_sensitive: fc.boolean(),
  include_ignored: fc.boolean(),
};

const tools = createToolset({
  workspace: createInMemoryWorkspace(),
  secretFiles: createSecretFilesReader(() => []),
  changes: unrecorded,
  notes: unkept,
  guidance: noSkills,
});

/** Mostly in the form that the schema asks for, so that it comes further than the check of its form. */
export const toolCall = fc.constantFrom(...tools).chain(({ name, inputSchema }) => {
  const { properties = {}, required = [] } = inputSchema;
  const shaped = Object.fromEntries(
    Object.keys(properties).map((field) => [field, fields[field] ?? oddValue]),
  );
  const input = fc.oneof(
    { weight: 9, arbitrary: fc.record(shaped, { requiredKeys: [...required] }) },
    {
      weight: 1,
      arbitrary: fc.record(Object.fromEntries(Object.keys(properties).map((field) => [field, oddValue])), {
        requiredKeys: [],
      }),
    },
    { weight: 1, arbitrary: oddValue },
  );
  return input.map((value: unknown) => ({ name, input: value }));
});
export type FuzzedCall = typeof toolCall extends fc.Arbitrary<infer T> ? T : never;
