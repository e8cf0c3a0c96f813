import * as fc from 'fast-check';

/** Whole, valid turns as the agent loop leaves them: some rounds of tool calls, then an answer. */
export const validTurn = fc
  .record({
    prompt: fc.string({ minLength: 1 }).map((text) => `${text} please`),
    rounds: fc.array(fc.integer({ min: 1, max: 3 }), { maxLength: 3 }),
    answer: fc.string({ minLength: 1 }).map((text) => `${text}.`),
    salt: fc.uuid(),
  })
  .map(({ prompt, rounds, answer, salt }): readonly StoredMessage[] =>
    [
      [{ role: 'user', content: prompt }],
      ...rounds.map((calls, round) => toolRound(`toolu_${salt}_${round}`, calls)),
      [{ role: 'assistant', content: [{ type: 'text', text: answer }] }],
    ].flat(),
  );

interface StoredMessage {
  readonly role: string;
  readonly content: unknown;
}

// Few ids, so that duplicates, orphans and results of another round come up all the time.
const toolId = fc.constantFrom('a', 'b', 'c', 'a_2', 'not an id', '', 7);
const text = fc.oneof(
  fc.constantFrom('hello', '', ' ', '\n\t', '\uD83D', '\uDE00x', 'a\u0000b', '\u{1F600}'),
  fc.string({ unit: 'binary', maxLength: 8 }),
);
const textBlock = fc.record({ type: fc.constant('text'), text });
const image = fc.constant({
  type: 'image',
  source: { type: 'base64', media_type: 'image/png', data: 'AAAA' },
});
const document = fc.record({
  type: fc.constant('document'),
  title: fc.oneof(text, fc.constant(null), fc.constant('a]b\n[c')),
  source: fc.constant({ type: 'base64', media_type: 'application/pdf', data: 'AAAA' }),
});
const toolUse = fc.record({
  type: fc.constant('tool_use'),
  id: toolId,
  name: fc.constantFrom('read_file', 'bad name', ''),
  input: fc.oneof(
    fc.constantFrom({}, null, 'x', [], { deep: { text: '\uD800' } }),
    fc.object({ maxDepth: 2 }),
  ),
});
const toolResult = fc.record(
  {
    type: fc.constant('tool_result'),
    tool_use_id: toolId,
    content: fc.oneof(text, fc.array(fc.oneof(textBlock, image, document), { maxLength: 3 }), fc.constant(3)),
    is_error: fc.constantFrom(true, false, 'yes', null),
  },
  { requiredKeys: ['type', 'tool_use_id'] },
);
const oddBlock = fc.oneof(
  fc.constant({ type: 'thinking', thinking: 'hm', signature: 's' }),
  fc.constant({ type: 'redacted_thinking', data: 's' }),
  fc.constant({ type: 'server_tool_use', id: 'a', name: 'web_search', input: {} }),
  fc.constant({ type: 'search_result', source: 'x', title: 'x', content: [] }),
  fc.jsonValue({ maxDepth: 2 }),
);
const marked = fc
  .oneof(textBlock, toolUse, toolResult)
  .map((block) => Object.assign({}, block, { cache_control: { type: 'ephemeral' }, citations: [{}] }));

const damagedMessage = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.record({
      role: fc.constantFrom('user', 'assistant', 'assistant', 'user', 'system', 'tool'),
      content: fc.oneof(
        { weight: 1, arbitrary: text },
        {
          weight: 6,
          arbitrary: fc.array(fc.oneof(textBlock, toolUse, toolResult, image, document, oddBlock, marked), {
            maxLength: 5,
          }),
        },
      ),
    }),
  },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
);

/** Message lists with nothing right about them. */
export const damagedMessages = fc.array(damagedMessage, { maxLength: 12 });

/** Valid turns after an accident: messages or blocks lost, doubled, swapped. */
export const mangledTurns = fc
  .array(validTurn, { minLength: 1, maxLength: 4 })
  .map((turns) => turns.flat())
  .chain((messages) =>
    fc.tuple(
      fc.constant(messages),
      fc.array(fc.tuple(fc.nat(messages.length), fc.nat(3), fc.nat(messages.length)), { maxLength: 4 }),
    ),
  )
  .map(([messages, accidents]) => {
    const mangled: unknown[] = messages.slice();
    for (const [at, kind, other] of accidents) {
      const victim = mangled[at];
      if (kind === 0) mangled.splice(at, 1);
      if (kind === 1 && victim !== undefined) mangled.splice(other, 0, victim);
      if (kind === 2) mangled.splice(at, mangled.length - at, ...mangled.slice(at).toReversed());
      if (kind === 3) mangled[at] = halved(victim);
    }
    return mangled;
  });

function toolRound(salt: string, calls: number): StoredMessage[] {
  const ids = Array.from({ length: calls }, (_, call) => `${salt}_${call}`);
  return [
    { role: 'assistant', content: ids.map((id) => ({ type: 'tool_use', id, name: 'read_file', input: {} })) },
    { role: 'user', content: ids.map((id) => ({ type: 'tool_result', tool_use_id: id, content: 'ok' })) },
  ];
}

function halved(message: unknown): unknown {
  if (typeof message !== 'object' || message === null || !('content' in message)) return message;
  const { content } = message;
  return Array.isArray(content) ? { ...message, content: content.slice(1) } : message;
}
