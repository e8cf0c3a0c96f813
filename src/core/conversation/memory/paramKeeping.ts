import { ToolError } from '../../errors';
import { jsonBytes, wellFormed } from '../../json';
import type { Fact } from '../facts/fact';
import type { Params } from '../turn';
import type { ConversationAccess } from './conversationAccess';
import type { ConversationHandle } from './conversationHandle';

/** Params stay in every request and in the stored state: enough for facts, too little for files. */
export const maxParamBytes = 16 * 1024;

/** The values that are remembered by name, and the one that is asked for. */
export function createParamKeeping(
  access: ConversationAccess,
): Pick<ConversationHandle, 'params' | 'merge' | 'waiting' | 'setWaiting'> {
  const { id, clock, stored, snapshot, change, noteFound } = access;

  function params(): Params {
    const entries = Object.entries(snapshot()?.params ?? {});
    return Object.fromEntries(entries.map(([name, { value }]) => [name, value]));
  }

  return {
    params,

    async merge(added, turnId) {
      const entries = Object.entries(added).map(
        ([name, value]) => [wellFormed(name), wellFormed(value)] as const,
      );
      if (jsonBytes({ ...params(), ...Object.fromEntries(entries) }) > maxParamBytes) {
        throw new ToolError('Too much to remember: params are for short facts. Forget some, or store less.');
      }
      await change((facts) => {
        const known = new Map(Object.entries(stored()?.params ?? {}));
        const changed = entries.filter(([name, value]) => name !== '' && known.get(name)?.value !== value);
        const names = changed.map(([name]) => name);
        return [
          ...noteFound(names, turnId, facts),
          ...changed.map(([name, value]): Fact => {
            const revision = facts.nextParamRevision(id, name);
            const source = turnId === undefined ? {} : { turnId };
            return {
              kind: 'param',
              conversation: id,
              name,
              param: { value, at: clock(), revision, ...source },
            };
          }),
        ];
      });
    },

    waiting: () => snapshot()?.waiting,

    setWaiting: (waiting) =>
      change((facts) => {
        if (!waiting && !stored()?.waiting) return [];
        const revision = facts.nextWaitingRevision(id);
        return [{ kind: 'waiting', conversation: id, revision, ...(waiting ? { waiting } : {}) }];
      }),
  };
}
