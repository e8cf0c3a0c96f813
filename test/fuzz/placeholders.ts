import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as l10n from '@vscode/l10n';
import * as fc from 'fast-check';
import { projectRoot } from '../support/projectPaths';
import { hostileText } from './mutations';
import { fuzzTarget, type FuzzTarget } from './target';

/** Every sentence of ours in every language, with words of others in its places. */
export function placeholdersTarget(): FuzzTarget {
  return fuzzTarget({
    name: 'placeholders',
    share: 4,
    input: fc.record({
      sentence: fc.constantFrom(...sentences),
      words: fc.array(hostileText, { minLength: maxPlaces, maxLength: maxPlaces }),
    }),
    holds: async ({ sentence: { language, key, text }, words }) => {
      l10n.config({ contents: { [key]: text } });
      try {
        const expected = text.replaceAll(/\{(\d+)\}/g, (_, place) => words[Number(place)] ?? '');
        assert.equal(l10n.t(key, ...words), expected, `${language}: words of others are taken as they are`);
        assert.deepEqual(placesIn(text), placesIn(key), `${language}: each place is there once more`);
      } finally {
        l10n.config({ contents: {} });
      }
    },
  });
}

const folder = join(projectRoot, 'l10n');
const sentences = readdirSync(folder)
  .filter((name) => /^bundle\.l10n.*\.json$/.test(name))
  .flatMap((name) => {
    const bundle = JSON.parse(readFileSync(join(folder, name), 'utf8')) as Record<
      string,
      string | { message: string }
    >;
    return Object.entries(bundle).flatMap(([key, entry]) => {
      const text = typeof entry === 'string' ? entry : entry.message;
      return text.includes('{') ? [{ language: name, key, text }] : [];
    });
  });
const maxPlaces = 1 + Math.max(...sentences.flatMap(({ key }) => placesIn(key)), 0);

/** Which there are; a sentence may need one twice. */
function placesIn(text: string): readonly number[] {
  return [...new Set(Array.from(text.matchAll(/\{(\d+)\}/g), ([, place]) => Number(place)))].toSorted(
    (a, b) => a - b,
  );
}
