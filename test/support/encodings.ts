/** A few of VS Code's encodings, under its names, for the workspace in memory. */
export function encodeAs(encoding: string, text: string): Uint8Array {
  switch (encoding) {
    case 'utf8':
      return new TextEncoder().encode(text);
    case 'utf8bom':
      return new TextEncoder().encode(`\uFEFF${text}`);
    case 'utf16le':
      return Buffer.from(`\uFEFF${text}`, 'utf16le');
    case 'windows1252':
      return Uint8Array.from(text, (character) => western.get(character) ?? '?'.charCodeAt(0));
    default:
      throw new Error(`The workspace in memory does not know the encoding ${encoding}.`);
  }
}

export function decodeAs(encoding: string, bytes: Uint8Array): string {
  return new TextDecoder(labels[encoding]).decode(bytes);
}

/** By the byte order mark, as VS Code does before it looks at settings. */
export function markedEncoding([first, second, third]: Uint8Array): string | undefined {
  if (first === 0xff && second === 0xfe) return 'utf16le';
  return first === 0xef && second === 0xbb && third === 0xbf ? 'utf8bom' : undefined;
}

const labels: Readonly<Record<string, string>> = {
  utf8: 'utf-8',
  utf8bom: 'utf-8',
  utf16le: 'utf-16le',
  windows1252: 'windows-1252',
};

const western = new Map(
  Array.from({ length: 256 }, (_, byte) => [decodeAs('windows1252', Uint8Array.of(byte)), byte]),
);
