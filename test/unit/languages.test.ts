import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../support/projectPaths';

type Words = Readonly<Record<string, string>>;

/** Each with the words that it writes as English does. */
const languages: Readonly<Record<string, string>> = {
  de: 'Name Plan Scout Scouts Skills Tools Web',
  fr: 'conversation conversations h image images instructions message min note notes plan plans s web',
  es: 'bytes h min no plan s token tokens web',
  ja: 'GB KB MB Web',
  'zh-cn': 'GB KB MB',
};

describe('the languages', () => {
  const english: Words = { ...parse('package.nls.json'), ...parse('l10n/bundle.l10n.json') };

  it('P8: are German, French, Spanish, Japanese and Simplified Chinese, beside English', () => {
    const named = (folder: string, form: RegExp) =>
      readdirSync(join(projectRoot, folder)).flatMap((name) => form.exec(name)?.[1] ?? []);
    const expected = Object.keys(languages).toSorted();
    assert.deepEqual(named('.', /^package\.nls\.(.+)\.json$/).toSorted(), expected);
    assert.deepEqual(named('l10n', /^bundle\.l10n\.(.+)\.json$/).toSorted(), expected);
  });

  for (const [language, alike] of Object.entries(languages)) {
    describe(language, () => {
      const words: Words = {
        ...parse(`package.nls.${language}.json`),
        ...parse(`l10n/bundle.l10n.${language}.json`),
      };
      const pairs = Object.entries(english).map(([key, before]) => [before, words[key] ?? ''] as const);

      it('P8: has everything that there is to say, and nothing else', () => {
        const missing = Object.keys(english).filter((key) => !words[key]?.trim());
        const tooMany = Object.keys(words).filter((key) => !Object.hasOwn(english, key));
        assert.deepEqual({ missing, tooMany }, { missing: [], tooMany: [] });
      });

      it('P8: begins and ends no sentence with a blank that English has not', () => {
        const edges = (text: string) => [/^\s*/.exec(text)?.[0], /\s*$/.exec(text)?.[0]].join('|');
        assert.deepEqual(
          pairs.filter(([before, after]) => edges(before) !== edges(after)),
          [],
        );
      });

      it('P8: has the same places, links, code, settings, icons and marks in each sentence', () => {
        const changed = pairs.filter(([before, after]) => fixedIn(before) !== fixedIn(after));
        assert.deepEqual(changed, []);
      });

      it('P8: leaves nothing in English but words that are its own as well', () => {
        const own = new Set(alike.toLowerCase().split(' '));
        const left = pairs.filter(
          ([before, after]) =>
            before === after && !wordsIn(before).every((word) => own.has(word.toLowerCase())),
        );
        assert.deepEqual(left, []);
      });

      it('P8: calls each command by one name, wherever it is named, and no two alike', () => {
        const commands = Object.entries(parse('package.nls.json')).flatMap(([key, title]) =>
          key.startsWith('command.') ? [{ title, own: words[key] ?? '' }] : [],
        );
        const misnamed = commands
          .filter(({ title }) => title.includes(' '))
          .flatMap(({ title, own }) =>
            pairs.filter(
              ([before, after]) => names(before, title) && before !== title && !after.includes(own),
            ),
          );
        assert.deepEqual(misnamed, []);
        const titles = new Set(commands.map(({ title }) => title));
        assert.equal(new Set(commands.map(({ own }) => own)).size, titles.size);
      });

      it('P8: names itself, so that figures are written as its words are', () => {
        assert.equal(words['en'], language);
      });
    });
  }
});

/** No words where there is no such file: then all of them are missing. */
function parse(path: string): Words {
  const file = join(projectRoot, path);
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Words) : {};
}

/** What a translation has to leave as it is, in any order. What a command is given may be words. */
function fixedIn(text: string): string {
  const code = /`[^`]*`|\{\w+\}|\$\([\w~-]+\)|command:[^)?\s]*|https?:[^)\s]*|#?\bassistant\.\w+(?:\.\w+)*#?/;
  const marks = /@assistant\b|(?<![\w/])\/[a-z]+\b|\*\*|\]\(|\n/;
  return (text.match(new RegExp(`${code.source}|${marks.source}`, 'g')) ?? []).toSorted().join(' ');
}

function wordsIn(text: string): readonly string[] {
  return text.replaceAll(/\{\w+\}|\bClaude( Assistant)?\b/g, '').match(/\p{L}+/gu) ?? [];
}

function names(sentence: string, title: string): boolean {
  return new RegExp(String.raw`(?<!\p{L})${title}(?![\p{L}…])`, 'u').test(sentence);
}
