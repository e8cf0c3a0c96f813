import type { ArchivedId, Conversation, Ending } from '../turn';

/**
 * The same for every window that archives the same conversation, so that the second write meets the first. It sorts by
 * age.
 */
export function archivedId({ id, lastActive, turns }: Conversation, ending: Ending): ArchivedId {
  const cut = ending.kind === 'branch' ? ending.firstCut : '';
  const when = String(Math.floor(lastActive)).padStart(15, '0');
  // With the turns in it, no name ever stands for two different conversations.
  const whose = fingerprint(JSON.stringify([id, cut, turns.map((turn) => turn.id)]));
  return `${when}-${ending.kind}-${whose}`;
}

/** FNV-1a in two halves. */
function fingerprint(text: string): string {
  let [low, high] = [0x811c9dc5, 0xc9dc5118];
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    low = Math.imul(low ^ unit, 0x01000193);
    high = Math.imul(high ^ unit ^ (low >>> 7), 0x01000193);
  }
  return [low, high].map((half) => (half >>> 0).toString(16).padStart(8, '0')).join('');
}
