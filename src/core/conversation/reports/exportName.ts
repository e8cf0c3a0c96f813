import { redacting } from '../../secrets/redact';
import { mapTexts } from '../../text/json';
import type { ExportOptions } from '../archive/portable';
import { withoutValues } from '../archive/withoutValues';
import { firstWords } from '../firstWords';
import type { Conversation } from '../turn';

/** What the file of an export is called unless the person says otherwise: it tells no more than the export (M21). */
export function exportName(
  conversation: Conversation,
  { withValues, secrets }: ExportOptions,
  extension: 'json' | 'md',
): string {
  const shown = mapTexts(withValues ? conversation : withoutValues(conversation), redacting(secrets));
  const [first] = shown.turns;
  const name = (first ? firstWords(first) : '')
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replaceAll(/^-+|-+$/g, '')
    .toLowerCase();
  return `${name || 'conversation'}.${extension}`;
}
