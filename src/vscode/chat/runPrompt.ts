import * as l10n from '@vscode/l10n';
import { escapeMarkdown } from '../../core/text/markdown';
import { visibleLine } from '../../core/text/plainText';
import type { CountedFile, Guidance } from '../../core/tools/guidance/guidance';
import { findRunnable, nearest, parseRun, runMessage } from '../../core/tools/guidance/prompts';
import { runReport } from '../../core/tools/guidance/runReport';
import { commandLink, withLinksTo } from '../commandLink';
import type { LocalAnswer } from './slashCommands';

/** What a `/run` comes to: an answer of ours, or a text that goes to Claude before what the person typed (T4). */
export type RunOutcome =
  | { readonly type: 'answer'; readonly answer: LocalAnswer }
  | { readonly type: 'message'; readonly text: string; readonly counted: CountedFile };

export async function runPrompt(
  guidance: Pick<Guidance, 'runnables'>,
  prompt: string,
  options: { readonly isTrusted: boolean },
  signal: AbortSignal,
): Promise<RunOutcome> {
  const all = await guidance.runnables(signal);
  const { name, args } = parseRun(prompt);
  const found = name === '' ? undefined : findRunnable(all, name);
  if (found) {
    const counted: CountedFile = { kind: 'prompt', path: found.path, chars: found.body.length };
    return { type: 'message', text: runMessage(found, args), counted };
  }
  const ask = 'assistant.ask';
  const list = (shown: typeof all) =>
    runReport(shown, (one) => commandLink(ask, { question: `/run ${one.name} ${args}`, isLocal: true }));
  const close = name === '' ? [] : nearest(all, name);
  const unknown = l10n.t(
    'There is no prompt file or skill “{0}”.',
    escapeMarkdown(visibleLine(name).slice(0, 80)),
  );
  const restricted = l10n.t('Those of this workspace count once you have trusted it.');
  const lines = [
    ...(name === '' ? [] : [unknown]),
    ...(close.length > 0 ? [l10n.t('Did you mean one of these?'), list(close)] : []),
    ...(close.length === 0 && all.length > 0 ? [l10n.t('Choose what to run, and add its arguments:')] : []),
    ...(close.length === 0 ? [list(all)] : []),
    ...(options.isTrusted ? [] : [restricted]),
  ];
  return { type: 'answer', answer: { markdown: withLinksTo(ask, lines.join('\n\n')), buttons: [] } };
}
