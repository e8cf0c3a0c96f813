import type { Place } from './workspace';

/** What the model has seen of files: an edit made for another text than the one there now is refused. */
export interface FileKnowledge {
  saw(place: Place, text: string): void;
  forget(place: Place): void;
  /** False when the model saw another text; true when it saw this one or never looked. */
  isCurrent(place: Place, text: string): boolean;
}

export function createFileKnowledge(): FileKnowledge {
  const seen = new Map<string, string>();
  return {
    saw: (place, text) => void seen.set(keyOf(place), hashText(text)),
    forget: (place) => void seen.delete(keyOf(place)),
    isCurrent(place, text) {
      const hash = seen.get(keyOf(place));
      return hash === undefined || hash === hashText(text);
    },
  };
}

/** Two 32-bit FNV-1a walks and the length: enough to notice a change, not to withstand a forger. */
export function hashText(text: string): string {
  let a = 0x811c9dc5;
  let b = 0x1b873593;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    a = Math.imul(a ^ unit, 0x01000193);
    b = Math.imul(b ^ unit ^ (at & 0xff), 0x85ebca6b);
    b ^= b >>> 13;
  }
  return `${(a >>> 0).toString(16)}-${(b >>> 0).toString(16)}-${text.length}`;
}

function keyOf(place: Place): string {
  return `${place.folder.root}/${place.path}`;
}
