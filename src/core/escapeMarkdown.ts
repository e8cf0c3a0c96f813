/** Text that shows as it is written, whatever it holds: words of the API or of a file are not ours to format. */
export function escapeMarkdown(text: string): string {
  return text.replaceAll(/[\\`*_{}[\]()#+\-.!|<>~$&]/g, '\\$&');
}
