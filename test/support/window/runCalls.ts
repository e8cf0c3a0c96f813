import { isDeferred, toolsOf, type ClaudeRequest } from '../claude/request';
import { reply, text, toolSearch, toolUse } from '../claude/script';
import type { StandIn } from '../claude/standIn';
import { ConfirmationCard } from './confirmationCard';
import { resultsOf } from './sentMessages';
import type { VsCodeWindow } from './vscodeWindow';

export interface Call {
  readonly tool: string;
  /** Or what makes it of the results so far. */
  readonly input: object | ((results: readonly string[]) => object);
  /** What the person presses, card by card; `Allow` where nothing is said. */
  readonly press?: readonly string[];
  /** The name of a picture of each card, before it is answered. */
  readonly picture?: string;
}

export interface CallOutcome {
  /** All that was shown for this call. */
  readonly cards: readonly string[];
  readonly text: string;
  readonly isError: boolean;
}

/** Claude makes these calls in one turn, one after the other: what was asked for each, and what Claude got. */
export async function runCalls(
  { standIn, window }: { readonly standIn: StandIn; readonly window: VsCodeWindow },
  message: string,
  calls: readonly Call[],
): Promise<readonly CallOutcome[]> {
  const { journal } = standIn;
  const start = journal.messages.length;
  const cards = calls.map((): string[] => []);
  const results = () => resultsOf(journal.messages.at(-1)!);
  standIn.script(
    ...calls.map(({ tool, input }) => (request: ClaudeRequest) => {
      const texts = results().map((result) => result.text);
      // Many tools of others are deferred: Claude has to find one first.
      const isHidden = toolsOf(request).some((one) => one.name === tool && isDeferred(one));
      const call = toolUse(tool, typeof input === 'function' ? input(texts) : input);
      return reply(...(isHidden ? [toolSearch(tool)] : []), call);
    }),
    reply(text('Done.')),
  );
  await window.panel.send(message);
  await new ConfirmationCard(window.page).answerEach(window.panel, async (said) => {
    const index = journal.messages.length - start - 1;
    const { press, picture } = calls[index]!;
    if (picture) await window.screenshot(picture);
    const number = cards[index]!.push(said);
    return press?.[number - 1] ?? 'Allow';
  });
  const got = results().slice(-calls.length);
  return got.map(({ text: said, isError }, index) => ({ cards: cards[index]!, text: said, isError }));
}
