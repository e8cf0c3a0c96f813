import { describeRules } from './describeRules';
import { toolRound, use } from './toolRound';

describeRules('form', ({ accepts, refuses }) => {
  refuses('temperature', { temperature: 1 }, 'temperature: Extra inputs are not permitted');
  refuses('top_p', { top_p: 0.5 }, 'top_p: Extra inputs are not permitted');
  refuses('top_k', { top_k: 5 }, 'top_k: Extra inputs are not permitted');
  refuses(
    'an unknown key on a message',
    { messages: [{ role: 'user', content: 'Hi', id: 1 }] },
    'messages.0.id: Extra inputs are not permitted',
  );
  refuses(
    'an unknown key on a block',
    { messages: [{ role: 'user', content: [{ type: 'text', text: 'Hi', shown: true }] }] },
    'messages.0.content.0.text.shown: Extra inputs are not permitted',
  );
  refuses(
    'a tool use of a name that no tool can have',
    toolRound({ uses: [{ ...use('a'), name: 'read.file' }] }),
    "messages.1.content.0.tool_use.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'",
  );
  refuses(
    'whitespace in a result',
    toolRound({
      result: [{ type: 'tool_result', tool_use_id: 'a', content: [{ type: 'text', text: '\n' }] }],
    }),
    'messages: text content blocks must contain non-whitespace text',
  );
  refuses(
    'an unknown key in a tool result',
    toolRound({ result: [{ type: 'tool_result', tool_use_id: 'a', name: 'read_file' }] }),
    'messages.2.content.0.tool_result.name: Extra inputs are not permitted',
  );
  refuses(
    'a key that only looks like one of the prototype',
    { messages: [{ role: 'user', content: 'Hi', constructor: 1 }] },
    'messages.0.constructor: Extra inputs are not permitted',
  );
  refuses('a missing max_tokens', { max_tokens: undefined }, 'max_tokens: Field required');
  refuses('a missing model', { model: undefined }, 'model: Field required');
  refuses(
    'a role that is none',
    { messages: [{ role: 'tool', content: 'Hi' }] },
    "messages.0.role: Input should be 'user', 'assistant' or 'system'",
  );
  refuses(
    'a lone surrogate',
    { messages: [{ role: 'user', content: 'cut \ud83d' }] },
    'The request body is not valid JSON: no low surrogate in string',
  );
  accepts('a whole emoji', { messages: [{ role: 'user', content: 'whole \ud83d\ude00' }] });
  accepts('all that the types allow at the top', {
    metadata: { user_id: 'u' },
    stop_sequences: ['END'],
    service_tier: 'auto',
    output_config: { effort: 'low' },
    system: [{ type: 'text', text: 'Be brief.', cache_control: { type: 'ephemeral', ttl: '1h' } }],
    cache_control: { type: 'ephemeral' },
  });
});
