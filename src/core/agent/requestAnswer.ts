import * as l10n from '@vscode/l10n';
import type { Model, ModelAnswer, Random, Wait } from '../ports';
import { askModel, type AskEvent, type AskOutcome } from './askModel';
import type { CachePace } from './cachePace';
import { describeWait } from './describeEnd';
import type { AgentEvent } from './events';
import { toRequest, type ModelSettings, type Prompt } from './prompt';
import { contentSize, promptSizes } from './promptSizes';
import { createRecovery } from './recover';
import { ShownText } from './shownText';
import { toInput } from './turnMessages';

/** After a wait up to this, text that broke off continues without a notice. */
const seamlessMs = 3_000;

export interface RequestOptions extends ModelSettings {
  readonly model: Model;
  readonly cachePace: CachePace;
  /** The id of the message before, so that the API says where the request differs from the one that it answered. */
  readonly previousMessage?: () => string | null;
  readonly onToolSearchRefused?: () => void;
  readonly yieldRequested?: () => boolean;
  readonly wait: Wait;
  readonly random: Random;
}

/** `state` is the prompt that was answered: it may hold less than the one given. */
export type AnswerOutcome = AskOutcome<Prompt> & {
  /** The text of this answer that is on screen. */
  readonly shown: string;
};

/** Asks Claude for the next answer of a turn, and shows it as it comes. */
export async function* requestAnswer(
  prompt: Prompt,
  options: RequestOptions,
  signal: AbortSignal,
): AsyncGenerator<AgentEvent, AnswerOutcome> {
  const { cachePace } = options;
  const shown = new ShownText();
  const recover = createRecovery();

  function* report(event: AskEvent<Prompt>): Generator<AgentEvent> {
    switch (event.type) {
      case 'thinking-delta':
        yield event;
        return;
      case 'text-delta':
        yield* show(shown.add(event.text));
        return;
      case 'attempt-end': {
        const { state, answer, usage } = event;
        if (answer) yield* show(shown.finish());
        const answerSize = answer ? contentSize(toInput(answer.content)) : 0;
        yield {
          type: 'request-end',
          sizes: promptSizes(state),
          answerSize,
          usage,
          ...(answer && { message: messageOf(answer) }),
        };
        return;
      }
      case 'recovery': {
        const { notice, droppedTurns } = event;
        if (notice) yield { type: 'notice', text: notice, ...(droppedTurns && { droppedTurns }) };
        break;
      }
      case 'retry-wait': {
        const isMidText = shown.text !== '';
        if (isMidText && event.delayMs > seamlessMs) {
          yield { type: 'notice', text: describeWait(event.error, event.delayMs) };
          shown.interrupt();
        }
        yield { ...event, isMidText };
        break;
      }
    }
    shown.startAgain();
  }

  const outcome = yield* askModel(
    prompt,
    {
      ...options,
      report,
      toRequest: (state) => ({
        ...toRequest(state, options, cachePace.nextTtl()),
        ...(options.previousMessage && { previousMessage: options.previousMessage() }),
      }),
      recover: (state, error) => {
        const recovery = recover(state, error);
        if (recovery?.remedy === 'five-minute-ttl') cachePace.disableHourTtl();
        if (recovery?.remedy === 'load-tools') options.onToolSearchRefused?.();
        return recovery;
      },
    },
    signal,
  );
  return { ...outcome, shown: shown.text };
}

function messageOf({ id, promptChange }: ModelAnswer): Pick<ModelAnswer, 'id' | 'promptChange'> {
  return { id, ...(promptChange && { promptChange }) };
}

function* show(piece: ReturnType<ShownText['add']>): Generator<AgentEvent> {
  if (piece.startsOver) yield { type: 'notice', text: l10n.t('The answer broke off; Claude answers again:') };
  if (piece.text !== '') yield { type: 'text-delta', text: piece.text };
}
