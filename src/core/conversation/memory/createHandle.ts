import type { Clock } from '../../ports';
import type { DurableFacts } from '../facts/durableFacts';
import type { MemoryLimits } from '../retention';
import { transcriptOf } from '../transcript';
import type { ConversationId } from '../turn';
import { createAccess } from './conversationAccess';
import type { ConversationHandle } from './conversationHandle';
import { createFolding } from './folding';
import { createParamKeeping } from './paramKeeping';
import { createRemoving } from './removing';
import { createTurnSaving } from './turnSaving';

export function createHandle(options: {
  readonly id: ConversationId;
  readonly durable: DurableFacts;
  readonly clock: Clock;
  readonly settings: () => MemoryLimits;
  readonly activationId: string;
}): ConversationHandle {
  const access = createAccess(options);
  return {
    history() {
      const { turns = [], summary } = access.snapshot() ?? {};
      return transcriptOf(turns, summary);
    },
    snapshot: access.snapshot,
    ...createTurnSaving(access, options.activationId),
    ...createParamKeeping(access),
    ...createFolding(access),
    ...createRemoving(access),
  };
}
