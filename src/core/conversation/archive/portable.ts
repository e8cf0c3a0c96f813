import { redact } from '../../secrets/redact';
import { plainJson } from '../../text/json';
import { repairedMessages } from '../transcript';
import { valuesOf, type Conversation, type StoredTurn } from '../turn';
import { textWithoutValues, withoutValues } from './withoutValues';

export const portableFormat = 'claude-assistant-conversation';
export const portableVersion = 1;

/** Deeper than any tool input that is remembered. */
export const maxDepth = 80;

export interface ExportOptions {
  /** The user ticked that the values of params go with it. */
  readonly withValues: boolean;
  /** Keys and other credentials: wherever they stand, they are left out. */
  readonly secrets: readonly string[];
  /** The text of the plan that is open. */
  readonly plan?: string | undefined;
}

/**
 * A conversation as JSON that another workspace, or a later version, takes back (M21). Ids, times and messages are as
 * they are remembered; what is of this window only is not there, nor is the time of the export: the same conversation
 * gives the same bytes.
 */
export function toPortable(conversation: Conversation, options: ExportOptions): string {
  const { withValues, secrets } = options;
  const plan = planToExport(conversation, options);
  const { turns, params, summary } = withValues ? conversation : withoutValues(conversation);
  const form = {
    format: portableFormat,
    version: portableVersion,
    turns: turns.flatMap(portableTurn),
    ...(summary && { summary: { text: summary.text, at: summary.at, turns: summary.turns } }),
    ...(plan !== undefined && { plan }),
    ...(withValues && {
      params: Object.fromEntries(valuesOf({ params })),
    }),
  };
  return `${redact(JSON.stringify(plainJson(form, maxDepth), undefined, 2), secrets)}\n`;
}

export function planToExport(
  conversation: Conversation,
  { plan, withValues }: ExportOptions,
): string | undefined {
  return plan === undefined || withValues ? plan : textWithoutValues(conversation, plan);
}

function portableTurn({ id, startedAt, endedAt, outcome, model, usage, tokens, ...turn }: StoredTurn) {
  const messages = repairedMessages(turn.messages);
  const { isPinned } = turn;
  return messages.length === 0
    ? []
    : [{ id, startedAt, endedAt, outcome, model, usage, tokens, isPinned, messages }];
}
