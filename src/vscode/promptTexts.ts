/** The texts of a rendered prompt-tsx tree, which some tools return: they are at its leaves. */
export function promptTexts(node: unknown): readonly string[] {
  if (typeof node !== 'object' || node === null) return [];
  if ('text' in node && typeof node.text === 'string') return [node.text];
  return Object.values(node).flatMap(promptTexts);
}
