const maxChars = 160;

/** The first sentence of a longer text, short enough for one line. */
export function firstSentence(text: string): string {
  const [line = ''] = text.trim().split('\n');
  const plain = line.replace(/[*_`#]+/g, '').trim();
  const sentence = /^.*?[.!?:](?=\s|$)/su.exec(plain)?.[0] ?? plain;
  const points = Array.from(sentence);
  return points.length > maxChars ? `${points.slice(0, maxChars).join('').trimEnd()}…` : sentence;
}
