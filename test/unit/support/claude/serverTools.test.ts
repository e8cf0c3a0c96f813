import assert from 'node:assert/strict';
import { APIError } from '@anthropic-ai/sdk';
import {
  cited,
  pausedSearch,
  reply,
  stop,
  text,
  toolSearch,
  toolUse,
  webFetch,
  webSearch,
} from '../../../support/claude/script';
import { startStandIn, type StandIn } from '../../../support/claude/standIn';
import { clientOf, hello, readFileTool } from './client';

const page = { url: 'https://docs.example.com/a', title: 'A', text: 'It is so.' };
const other = { url: 'https://other.net/b', title: 'B' };
const search = { type: 'web_search_20260318', name: 'web_search' } as const;
const fetchPage = { type: 'web_fetch_20260318', name: 'web_fetch' } as const;
const finder = { type: 'tool_search_tool_bm25_20251119', name: 'tool_search_tool_bm25' } as const;
const later = { ...readFileTool, name: 'make_ticket', description: 'Makes a ticket.', defer_loading: true };

describe('the stand-in with tools of the server', () => {
  let standIn: StandIn;
  before(async () => {
    standIn = await startStandIn();
  });
  after(() => standIn.close());
  beforeEach(() => standIn.reset());

  const ask = (params: object) =>
    clientOf(standIn)
      .messages.stream({ ...hello, ...params })
      .finalMessage();

  it('searches, cites and counts, as the SDK reads it', async () => {
    standIn.script(reply(webSearch('what is so', [page, other]), cited('It is so.', page)));
    const { content, usage, stop_reason: reason } = await ask({ tools: [search] });
    assert.deepEqual(
      content.map(({ type }) => type),
      ['server_tool_use', 'web_search_tool_result', 'text'],
    );
    assert.deepEqual(content[0]?.type === 'server_tool_use' && content[0].input, { query: 'what is so' });
    const [citation] = (content[2]?.type === 'text' && content[2].citations) || [];
    assert.equal(citation?.type === 'web_search_result_location' && citation.url, page.url);
    assert.deepEqual(usage.server_tool_use, { web_search_requests: 1, web_fetch_requests: 0 });
    assert.equal(reason, 'end_turn');
  });

  it('takes its own blocks back, and goes on after a pause', async () => {
    standIn.script(reply(pausedSearch('x'), stop('pause_turn')), reply(text('done')));
    const first = await ask({ tools: [search] });
    assert.equal(first.stop_reason, 'pause_turn');
    const messages = [...hello.messages, { role: 'assistant' as const, content: first.content }];
    const second = await ask({ tools: [search], messages });
    assert.equal(second.stop_reason, 'end_turn');
  });

  it('finds only within the domains, and as often as it may', async () => {
    standIn.script(reply(webSearch('x', [page, other]), webSearch('y', [page]), text('done')));
    const { content } = await ask({ tools: [{ ...search, allowed_domains: ['example.com'], max_uses: 1 }] });
    assert.deepEqual(
      content
        .flatMap((block) => (block.type === 'web_search_tool_result' ? [block.content] : []))
        .map((found) => (Array.isArray(found) ? found.map(({ url }) => url) : found.error_code)),
      [[page.url], 'max_uses_exceeded'],
    );
  });

  it('fetches only what the user has named and the domains allow', async () => {
    standIn.script(reply(webFetch(page.url, page), webFetch(other.url, other), text('done')));
    const { content } = await ask({
      tools: [{ ...fetchPage, blocked_domains: ['other.net'] }],
      messages: [{ role: 'user', content: `Fetch ${page.url} and ${other.url}` }],
    });
    const results = content.flatMap((block) =>
      block.type === 'web_fetch_tool_result' ? [block.content] : [],
    );
    assert.deepEqual(
      results.map((one) => (one.type === 'web_fetch_result' ? one.content.source : one.error_code)),
      [{ type: 'text', media_type: 'text/plain', data: 'It is so.' }, 'url_not_allowed'],
    );
    standIn.script(reply(webFetch(page.url, page), text('done')));
    const unnamed = await ask({ tools: [fetchPage] });
    const [, result] = unnamed.content;
    assert.deepEqual(result?.type === 'web_fetch_tool_result' && result.content, {
      type: 'web_fetch_tool_result_error',
      error_code: 'url_not_in_prior_context',
    });
  });

  it('finds deferred tools, which cost nothing until then', async () => {
    standIn.script(reply(toolSearch('ticket'), toolUse('make_ticket')), reply(text('done')));
    const tools = [readFileTool, finder, later];
    const first = await ask({ tools });
    assert.deepEqual(
      first.content.map(({ type }) => type),
      ['server_tool_use', 'tool_search_tool_result', 'tool_use'],
    );
    const without = await clientOf(standIn).messages.countTokens({
      model: hello.model,
      messages: hello.messages,
      tools: [readFileTool, finder],
    });
    assert.equal(first.usage.input_tokens, without.input_tokens);
    const call = first.content[2];
    assert.ok(call?.type === 'tool_use');
    const results = [{ type: 'tool_result' as const, tool_use_id: call.id, content: 'made' }];
    const second = await ask({
      tools,
      messages: [
        ...hello.messages,
        { role: 'assistant', content: first.content },
        { role: 'user', content: results },
      ],
    });
    assert.equal(second.stop_reason, 'end_turn');
  });

  it('lets no script call what Claude cannot know', async () => {
    const failures: unknown[] = [];
    const { error } = console;
    console.error = (...words: unknown[]) => void failures.push(words.join(' '));
    try {
      standIn.script(reply(toolUse('make_ticket')), reply(webSearch('x', [])));
      await assert.rejects(ask({ tools: [finder, later] }));
      await assert.rejects(ask({ tools: [finder, later] }));
    } finally {
      console.error = error;
    }
    assert.match(String(failures[0]), /make_ticket, which is deferred, and no search has found it/);
    assert.match(String(failures[1]), /uses web_search, which the request does not offer/);
  });

  it('can be a host that lacks some of it', async () => {
    standIn.lacks('web_search_20260318', 'defer_loading');
    const refusal = async (tools: readonly object[]) =>
      ask({ tools }).then(
        () => 'accepted',
        (error: unknown) => (error instanceof APIError ? error.apiMessage : String(error)),
      );
    assert.equal(
      await refusal([search]),
      "tools.0: Input tag 'web_search_20260318' found using 'type' does not match any of the expected tags: 'custom'",
    );
    assert.equal(
      await refusal([readFileTool, later]),
      'tools.1.custom.defer_loading: Extra inputs are not permitted',
    );
    standIn.script(reply(text('ok')));
    assert.equal(await refusal([{ ...search, type: 'web_search_20250305' }]), 'accepted');
  });
});
