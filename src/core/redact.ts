/** The text without these secrets and without anything of the form of a Claude key (S7). */
export function redact(text: string, secrets: readonly string[]): string {
  let clean = text.replace(/sk-ant-[\w-]+/g, '[key]');
  for (const secret of secrets) if (secret.length > 3) clean = clean.replaceAll(secret, '[key]');
  return clean;
}
