import * as l10n from '@vscode/l10n';
import { tokenCount } from '../../receipt';
import { codeSpan } from '../../text/markdown';
import type { CountedFile } from './guidance';

/** Nobody reads more. */
const maxLines = 50;

/** What counted and where it came from, one line each, as Markdown (T5). */
export function guidanceLines(files: readonly CountedFile[]): string {
  const lines = files.slice(0, maxLines).map((file) => {
    const size = l10n.t('{0} characters', tokenCount(file.chars));
    return `- ${codeSpan(file.path)} · ${kindOf(file)} · ${size}`;
  });
  const more = files.length - lines.length;
  return [...lines, ...(more > 0 ? [`- ${l10n.t('{0} more', more)}`] : [])].join('\n');
}

function kindOf({ kind, isEarlier }: CountedFile): string {
  if (isEarlier) return l10n.t('told with an earlier result');
  switch (kind) {
    case 'skill':
      return l10n.t('skill');
    case 'prompt':
      return l10n.t('run by you');
    default:
      return l10n.t('instructions');
  }
}
