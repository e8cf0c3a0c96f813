/**
 * VS Code makes links of `[words](command:…)` in notifications and input boxes, and runs them on a click. None of
 * our sentences has one, so a link there comes from a file name, a setting or an error: it is shown as it is written.
 */
export function withoutLinks(sentence: string): string {
  return sentence.replaceAll('](', '] (').replace(disguise, showCode);
}

/** VS Code draws `$(name)` in labels as a picture; ours have their pictures elsewhere. */
export function withoutIcons(label: string): string {
  return label.replaceAll('$(', '\\$(').replace(disguise, showCode);
}

/**
 * VS Code puts what a model is called into Markdown whose links may run any command. Names come from gateways, and one
 * from a setting of the workspace: nothing in them is a link.
 */
export function asPlainName(name: string): string {
  return withoutLinks(name).replaceAll('<', '‹').replaceAll('$(', '$ (').replaceAll(/\s+/g, ' ').trim();
}

/** What turns the order of letters round or is not seen at all; not the joiners that emoji and some scripts need. */
const disguise = /[\p{Bidi_Control}\u200B\u2060-\u2064\uFEFF\u{E0000}-\u{E007F}]|(?![\t\n\r])\p{Cc}/gu;

/** Without them: what is kept for long is what people see. */
export function withoutDisguise(text: string): string {
  return text.replaceAll(disguise, '');
}

/** Makes characters visible that change what the eye sees without being seen: control, bidi, zero-width, tags. */
export function visible(text: string): string {
  return text.replace(invisible, showCode);
}

/** The same in one line: what follows a line break would look like words of VS Code's, not like part of a name. */
export function visibleLine(text: string): string {
  return visible(text).replaceAll('\n', '⏎');
}

/**
 * All of Cc and Cf, separators of lines, lone surrogates, the blank of Braille and what Unicode lets renderers ignore;
 * not tab and newline.
 */
const invisible =
  /[\u2800\p{Cs}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]|(?![\t\n])\p{Cc}|(?! )\p{Zs}/gu;

/** A character that is not seen, as its number. */
function showCode(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return `⟨U+${code.toString(16).toUpperCase().padStart(4, '0')}⟩`;
}
