import { hashText } from '../text/hashText';
import { placeKey, type Place } from './workspace';

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
    saw: (place, text) => void seen.set(placeKey(place), hashText(text)),
    forget: (place) => void seen.delete(placeKey(place)),
    isCurrent(place, text) {
      const hash = seen.get(placeKey(place));
      return hash === undefined || hash === hashText(text);
    },
  };
}
