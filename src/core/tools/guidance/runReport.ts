import * as l10n from '@vscode/l10n';
import { codeSpan, escapeMarkdown } from '../../text/markdown';
import type { Runnable } from './prompts';

/** Nobody reads more; the rest can be run all the same. */
const maxListed = 60;

/** What `/run` can run, as Markdown: each name leads to the chat with the command filled in. */
export function runReport(all: readonly Runnable[], linkTo: (one: Runnable) => string): string {
  if (all.length === 0)
    return l10n.t(
      'There is nothing to run here yet. Prompt files are Markdown files in {0} or {1}; skills are folders with a {2} in {3} or in your own {4}.',
      codeSpan('.claude/commands'),
      codeSpan('.github/prompts'),
      codeSpan('SKILL.md'),
      codeSpan('.claude/skills'),
      codeSpan('~/.claude/skills'),
    );
  const shown = all.slice(0, maxListed);
  const lines = (kind: Runnable['kind']) =>
    shown.filter((one) => one.kind === kind).map((one) => describe(one, linkTo(one)));
  const [prompts, skills] = [lines('prompt'), lines('skill')];
  const more = all.length - shown.length;
  return [
    ...(prompts.length > 0 ? [`**${l10n.t('Prompt files')}**`, prompts.join('\n')] : []),
    ...(skills.length > 0 ? [`**${l10n.t('Skills')}**`, skills.join('\n')] : []),
    ...(more > 0 ? [l10n.t('{0} more', more)] : []),
  ].join('\n\n');
}

function describe({ name, argumentHint, description, path }: Runnable, link: string): string {
  const hint = argumentHint === '' ? '' : ` ${codeSpan(argumentHint)}`;
  const about = description === '' ? '' : ` — ${escapeMarkdown(description)}`;
  return `- [${escapeMarkdown(name)}](${link})${hint}${about} *(${escapeMarkdown(path)})*`;
}
