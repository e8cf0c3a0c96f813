import * as l10n from '@vscode/l10n';
import { checkImage, toImageBlock, checkPdf, toPdfBlock, type Refusal } from '../media';
import { noWords, type ContentBlock, type TextBlock } from '../messages';
import { wellFormed } from '../text/json';
import { truncate } from '../tools/truncate';

/** Something that the user attached to a message, as it was found. */
export type Attachment =
  /** A file, a part of one, a selection of a terminal, problems: all that is text. Lines count from 1. */
  | {
      readonly kind: 'text';
      readonly name: string;
      readonly text: string;
      readonly lines?: { readonly first: number; readonly last: number };
      /** How Claude can get what does not fit. */
      readonly hint?: string;
    }
  | { readonly kind: 'folder'; readonly name: string; readonly entries: readonly string[] }
  | { readonly kind: 'image'; readonly name: string; readonly bytes: Uint8Array }
  | { readonly kind: 'pdf'; readonly name: string; readonly bytes: Uint8Array }
  | ({ readonly kind: 'unreadable'; readonly name: string } & Refusal);

/** A message of the user as Claude gets it. */
export interface AttachedContent {
  readonly content: string | ContentBlock[];
  /** A sentence for the user for each attachment that was left out or cut. */
  readonly notices: readonly string[];
}

const maxTextChars = 60_000;
const maxAllTextChars = 200_000;
const maxEntries = 200;
/** As base64. A request may have 32 MB in all; the rest is for the conversation. */
const maxMediaChars = 22 * 1024 * 1024;

/** Tells Claude which tools were attached to a message with `#`. */
export function attachedToolsRemarks(names: readonly string[]): readonly string[] {
  if (names.length === 0) return [];
  return [`(Tools that the person attached, to be preferred where they fit: ${names.join(', ')}.)`];
}

/**
 * Attachments first, then the remarks, and last the user's own words, alone. What cannot be sent is reported to Claude
 * and to the user.
 */
export function withAttachments(
  prompt: string,
  attachments: readonly Attachment[],
  remarks: readonly string[] = [],
): AttachedContent {
  const notices: string[] = [];
  const media: ContentBlock[] = [];
  const texts: TextBlock[] = [];
  let textChars = 0;
  let mediaChars = 0;

  const leaveOut = (name: string, { reason, shown }: Refusal) => {
    notices.push(l10n.t('{0} was left out: {1}.', name, shown));
    texts.push({ type: 'text', text: `[Attachment left out: ${oneLine(name)}: ${oneLine(reason)}]` });
  };
  const addText = (attachment: Extract<Attachment, { kind: 'text' }>) => {
    const room = Math.min(maxTextChars, maxAllTextChars - textChars);
    if (room <= 0) {
      const reason = 'the attached texts are too long together';
      return leaveOut(attachment.name, { reason, shown: l10n.t('the attached texts are too long together') });
    }
    const text = truncate(attachment.text, room, attachment.hint ?? 'Ask the person for the rest.');
    textChars += Math.min(attachment.text.length, room);
    if (attachment.text.length > room)
      notices.push(l10n.t('{0} is long: Claude got the beginning.', attachment.name));
    texts.push({ type: 'text', text: tagged({ ...attachment, text }) });
    return undefined;
  };
  const addMedia = (name: string, bytes: Uint8Array, block: () => ContentBlock) => {
    mediaChars += Math.ceil(bytes.length / 3) * 4;
    if (mediaChars <= maxMediaChars) return media.push(block());
    const reason = 'the attached images and documents are too large together';
    const shown = l10n.t('the attached images and documents are too large together');
    return leaveOut(name, { reason, shown });
  };

  for (const attachment of attachments) {
    switch (attachment.kind) {
      case 'text':
        addText(attachment);
        break;
      case 'folder':
        texts.push({ type: 'text', text: taggedFolder(attachment) });
        break;
      case 'image': {
        const check = checkImage(attachment.bytes);
        if (check.type === 'refused') leaveOut(attachment.name, check);
        else
          addMedia(attachment.name, attachment.bytes, () => toImageBlock(attachment.bytes, check.image.type));
        break;
      }
      case 'pdf': {
        const problem = checkPdf(attachment.bytes);
        if (problem !== undefined) leaveOut(attachment.name, problem);
        else
          addMedia(attachment.name, attachment.bytes, () =>
            toPdfBlock(attachment.bytes, oneLine(attachment.name)),
          );
        break;
      }
      case 'unreadable':
        leaveOut(attachment.name, attachment);
        break;
    }
  }
  for (const text of remarks) texts.push({ type: 'text', text });
  const words = prompt.trim() || noWords;
  if (media.length + texts.length === 0) return { content: words, notices };
  return { content: [...media, ...texts, { type: 'text', text: words }], notices };
}

function tagged({ name, text, lines }: Extract<Attachment, { kind: 'text' }>): string {
  const place = lines ? ` lines="${lines.first}-${lines.last}"` : '';
  return `<attachment name="${attribute(name)}"${place}>\n${inside(text)}\n</attachment>`;
}

function taggedFolder({ name, entries }: Extract<Attachment, { kind: 'folder' }>): string {
  const shown = entries.slice(0, maxEntries);
  const rest = entries.length - shown.length;
  const more = rest > 0 ? [`[${rest} more: use list_directory]`] : [];
  return `<attachment name="${attribute(name)}" kind="folder">\n${inside([...shown, ...more].join('\n'))}\n</attachment>`;
}

/** Nothing in an attachment can end it and go on in the user's voice. */
function inside(text: string): string {
  return wellFormed(text).replaceAll(/<(?=\/attachment\b)/gi, '&lt;');
}

function attribute(name: string): string {
  return oneLine(name).replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
}

function oneLine(name: string): string {
  // Cut first: that may leave half a character, which the API would refuse.
  return wellFormed(name.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}[\]]+/gu, ' ').slice(0, 300));
}
