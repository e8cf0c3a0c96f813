import assert from 'node:assert/strict';
import { TurnMeter } from '../../../../src/core/agent/turnMeter';
import { repairedMessages } from '../../../../src/core/conversation/transcript';
import { inputTokens, noUsage, type Message } from '../../../../src/core/messages';
import type { ModelAnswer } from '../../../../src/core/ports';
import { noise } from '../../../support/claude/sampleImages';
import { answer, scriptedModel, text, thinking, toolUse, type Step } from '../../../support/scriptedModel';
import { ranTurn, tool } from '../../../support/turns';

/** A quarter of a token a byte of JSON. An image costs as many tokens as it has patches, a signature none. */
function tokensOf(value: unknown): number {
  const json = JSON.stringify(value, (key, part: unknown) => {
    if (key === 'signature') return '';
    return key === 'data' ? 'x'.repeat(4 * 100) : part;
  });
  return Math.round(json.length / 4);
}

function counted(content: ModelAnswer['content'], stopReason: ModelAnswer['stopReason']): Step {
  return async function* (request) {
    const usage = {
      ...noUsage,
      cacheRead: tokensOf([request.system, request.tools, request.messages]),
      output: tokensOf(content),
    };
    yield answer(content, stopReason, { usage });
  };
}

describe('the size of a turn', () => {
  const look = tool('look', () => ({ content: 'a long result '.repeat(200) }));
  const earlier: Message[] = [
    { role: 'user', content: 'before' },
    { role: 'assistant', content: 'an answer '.repeat(100) },
  ];

  /** What the meter says of a turn, and what the turn really adds to the request after it. */
  async function measured(userContent: Message['content'], ...steps: readonly Step[]) {
    const meter = new TurnMeter();
    const tools = [look];
    const { end } = await ranTurn(
      {
        model: scriptedModel(...steps),
        tools,
        history: earlier,
        userContent,
        context: 'a fact '.repeat(300),
      },
      { onEvent: (event) => meter.follow(event) },
    );
    const stored = repairedMessages(end.messages);
    const next = async (history: readonly Message[]) => {
      const model = scriptedModel(counted([text('Done')], 'end_turn'));
      const { end: after } = await ranTurn({ model, tools, history });
      return inputTokens(after.usage);
    };
    const really = (await next([...earlier, ...stored])) - (await next(earlier));
    return { said: meter.tokensOf(end.messages), really };
  }

  const near = ({ said = 0, really }: { said: number | undefined; really: number }, share = 0.1) =>
    assert.ok(Math.abs(said - really) <= really * share, `said ${said}, really ${really}`);

  it('M18: is what the turn takes of the next request, as reported', async () => {
    near(await measured('hello '.repeat(200), counted([text('Good day. '.repeat(50))], 'end_turn')));
  });

  it('M18: counts tool rounds once, however often they were sent', async () => {
    near(
      await measured(
        'hello',
        counted([text('Let me see.'), toolUse('a', 'look')], 'tool_use'),
        counted([toolUse('b', 'look')], 'tool_use'),
        counted([text('Done. '.repeat(50))], 'end_turn'),
      ),
    );
  });

  it('M18: leaves out thinking and images, which are not remembered', async () => {
    const image = {
      type: 'image',
      source: {
        type: 'base64',
        media_type: 'image/png',
        data: Buffer.from(noise(280, 280)).toString('base64'),
      },
    } as const;
    near(
      await measured(
        [image, { type: 'text', text: 'what is this '.repeat(100) }],
        counted([thinking('I wonder. '.repeat(400)), toolUse('a', 'look')], 'tool_use'),
        counted([thinking('I see. '.repeat(400)), text('A picture. '.repeat(50))], 'end_turn'),
      ),
      0.2,
    );
  });

  it('M18: is not known while nothing was reported', async () => {
    const { said } = await measured('hello', [answer([text('Done')])]);
    assert.equal(said, undefined);
  });
});
