import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Somebody else's server, and who came there. */
export interface Elsewhere {
  /** Host and port. */
  readonly address: string;
  /** Method and path of each visit. */
  readonly visits: readonly string[];
  close(): void;
}

export async function startElsewhere(): Promise<Elsewhere> {
  const visits: string[] = [];
  const server = createServer((request, response) => {
    visits.push(`${request.method} ${request.url}`);
    response.end('{}');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { address: `127.0.0.1:${port}`, visits, close: () => void server.close() };
}
