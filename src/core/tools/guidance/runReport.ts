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
  const lines = all.slice(0, maxListed).map((one) => {
    const hint = one.argumentHint === '' ? '' : ` ${codeSpan(one.argumentHint)}`;
    const about = one.description === '' ? '' : ` — ${escapeMarkdown(one.description)}`;
    return `- [${escapeMarkdown(one.name)}](${linkTo(one)})${hint}${about}  \n  *${kindOf(one)}*`;
  });
  const more = all.length - lines.length;
  return [...lines, ...(more > 0 ? [`- ${l10n.t('{0} more', more)}`] : [])].join('\n');
}

function kindOf({ kind, path }: Runnable): string {
  const shown = escapeMarkdown(path);
  return kind === 'skill' ? l10n.t('skill, {0}', shown) : l10n.t('prompt file, {0}', shown);
}
