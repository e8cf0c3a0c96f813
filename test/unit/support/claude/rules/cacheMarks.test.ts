import { readFileTool } from '../client';
import { describeRules } from './describeRules';

const mark = (ttl?: string) => ({ cache_control: { type: 'ephemeral', ...(ttl && { ttl }) } });

const text = { type: 'text', text: 'Hi' };

const said = (...marks: readonly object[]) => ({
  messages: [{ role: 'user', content: marks.map((own) => Object.assign({}, text, own)) }],
});

describeRules('cache marks', ({ accepts, refuses }) => {
  accepts('four marks', said(mark(), mark(), mark(), mark()));
  refuses(
    'five marks',
    said(mark(), mark(), mark(), mark(), mark()),
    'A maximum of 4 blocks with cache_control may be provided. Found 5.',
  );
  refuses(
    'four and the automatic one',
    { ...said(mark(), mark(), mark(), mark(), {}), ...mark() },
    'A maximum of 4 blocks with cache_control may be provided. Found 5.',
  );
  accepts('four, the last of which is where the automatic one goes', {
    ...said(mark(), mark(), mark(), mark()),
    ...mark(),
  });
  refuses(
    'an automatic mark that contradicts the block',
    { ...said(mark('1h')), ...mark('5m') },
    "Top-level cache_control has ttl='5m' but the target block already has cache_control with ttl='1h'",
  );
  accepts('an hour before five minutes', said(mark('1h'), mark('5m')));
  refuses(
    'five minutes before an hour',
    { ...said(mark('1h')), tools: [{ ...readFileTool, ...mark() }] },
    "messages.0.content.0.cache_control.ttl: a ttl='1h' cache_control block must not come after a ttl='5m' cache_control block. " +
      'Note that blocks are processed in the following order: `tools`, `system`, `messages`.',
  );
  refuses(
    'a mark on empty text',
    { messages: [{ role: 'user', content: [{ type: 'text', text: '', ...mark() }] }] },
    'messages: text content blocks must be non-empty',
  );
  refuses(
    'a mark on thinking',
    {
      messages: [
        { role: 'user', content: 'Hi' },
        { role: 'assistant', content: [{ type: 'thinking', thinking: '', signature: 'x', ...mark() }] },
        { role: 'user', content: 'Hi' },
      ],
    },
    'messages.1.content.0.thinking.cache_control: Extra inputs are not permitted',
  );
});
