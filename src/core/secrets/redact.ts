import { toBase64 } from '../media';
import { replaceValues } from './replaceValues';

/** Leaves out these secrets, and anything of the form of a Claude key (S7). */
export function redacting(secrets: readonly string[]): (text: string) => string {
  const forms = secrets.filter(({ length }) => length > 3).flatMap((secret) => [secret, asBase64(secret)]);
  const replace = replaceValues(forms, () => '[key]');
  return (text) => replace(text.replaceAll(/sk-ant-[\w-]+/g, '[key]'));
}

export function redact(text: string, secrets: readonly string[]): string {
  return redacting(secrets)(text);
}

function asBase64(text: string): string {
  return toBase64(new TextEncoder().encode(text)).replaceAll('=', '');
}
