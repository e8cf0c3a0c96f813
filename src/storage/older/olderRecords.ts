import { isCount, isName, isTime } from '../../core/conversation/decode';
import type { DepartureRow } from '../../core/conversation/store';
import type { EvictReason } from '../../core/conversation/turn';
import { decodeRecord } from '../../core/ledger/decodeRecord';
import { paramId, type AnswerRecord } from '../../core/ledger/record';
import { isObject, pick } from '../../core/text/json';

/** What was sent for an answer. It had words, which are dropped, and other names: `leftOut`, `fold`, `facts`. */
export function decodeOlderAnswer(raw: unknown): AnswerRecord | undefined {
  if (!isObject(raw)) return undefined;
  const { end, words, sent, leftOut } = raw;
  return decodeRecord({
    ...pick(raw, ['version', 'kind', 'turn', 'conversation', 'startedAt', 'endedAt', 'model', 'requests']),
    usage: raw['usage'],
    end: end === 'left' ? 'aborted' : end,
    ...(words === '/compact' && { command: 'compact' }),
    sent: Array.isArray(sent) && sent.map(currentItem),
    excluded: Array.isArray(leftOut) && leftOut.map((turn) => fieldsOf(turn, ['turn', 'tokens', 'reason'])),
  });
}

/** The turns that a record of another kind says were evicted. */
export function decodeDepartures(raw: unknown): readonly DepartureRow[] {
  if (!isObject(raw) || raw['version'] !== 1 || raw['kind'] !== 'left') return [];
  const { conversation, at, reason, turns } = raw;
  if (!isName(conversation) || !isTime(at) || !isReason(reason) || !Array.isArray(turns)) return [];
  const rows = turns.flatMap((one) => {
    const { turn, tokens } = fieldsOf(one, ['turn', 'tokens']);
    return isName(turn) && isCount(tokens) ? [{ conversation, turn, reason, tokens, at }] : [];
  });
  return rows.length === turns.length ? rows : [];
}

const kinds: ReadonlyMap<unknown, string> = new Map([
  ['fold', 'summarize'],
  ['facts', 'context'],
]);

function currentItem(raw: unknown): unknown {
  const { kind, turn, tokens, name, placeholders } = isObject(raw) ? raw : {};
  if (kind === 'turn')
    return { kind, turn, tokens, ...(Array.isArray(placeholders) && { placeholders: placeholders.length }) };
  // No name: it was erased.
  if (kind === 'param') return { kind, param: paramId(isName(name) ? name : ''), tokens };
  return { kind: kinds.get(kind) ?? kind, tokens };
}

function fieldsOf(raw: unknown, keys: readonly string[]) {
  return pick(isObject(raw) ? raw : {}, keys);
}

/** What a later version wrote is shown as it is. */
function isReason(value: unknown): value is EvictReason {
  return isName(value);
}
