import type { IncomingMessage } from 'node:http';
import { invalid, type ApiProblem } from './problem';

/** The key, in either header, and the version: what the API asks of every request. */
export function checkAccess(
  { headers }: IncomingMessage,
  keys: readonly string[] | undefined,
): ApiProblem | undefined {
  const header = headers['x-api-key'];
  const bearer = headers.authorization?.replace(/^Bearer\s+/i, '');
  // With both, the API goes by x-api-key.
  const key = typeof header === 'string' ? header : bearer;
  if (key === undefined) return denied('x-api-key header is required');
  if (key === '' || (keys && !keys.includes(key))) {
    return denied(typeof header === 'string' ? 'invalid x-api-key' : 'Invalid bearer token');
  }
  return headers['anthropic-version'] === undefined
    ? invalid('anthropic-version', 'header is required')
    : undefined;
}

/** The headers for the journal: it can be printed, so it never holds a key. */
export function maskedHeaders({ headers }: IncomingMessage): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => {
      const text = Array.isArray(value) ? value.join(', ') : (value ?? '');
      if (name === 'x-api-key') return [name, '***'];
      return [name, name === 'authorization' ? text.replace(/\S+$/, '***') : text];
    }),
  );
}

function denied(message: string): ApiProblem {
  return { status: 401, type: 'authentication_error', message };
}
