import type { Conversation, Waiting } from './turn';

/**
 * The conversation with the turn that asks at its end. What another extension said meanwhile is shown in no thread and
 * answers nobody: it stands before the question then. As it is when the person has gone on since.
 */
export function askingTurnLast(conversation: Conversation, { turnId }: Waiting): Conversation {
  const at = conversation.turns.findIndex(({ id }) => id === turnId);
  const asking = conversation.turns[at];
  const later = conversation.turns.slice(at + 1);
  if (!asking || later.length === 0 || later.some(({ thread }) => thread !== undefined)) return conversation;
  return { ...conversation, turns: [...conversation.turns.slice(0, at), ...later, asking] };
}
