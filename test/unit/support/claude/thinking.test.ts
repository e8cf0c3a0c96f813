import assert from 'node:assert/strict';
import type Anthropic from '@anthropic-ai/sdk';
import { reply, text, thinking, toolUse, type Scripted } from '../../../support/claude/script';
import { startStandIn, type StandIn } from '../../../support/claude/standIn';
import { clientOf, readFileTool } from './client';

/** Preserved thinking: a thought is good only after exactly what it was thought after. */
describe('the thinking of the stand-in', () => {
  let standIn: StandIn;
  let client: Anthropic;

  before(async () => {
    standIn = await startStandIn();
    client = clientOf(standIn);
  });
  beforeEach(() => standIn.reset());
  after(() => standIn.close());

  const base = {
    model: 'claude-opus-5-5',
    max_tokens: 1000,
    system: 'Be kind.',
    tools: [readFileTool],
    thinking: { type: 'adaptive', display: 'summarized' },
  } satisfies Partial<Anthropic.MessageStreamParams>;
  const question: Anthropic.MessageParam = { role: 'user', content: 'Read a and b' };

  type Params = Partial<Anthropic.MessageStreamParams>;
  const ask = (messages: Anthropic.MessageParam[], params: Params = {}) =>
    client.messages.stream({ ...base, messages, ...params }).finalMessage();

  const accepted = async (messages: Anthropic.MessageParam[], params: Params = {}) => {
    standIn.script(reply(text('ok')));
    await ask(messages, params);
  };
  const refused = async (wording: RegExp, messages: Anthropic.MessageParam[], params: Params = {}) => {
    await assert.rejects(
      ask(messages, params),
      (error: Error) => wording.test(error.message) || assert.fail(error),
    );
    assert.equal(standIn.remaining, 0);
  };

  /** Two rounds of a tool loop, each with a thought, up to the second results. */
  const loop = async (params: Params = {}): Promise<Anthropic.MessageParam[]> => {
    standIn.script(
      reply(thinking('First a.'), toolUse('read_file', { path: 'a' }, { id: 'a' })),
      reply(text('Good.'), thinking('Now b.'), toolUse('read_file', { path: 'b' }, { id: 'b' })),
    );
    const messages: Anthropic.MessageParam[] = [question];
    for (const id of ['a', 'b']) {
      const { content } = await ask(messages, params);
      messages.push({ role: 'assistant', content }, resultOf(id));
    }
    return messages;
  };

  it('takes back what it said, as it said it, through a tool loop and later', async () => {
    const messages = await loop();
    await accepted(messages);
    await accepted([
      ...messages,
      { role: 'assistant', content: 'Done.' },
      { role: 'user', content: 'Thanks' },
    ]);
  });

  it('does not mind cache marks, nor how the answer is written down', async () => {
    const messages = await loop();
    const [, first, ...rest] = messages;
    const bare = blocks(first).map((block) =>
      block.type === 'tool_use'
        ? { type: block.type, id: block.id, name: block.name, input: block.input }
        : block,
    );
    await accepted([
      {
        role: 'user',
        content: [{ type: 'text', text: 'Read a and b', cache_control: { type: 'ephemeral' } }],
      },
      { role: 'assistant', content: bare },
      ...rest,
    ]);
  });

  it('refuses a thought after the system prompt has changed', async () => {
    await refused(
      /^400 .*messages\.1\.content\.0: Invalid `signature` in `thinking` block\. The block is bound to a different conversation\. .*The `system` prompt differs/,
      await loop(),
      { system: 'Be brief.' },
    );
  });

  it('refuses a thought after the tools have changed', async () => {
    await refused(/bound to a different conversation.*The `tools` differ/, await loop(), {
      tools: [{ ...readFileTool, description: 'Reads.' }],
    });
  });

  it('refuses a thought after an earlier message has changed or gone', async () => {
    const [, ...rest] = await loop();
    await refused(/messages\.1\.content\.0: .*bound to a different conversation/, [
      { role: 'user', content: 'Read a and c' },
      ...rest,
    ]);
    const later: Anthropic.MessageParam[] = [
      question,
      { role: 'assistant', content: 'No.' },
      question,
      ...rest,
    ];
    await refused(/messages\.3\.content\.0: .*bound to a different conversation/, later);
  });

  it('refuses a thought whose text was changed', async () => {
    const [first, second, ...rest] = await loop();
    const changed = blocks(second).map((block) =>
      block.type === 'thinking'
        ? { type: block.type, signature: block.signature, thinking: 'First b.' }
        : block,
    );
    await refused(/messages\.1\.content\.0: Invalid `signature` in `thinking` block/, [
      first!,
      { role: 'assistant', content: changed },
      ...rest,
    ]);
    const messages = await loopOf(['Hm.']);
    const latest = blocks(messages[1]).map((block) =>
      block.type === 'thinking' ? { type: block.type, signature: block.signature, thinking: '' } : block,
    );
    await refused(/blocks in the latest assistant message cannot be modified/, [
      messages[0]!,
      { role: 'assistant', content: latest },
      messages[2]!,
    ]);
  });

  it('refuses a signature that it never gave', async () => {
    const forged: Anthropic.ThinkingBlockParam = {
      type: 'thinking',
      thinking: 'Hm.',
      signature: 'EqoBCkgIARAB',
    };
    await refused(/messages\.1\.content\.0: Invalid `signature` in `thinking` block/, [
      question,
      { role: 'assistant', content: [forged, { type: 'text', text: 'Yes?' }] },
      question,
    ]);
  });

  it('refuses a tool loop that goes on without its thinking, or with a part of it', async () => {
    const messages = await loop();
    await refused(
      /messages\.1\.content\.0\.type: Expected `thinking`.* but found `tool_use`/,
      withoutThinking(messages, [1, 3]).slice(0, 3),
    );
    const two = await loopOf(['One.', 'Two.']);
    const half = blocks(two[1]).filter((block) => !(block.type === 'thinking' && block.thinking === 'One.'));
    await refused(/cannot be modified/, [two[0]!, { role: 'assistant', content: half }, two[2]!]);
  });

  it('can be told to let a tool loop go on without its thinking, but never with a changed one', async () => {
    const lenient = await startStandIn({ allowsMissingThinking: true });
    const { url } = lenient;
    try {
      lenient.script(
        reply(thinking('Hm.'), toolUse('read_file', { path: 'x' }, { id: 'x' })),
        reply(text('ok')),
      );
      const speak = (messages: Anthropic.MessageParam[], system = base.system) =>
        clientOf({ url })
          .messages.stream({ ...base, system, messages })
          .finalMessage();
      const { content } = await speak([question]);
      const messages: Anthropic.MessageParam[] = [question, { role: 'assistant', content }, resultOf('x')];
      await speak(withoutThinking(messages, [1]));
      await assert.rejects(speak(messages, 'Be brief.'), /bound to a different conversation/);
    } finally {
      await lenient.close();
    }
  });

  it('lets thinking go once the person has spoken again', async () => {
    const messages = withoutThinking(await loop(), [1, 3]);
    await accepted([
      ...messages,
      { role: 'assistant', content: 'Done.' },
      { role: 'user', content: 'Thanks' },
    ]);
  });

  it('refuses thinking when one thought between others was left out', async () => {
    const messages = await loop();
    standIn.script(reply(thinking('Now c.'), toolUse('read_file', { path: 'c' }, { id: 'c' })));
    const { content } = await ask(messages);
    const later: Anthropic.MessageParam[] = [
      ...messages,
      { role: 'assistant', content },
      resultOf('c'),
      { role: 'assistant', content: 'Done.' },
      { role: 'user', content: 'Thanks' },
    ];
    await accepted(later);
    await accepted(withoutThinking(later, [1]));
    await accepted(withoutThinking(later, [1, 3]));
    await refused(/messages\.5\.content\.0: .*The thinking before it differs/, withoutThinking(later, [3]));
  });

  it('drops the thoughts of another model without a word', async () => {
    const messages = await loop();
    await accepted(messages, { model: 'claude-fable-5-2', system: 'Be brief.' });
  });

  it('does not bind thoughts to what came before on older models', async () => {
    const older = { model: 'claude-opus-5' };
    await accepted(await loop(older), { ...older, system: 'Be brief.' });
  });

  it('cannot end an answer with a thought', async () => {
    const { content } = await answerOf(reply(thinking('Hm.')));
    await refused(/messages\.1: The final block in an assistant message cannot be `thinking`/, [
      question,
      { role: 'assistant', content },
      question,
    ]);
  });

  const answerOf = (scripted: Scripted) => {
    standIn.script(scripted);
    return ask([question]);
  };

  const loopOf = async (thoughts: readonly string[]): Promise<Anthropic.MessageParam[]> => {
    const parts = thoughts.map((thought) => thinking(thought));
    const { content } = await answerOf(reply(...parts, toolUse('read_file', { path: 'x' }, { id: 'x' })));
    return [question, { role: 'assistant', content }, resultOf('x')];
  };
});

function resultOf(id: string): Anthropic.MessageParam {
  return { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: 'text' }] };
}

function blocks(message: Anthropic.MessageParam | undefined): Anthropic.ContentBlockParam[] {
  return typeof message?.content === 'object' ? message.content : [];
}

function withoutThinking(
  messages: readonly Anthropic.MessageParam[],
  at: readonly number[],
): Anthropic.MessageParam[] {
  return messages.map((message, index) =>
    at.includes(index) && message.role === 'assistant'
      ? { role: 'assistant', content: blocks(message).filter(({ type }) => type !== 'thinking') }
      : message,
  );
}
