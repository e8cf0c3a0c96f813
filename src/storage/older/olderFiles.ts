import { isCount, isMessages, isName } from '../../core/conversation/decode';
import { closeInterrupted, crashed } from '../../core/conversation/interrupt';
import type { Damage } from '../../core/conversation/savedForm';
import type { Archiving } from '../../core/conversation/store';
import { repairedMessages } from '../../core/conversation/transcript';
import type { ArchivedId, Ending } from '../../core/conversation/turn';
import type { Message } from '../../core/messages';
import { isObject, type JsonObject } from '../../core/text/json';
import { parsedJson } from '../sqlite';
import { mergeOlder } from './mergeOlder';
import { decodeEntry, decodeState, type Decoded, type OlderEntry } from './olderEntry';

/** What one window wrote ahead. Nothing when a newer version wrote some of it. */
export function decodeWriteAhead(text: string): Decoded | undefined {
  const entries: OlderEntry[] = [];
  const damaged: Damage[] = [];
  const running = new Map<unknown, RunningTurn>();
  // What stands behind the last line break was never acknowledged; an append after it begins with a line break.
  const lines = text.split('\n').slice(0, -1);
  for (const line of lines.filter((one) => one.trim() !== '')) {
    const raw = parsedJson(line);
    const { v: version, kind, id } = isObject(raw) ? raw : {};
    if (isCount(version) && version > 2) return undefined;
    const known = isObject(raw) && isCount(version) ? raw : {};
    const entry = decodeEntry(known);
    const round = decodeRound(known, running);
    if (entry) entries.push(entry);
    else if (round) running.set(id, round);
    else if (kind !== 'abandoned') damaged.push({ what: 'a line of a write-ahead file', data: line });
    if (kind === 'abandoned') running.delete(id);
    if (entry?.kind === 'turn' && entry.thing) running.delete(entry.name);
  }
  return { entries: [...entries, ...[...running.values()].flatMap(recovered)], damaged };
}

/** A turn that had not ended when its last line was written. */
interface RunningTurn {
  readonly line: JsonObject;
  readonly messages: readonly Message[];
}

/** Each line goes on from the first `keep` messages that the lines before it told of. */
function decodeRound(line: JsonObject, running: ReadonlyMap<unknown, RunningTurn>): RunningTurn | undefined {
  const { kind, id, keep, messages } = line;
  if (kind !== 'running' || !isName(id) || !isCount(keep) || !isMessages(messages)) return undefined;
  return { line, messages: [...(running.get(id)?.messages.slice(0, keep) ?? []), ...messages] };
}

/** As an interrupted turn; nothing when no tool had returned. */
function recovered({ line, messages }: RunningTurn): readonly OlderEntry[] {
  // Judged by role, not content: a result that cannot be read still proves that the round was completed.
  if (!messages.slice(1).some(({ role }) => role === 'user')) return [];
  const closed = repairedMessages(closeInterrupted(messages, crashed));
  const turn = { ...line, endedAt: line['at'], outcome: 'interrupted', messages: closed };
  return [decodeEntry({ ...line, kind: 'turn', turn }) ?? []].flat();
}

/** Nothing when it is damaged or of a newer version. */
export function decodeArchived(
  id: ArchivedId,
  text: string,
): { readonly archiving: Archiving; readonly damaged: readonly Damage[] } | undefined {
  const file = parsedJson(text);
  if (!isObject(file) || file['version'] !== 1) return undefined;
  const { entries, damaged } = decodeState(file['memory']);
  const [stored] = mergeOlder(entries);
  const turns = (stored?.turns ?? []).flatMap((turn) => {
    const messages = repairedMessages(turn.messages);
    return messages.length > 0 ? [{ ...turn, messages }] : [];
  });
  if (!stored || turns.length === 0) return undefined;
  const { waiting: _ended, ...conversation } = stored;
  const ending = endingOf(id, file['firstCut']);
  return { archiving: { id, conversation: { ...conversation, turns }, ending }, damaged };
}

function endingOf(id: ArchivedId, firstCut: unknown): Ending {
  const [, kind] = id.split('-');
  if (kind === 'branch' && isName(firstCut)) return { kind, firstCut };
  return { kind: kind === 'ended' ? kind : 'left' };
}
