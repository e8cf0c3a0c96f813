import { png } from '../../../../support/claude/sampleImages';
import { readFileTool } from '../client';
import { describeRules } from './describeRules';
import { image, result, toolRound, use } from './toolRound';

const unanswered = (index: number, ids: string): string =>
  `messages.${index}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${ids}. ` +
  'Each `tool_use` block must have a corresponding `tool_result` block in the next message.';

const orphan = (place: string, id: string): string =>
  `${place}: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${id}. ` +
  'Each `tool_result` block must have a corresponding `tool_use` block in the previous message.';

describeRules('tool uses and results', ({ accepts, refuses }) => {
  accepts('a use with its result', toolRound({}));
  accepts('text after the results', toolRound({ result: [result('a'), { type: 'text', text: 'And?' }] }));
  refuses('a use without result', toolRound({ result: 'Never mind' }), unanswered(1, 'a'));
  refuses(
    'text before the results',
    toolRound({ result: [{ type: 'text', text: 'And?' }, result('a')] }),
    unanswered(1, 'a'),
  );
  refuses(
    'one of two results missing',
    toolRound({ uses: [use('a'), use('b'), use('c')], result: [result('b')] }),
    unanswered(1, 'a, c'),
  );
  refuses(
    'results split over two messages',
    toolRound({
      uses: [use('a'), use('b')],
      result: [result('a')],
      later: [{ role: 'user', content: [result('b')] }],
    }),
    unanswered(1, 'b'),
  );
  refuses(
    'an orphan result',
    { tools: [readFileTool], messages: [{ role: 'user', content: [result('x')] }] },
    orphan('messages.0.content.0', 'x'),
  );
  refuses(
    'a result too many',
    toolRound({ result: [result('a'), result('z')] }),
    orphan('messages.2.content.1', 'z'),
  );
  refuses(
    'two results for one use',
    toolRound({ result: [result('a'), result('a')] }),
    'messages.2.content.1: each tool_use must have a single result. Found multiple `tool_result` blocks with id: a',
  );
  refuses(
    'the same id twice',
    toolRound({
      later: [
        { role: 'assistant', content: [{ type: 'text', text: 'Again.' }, use('a')] },
        { role: 'user', content: [result('a')] },
      ],
    }),
    'messages.3.content.1: `tool_use` ids must be unique',
  );
  refuses(
    'an id with odd characters',
    toolRound({ uses: [use('a b')], result: [result('a b')] }),
    "messages.1.content.0.tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'",
  );
  refuses(
    'an input that is no object',
    toolRound({ uses: [{ ...use('a'), input: '{}' }] }),
    'messages.1.content.0.tool_use.input: Input should be an object',
  );
  refuses(
    'tool blocks without tools',
    { ...toolRound({}), tools: undefined },
    'Requests which include `tool_use` or `tool_result` blocks must define tools.',
  );
  refuses(
    'an image in an error',
    toolRound({ result: [{ ...result('a'), is_error: true, content: [image(png(1, 1), 'image/png')] }] }),
    'messages.2.content.0.tool_result: all content must be type "text" if "is_error" is true',
  );
  accepts(
    'an image in a result',
    toolRound({ result: [{ ...result('a'), content: [image(png(1, 1), 'image/png')] }] }),
  );
  accepts('an empty result', toolRound({ result: [{ type: 'tool_result', tool_use_id: 'a' }] }));
  refuses(
    'empty text in a result',
    toolRound({ result: [{ ...result('a'), content: [{ type: 'text', text: '' }] }] }),
    'messages: text content blocks must be non-empty',
  );
  refuses(
    'a tool use by the person',
    {
      tools: [readFileTool],
      messages: [
        { role: 'user', content: [use('a')] },
        { role: 'user', content: [result('a')] },
      ],
    },
    orphan('messages.1.content.0', 'a'),
  );
});
