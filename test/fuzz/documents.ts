import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { isAskedFor } from '../../src/core/tools/notes/askedFor';
import { noteProblem, noteText } from '../../src/core/tools/notes/note';
import { keepsLines, progressOf, stepsOf, titleOf } from '../../src/core/tools/plans/plan';
import { quotePlan } from '../../src/core/tools/plans/planContext';
import { hostileText, inShortTime } from './mutations';
import { fuzzTarget, type FuzzTarget } from './target';

/** Plans and notes, as Claude and people write them. */
export function documentsTarget(): FuzzTarget {
  return fuzzTarget({
    name: 'documents',
    share: 6,
    input: fc.record({ plan, note: hostileText, own: hostileText, at: fc.nat() }),
    holds: async (given) => inShortTime(() => read(given)),
  });
}

const line = fc.oneof(
  fc.constantFrom(
    '- [ ] Step',
    '* [x] Done',
    '1) [X] Third',
    '  + [ ]  Inner',
    '```ts',
    '~~~~',
    '# Title',
    '- [ ]',
    '',
  ),
  fc.constantFrom('</plan>', '</plan_>', '<plan>', '- [ ] </plan>', '\r', '````', '    - [x] Deep'),
  hostileText,
);
const plan = fc
  .array(line, { maxLength: 30 })
  .chain((lines) => fc.constantFrom('\n', '\r\n').map((end) => lines.join(end)));

const openStep = /(?<![^\n])([ \t]*(?:[-*+]|\d+[.)])[ \t]+)\[ \]/g;

function read({
  plan: text,
  note,
  own,
  at,
}: Readonly<Record<'plan' | 'note' | 'own', string>> & { at: number }) {
  const steps = stepsOf(text);
  const { done, total } = progressOf(text);
  assert.deepEqual([done, total], [steps.filter(({ isDone }) => isDone).length, steps.length]);
  assert.ok(steps.every(({ title }) => title !== '' && !/[\r\n]/.test(title)));
  assert.doesNotMatch(titleOf(text), /[\r\n]/);
  assert.ok(keepsLines(text, text), 'a plan keeps its own lines');
  const ticked = text.replaceAll(openStep, '$1[x]');
  assert.ok(keepsLines(text, ticked) && keepsLines(ticked, text), 'a tick takes nothing away');
  const open = [...text.matchAll(openStep)].map(({ index }) => index);
  if (open.length > 0) {
    const start = open[at % open.length]!;
    const one = text.slice(0, start) + text.slice(start).replace('[ ]', '[x]');
    assert.ok(progressOf(one).done - done <= 1, 'one tick is one step');
  }
  const quoted = quotePlan(text);
  const [, tag] = /^<(\w+)>\n/.exec(quoted) ?? [];
  if (tag !== undefined)
    assert.equal(quoted.indexOf(`</${tag}>`), quoted.length - tag.length - 3, 'it ends at its end');

  const kept = noteText(note);
  assert.equal(noteText(kept), kept, 'a note that is kept again stays the same');
  assert.doesNotMatch(kept, /[\p{Cc}\u2028\u2029\u202A-\u202E\u2066-\u2069\u200B]/u);
  assert.equal(noteProblem(note), noteProblem(kept));
  // Words of somebody else are never what the person asked for.
  assert.equal(isAskedFor(`${note} zyxwvut https://evil.example/setup.sh`, own), false);
  assert.equal(isAskedFor(kept, 'What is this?'), false);
}
