import type { ConversationId, TurnId } from './conversation/turn';
import type { Usage } from './messages';

/** The log line for a message that has come in: ids, counts and names, never text or values (M22). */
export function receivedLine(facts: {
  readonly turnId: TurnId;
  /** Undefined for a stateless request. */
  readonly conversationId: ConversationId | undefined;
  readonly model: string;
  readonly historyCount: number;
  readonly paramNames: readonly string[];
  readonly waitingParam: string | undefined;
}): string {
  return line('received', {
    turn: facts.turnId,
    conversation: facts.conversationId ?? 'none (stateless)',
    history: facts.historyCount,
    params: facts.paramNames.length > 0 ? facts.paramNames.join(',') : 'none',
    waiting: facts.waitingParam ?? 'no',
    model: facts.model,
  });
}

/** The log line for a turn that has ended. */
export function respondedLine(facts: {
  readonly turnId: TurnId;
  readonly end: string;
  readonly usage: Usage;
  readonly durationMs: number;
}): string {
  const { input, cacheRead, cacheWrite, output } = facts.usage;
  return line('responded', {
    turn: facts.turnId,
    end: facts.end,
    in: input + cacheRead + cacheWrite,
    cached: cacheRead,
    out: output,
    ms: Math.round(facts.durationMs),
  });
}

function line(what: string, fields: Readonly<Record<string, string | number>>): string {
  const parts = Object.entries(fields).map(([name, value]) => `${name}=${value}`);
  return [what, ...parts].join(' ');
}
