import * as l10n from '@vscode/l10n';

/** What comes out in another language, of which this bundle says the words. */
export function inLanguage<Result>(bundle: Readonly<Record<string, string>>, run: () => Result): Result {
  l10n.config({ contents: bundle });
  try {
    return run();
  } finally {
    l10n.config({ contents: {} });
  }
}
