import { randomBytes } from 'node:crypto';

/** Unlike any other, also after a restart: conversations outlive the stand-in that told them. */
export function randomId(): string {
  return `01${randomBytes(11).toString('hex')}`;
}
