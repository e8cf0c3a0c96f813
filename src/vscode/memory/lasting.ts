import * as l10n from '@vscode/l10n';
import { askInDialog } from '../notify';

/** Something that outlives conversations. It goes with one only where the person says so (M28, N2). */
export interface Lasting {
  /** All of it in words, such as `3 notes`; undefined where there is none. */
  describe(): Promise<string | undefined>;
  /** On the buttons of the questions whether it goes, too; absent where it does without one. */
  readonly buttons: Readonly<Partial<Record<Occasion, () => string>>>;
  /** Erases all of it, and gives the way back. */
  erase(): Promise<() => Promise<void>>;
}

type Occasion = 'clear' | 'deleteAll';

/** What outlives conversations here, as far as there is any. */
export async function presentIn(
  lasting: readonly Lasting[],
): Promise<readonly { readonly kind: Lasting; readonly words: string }[]> {
  const described = await Promise.all(lasting.map(async (kind) => ({ kind, words: await kind.describe() })));
  return described.flatMap(({ kind, words }) => (words === undefined ? [] : [{ kind, words }]));
}

/**
 * Asks what is erased besides: nothing, one kind or all that there is a button for. Undefined where the person wants none
 * of it.
 */
export async function askWhatGoes(
  occasion: Occasion,
  { question, detail, plain }: { readonly question: string; readonly detail: string; readonly plain: string },
  kinds: readonly Lasting[],
): Promise<readonly Lasting[] | undefined> {
  const asked = kinds.flatMap((kind) => {
    const label = kind.buttons[occasion]?.();
    return label === undefined ? [] : [{ label, goes: [kind] }];
  });
  const choices = [
    { label: plain, goes: [] },
    ...asked,
    ...(asked.length > 1
      ? [{ label: l10n.t('Erase All of It'), goes: asked.flatMap(({ goes }) => goes) }]
      : []),
  ];
  const answer = await askInDialog(question, detail, ...choices.map(({ label }) => label));
  return choices.find(({ label }) => label === answer)?.goes;
}

/** Erases these, and gives the way back. */
export async function eraseLasting(kinds: readonly Lasting[]): Promise<() => Promise<void>> {
  const ways: (() => Promise<void>)[] = [];
  for (const kind of kinds) ways.push(await kind.erase());
  return async () => {
    for (const bringBack of ways) await bringBack();
  };
}
