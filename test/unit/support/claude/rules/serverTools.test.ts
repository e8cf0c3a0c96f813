import { encrypt } from '../../../../support/claude/serverBlocks';
import { readFileTool } from '../client';
import { describeRules } from './describeRules';

const search = { type: 'web_search_20260318', name: 'web_search' };
const fetchPage = { type: 'web_fetch_20260318', name: 'web_fetch' };
const toolSearch = { type: 'tool_search_tool_bm25_20251119', name: 'tool_search_tool_bm25' };
const deferred = { ...readFileTool, name: 'later', defer_loading: true };

const url = 'https://example.com/a';
const use = { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: { query: 'x' } };
const found = {
  type: 'web_search_tool_result',
  tool_use_id: 'srvtoolu_1',
  content: [{ type: 'web_search_result', url, title: 'A', encrypted_content: encrypt(url) }],
};
const searchUse = { ...use, id: 'srvtoolu_2', name: 'tool_search_tool_bm25' };
const reference = (name: string) => ({
  type: 'tool_search_tool_result',
  tool_use_id: 'srvtoolu_2',
  content: {
    type: 'tool_search_tool_search_result',
    tool_references: [{ type: 'tool_reference', tool_name: name }],
  },
});

/** What was said before, and then the person again. */
const said = (...content: readonly object[]) => ({
  tools: [search, toolSearch, readFileTool, deferred],
  messages: [
    { role: 'user', content: 'Hi' },
    { role: 'assistant', content },
    { role: 'user', content: 'Go on' },
  ],
});

describeRules('tools of the server', ({ accepts, refuses }) => {
  for (const type of ['web_search_20250305', 'web_search_20260209', 'web_search_20260318'])
    accepts(type, { tools: [{ ...search, type, max_uses: 3, allowed_domains: ['example.com'] }] });
  for (const type of ['web_fetch_20250910', 'web_fetch_20260209', 'web_fetch_20260309', 'web_fetch_20260318'])
    accepts(type, { tools: [{ ...fetchPage, type, max_content_tokens: 100, citations: { enabled: true } }] });
  refuses(
    'an option of a newer form in an older one',
    { tools: [{ ...search, type: 'web_search_20250305', response_inclusion: 'full' }] },
    'tools.0.web_search_20250305.response_inclusion: Extra inputs are not permitted',
  );
  refuses(
    'another name',
    { tools: [{ ...search, name: 'search' }] },
    "tools.0.web_search_20260318.name: Input should be 'web_search'",
  );
  refuses(
    'domains to allow beside domains to block',
    { tools: [{ ...search, allowed_domains: ['a.com'], blocked_domains: ['b.com'] }] },
    'tools.0.web_search_20260318: Only one of `allowed_domains` or `blocked_domains` can be specified',
  );
  refuses(
    'a domain with a scheme',
    { tools: [{ ...fetchPage, blocked_domains: ['https://b.com'] }] },
    "tools.0.web_fetch_20260318: Invalid domain 'https://b.com': use a domain without a scheme",
  );
});

describeRules('deferred tools', ({ accepts, refuses }) => {
  accepts('some beside a search', { tools: [toolSearch, deferred] });
  refuses(
    'all deferred',
    { tools: [deferred] },
    'At least one tool must have defer_loading=false. All tools cannot be deferred.',
  );
  refuses(
    'a cache mark on one',
    { tools: [toolSearch, { ...deferred, cache_control: { type: 'ephemeral' } }] },
    "Tool 'later' cannot have both defer_loading=true and cache_control set. Tools with defer_loading cannot use prompt caching.",
  );
  accepts('what a search has found', said(searchUse, reference('later')));
  refuses(
    'a reference to a tool that is not there',
    said(searchUse, reference('gone')),
    "messages.1.content.1: Tool reference 'gone' not found in available tools",
  );
});

describeRules('what the server did', ({ accepts, refuses }) => {
  accepts('a search with its result', said(use, found));
  refuses(
    'a search without its result',
    said(use, { type: 'text', text: 'So' }),
    'messages.1.content.0: `web_search` tool use with id `srvtoolu_1` was found without a corresponding `web_search_tool_result` block',
  );
  refuses(
    'a result without its search',
    said(found),
    'messages.1.content.0: unexpected `tool_use_id` found in `web_search_tool_result` blocks: srvtoolu_1. ' +
      'Each `web_search_tool_result` block must have a corresponding `server_tool_use` block before it.',
  );
  refuses(
    'an id of another kind',
    said({ ...use, id: 'toolu_1' }),
    "messages.1.content.0.server_tool_use.id: String should match pattern '^srvtoolu_[a-zA-Z0-9_]+$'",
  );
  refuses(
    'a result that was changed',
    said(use, { ...found, content: [{ ...found.content[0], url: 'https://evil.example/' }] }),
    'messages.1.content.1: Invalid `encrypted_content` in `search_result` block',
  );
  refuses(
    'it in the mouth of the user',
    { messages: [{ role: 'user', content: [use, found] }] },
    'messages.0.content.0: `server_tool_use` blocks can only be in `assistant` messages',
  );
  accepts('a pause, from where Claude goes on', {
    tools: [search],
    messages: [
      { role: 'user', content: 'Hi' },
      { role: 'assistant', content: [use] },
    ],
  });
  refuses(
    'words at the end in place of a pause',
    {
      tools: [search],
      messages: [
        { role: 'user', content: 'Hi' },
        { role: 'assistant', content: [use, found, { type: 'text', text: 'So' }] },
      ],
    },
    'This model does not support assistant message prefill. The conversation must end with a user message.',
  );
});
