import { describeRules } from './describeRules';

const user = (content: unknown) => ({ role: 'user', content });

const assistant = (content: unknown) => ({ role: 'assistant', content });

const empty = 'all messages must have non-empty content except for the optional final assistant message';

describeRules('roles and text', ({ accepts, refuses }) => {
  refuses('no messages', { messages: [] }, 'messages: at least one message is required');
  refuses(
    'an assistant message first',
    { messages: [assistant('Hi'), user('Hi')] },
    'messages: first message must use the "user" role',
  );
  refuses(
    'a system message first',
    { messages: [{ role: 'system', content: 'Be brief.' }, user('Hi')] },
    "messages.0: use the top-level 'system' parameter for the initial system prompt",
  );
  refuses(
    'a system message on a model without them',
    { model: 'claude-sonnet-4-6', messages: [user('Hi'), { role: 'system', content: 'Be brief.' }] },
    "messages.1: role 'system' is not supported on this model",
  );
  refuses(
    'a system message before a user message',
    { messages: [user('Hi'), { role: 'system', content: 'Be brief.' }, user('Go on')] },
    "messages.1: a message with role 'system' must follow a 'user' message and be last or precede an 'assistant' message",
  );
  accepts('a system message after the person', {
    messages: [user('Hi'), { role: 'system', content: 'Be brief.' }],
  });
  accepts('two user messages in a row', { messages: [user('Hi'), user('Hello?')] });
  refuses(
    'empty text',
    { messages: [user([{ type: 'text', text: '' }])] },
    'messages: text content blocks must be non-empty',
  );
  refuses(
    'whitespace as text',
    { messages: [user(' \n')] },
    'messages: text content blocks must contain non-whitespace text',
  );
  refuses(
    'whitespace that Claude is said to have said',
    { messages: [user('Hi'), assistant([{ type: 'text', text: '\n' }]), user('Hi')] },
    'messages: text content blocks must contain non-whitespace text',
  );
  refuses('an empty string', { messages: [user('')] }, `messages.0: ${empty}`);
  refuses('an empty list', { messages: [user('Hi'), assistant([]), user('Hi')] }, `messages.1: ${empty}`);
  refuses(
    'empty system text',
    { system: [{ type: 'text', text: '' }] },
    'system: text content blocks must be non-empty',
  );
  refuses(
    'a prefilled answer',
    { messages: [user('Hi'), assistant('Well,')] },
    'This model does not support assistant message prefill. The conversation must end with a user message.',
  );
  accepts('a prefilled answer on an old model', {
    model: 'claude-opus-4-5',
    messages: [user('Hi'), assistant('Well,')],
  });
  refuses(
    'a prefilled answer that ends in a space',
    { model: 'claude-opus-4-5', messages: [user('Hi'), assistant('Well, ')] },
    'messages: final assistant content cannot end with trailing whitespace',
  );
  refuses(
    'a document in what Claude said',
    {
      messages: [
        user('Hi'),
        assistant([{ type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'x' } }]),
        user('Hi'),
      ],
    },
    'messages.1.content.0: `document` blocks can only be in `user` messages',
  );
  accepts('a document from the person', {
    messages: [user([{ type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'x' } }])],
  });
  refuses(
    'citations on what the person said',
    { messages: [user([{ type: 'text', text: 'Hi', citations: [{ type: 'char_location' }] }])] },
    'messages.0.content.0.text.citations: citations are not permitted on text in user messages',
  );
});
