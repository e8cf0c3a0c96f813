import type { Message, Usage } from '../messages';

export type TurnId = string;
export type ConversationId = string;

/** From the person's message to the final answer, with every tool round in between. */
export interface FinishedTurn {
  readonly id: TurnId;
  readonly startedAt: number;
  readonly endedAt: number;
  /** `interrupted`: it failed, was cancelled or hit a limit after work was done; its messages are valid all the same. */
  readonly outcome: 'finished' | 'interrupted';
  readonly messages: readonly Message[];
  readonly model?: string;
  readonly usage?: Usage;
}
