import { endedWith, resumeQuestion } from '../../src/core/agent/question';
import { runTurn, type TurnOptions } from '../../src/core/agent/runTurn';
import { paramContext } from '../../src/core/conversation/paramContext';
import { repairedMessages, summaryMessages } from '../../src/core/conversation/transcript';
import type { StoredTurn } from '../../src/core/conversation/turn';
import type { HistoryPart } from '../../src/core/conversation/view';
import type { AnswerRecord } from '../../src/core/ledger/record';
import { createRecorder, type RecorderOptions } from '../../src/core/ledger/recorder';
import { noUsage, type Message } from '../../src/core/messages';
import type { Model } from '../../src/core/ports';
import { tool, turnOptions } from './turns';

/** What was remembered so far, as the assistant would hand it to the recorder. */
export class RecordedChat {
  readonly turns: StoredTurn[] = [];
  summary: string | undefined;

  get history(): readonly HistoryPart[] {
    const usedIds = new Set<string>();
    return [
      ...(this.summary === undefined ? [] : [{ messages: summaryMessages(this.summary) }]),
      ...this.turns.map((turn) => ({ turn, messages: repairedMessages(turn.messages, usedIds) })),
    ];
  }

  /** Asks, remembers the turn, and gives the record of it. Answers the question that the last turn ended with. */
  async ask(
    userContent: Message['content'],
    model: Model,
    more: Partial<RecorderOptions> = {},
    { stopAfter = Infinity } = {},
  ): Promise<AnswerRecord> {
    const stopper = new AbortController();
    const turn = { id: `turn-${this.turns.length + 1}`, startedAt: 1000 };
    const history = more.history ?? this.history;
    const messages = history.flatMap((part) => part.messages);
    const waiting = this.turns.map(endedWith).at(-1);
    const resumed = waiting && resumeQuestion(messages, waiting, userContent);
    const { params = {}, context } = more;
    const all = [context, paramContext(params)].filter((part) => part !== undefined).join('\n\n');
    const recorder = createRecorder({
      turn,
      conversation: 'workspace',
      model: 'scripted',
      history,
      resumedAt: resumed?.history.length,
      overLimits: [],
      notes: { sent: [], leftOut: [] },
      params,
      context,
      summaryUsage: noUsage,
      clock: () => 2000,
      ...more,
    });
    const options: TurnOptions = turnOptions({
      model,
      system: [{ type: 'text', text: 'Be kind. '.repeat(20) }],
      tools: [tool('look', () => ({ content: 'a secret garden '.repeat(40) })), askUser],
      history: messages,
      userContent,
      ...(resumed && { ...resumed, rememberAs: userContent }),
      context: all,
    });
    let seen = 0;
    for await (const event of runTurn(options, stopper.signal)) {
      if (++seen > stopAfter) stopper.abort();
      recorder.follow(event);
      if (event.type === 'turn-end' && event.messages.length > 0) {
        const outcome = event.end.reason === 'answered' ? 'finished' : 'interrupted';
        this.turns.push({ ...turn, endedAt: 2000, order: 1000, outcome, messages: event.messages });
      }
    }
    return recorder.record();
  }
}

const askUser = tool('ask_user', () => ({
  content: 'Asked.',
  question: { param: 'city', question: 'Which city?' },
}));
