import {
  anyObject,
  anything,
  array,
  boolean,
  either,
  integer,
  matching,
  nullable,
  object,
  oneOf,
  string,
  tagged,
  type Shape,
} from './shape';

const type: Shape = anything;
const cacheControl = nullable(tagged({ ephemeral: object({ type }, { ttl: oneOf('5m', '1h') }) }));
const marked = { cache_control: cacheControl };

const text = object({ type, text: string }, { ...marked, citations: nullable(array(anyObject)) });
const textOrBlocks = (blocks: Shape) => either((value) => typeof value === 'string', string, array(blocks));

const image = object(
  {
    type,
    source: tagged({
      base64: object({
        type,
        media_type: oneOf('image/jpeg', 'image/png', 'image/gif', 'image/webp'),
        data: string,
      }),
      url: object({ type, url: string }),
      file: object({ type, file_id: string }),
    }),
  },
  { ...marked, transformations: nullable(object({}, { oversized_image: oneOf('downsize', 'error') })) },
);

const document = object(
  {
    type,
    source: tagged({
      base64: object({ type, media_type: oneOf('application/pdf'), data: string }),
      text: object({ type, media_type: oneOf('text/plain'), data: string }),
      content: object({ type, content: textOrBlocks(tagged({ text, image })) }),
      url: object({ type, url: string }),
      file: object({ type, file_id: string }),
    }),
  },
  {
    ...marked,
    citations: nullable(object({}, { enabled: boolean })),
    context: nullable(string),
    title: nullable(string),
  },
);

const searchResult = object(
  { type, content: array(tagged({ text })), source: string, title: string },
  { ...marked, citations: object({}, { enabled: boolean }) },
);

const toolReference = object({ type, tool_name: string }, marked);
const caller = tagged({ direct: object({ type }) });
const identifier = matching(/^[a-zA-Z0-9_-]+$/);
const toolName = matching(/^[a-zA-Z0-9_-]{1,128}$/);

const serverToolId = matching(/^srvtoolu_[a-zA-Z0-9_]+$/);
const searchResults = either(
  Array.isArray,
  array(
    object(
      { type: oneOf('web_search_result'), url: string, title: string, encrypted_content: string },
      { page_age: nullable(string) },
    ),
  ),
  object({ type: oneOf('web_search_tool_result_error'), error_code: string }),
);
const fetched = tagged({
  web_fetch_result: object({ type, url: string, content: document }, { retrieved_at: nullable(string) }),
  web_fetch_tool_result_error: object({ type, error_code: string }),
});
const foundTools = tagged({
  tool_search_tool_search_result: object({ type, tool_references: array(toolReference) }),
  tool_search_tool_result_error: object({ type, error_code: string }, { error_message: nullable(string) }),
});

const content = textOrBlocks(
  tagged({
    text,
    image,
    document,
    search_result: searchResult,
    thinking: object({ type, thinking: string, signature: string }),
    redacted_thinking: object({ type, data: string }),
    tool_use: object(
      { type, id: identifier, name: toolName, input: anyObject },
      { ...marked, caller, toolset_name: nullable(string) },
    ),
    server_tool_use: object(
      {
        type,
        id: serverToolId,
        name: oneOf('web_search', 'web_fetch', 'tool_search_tool_regex', 'tool_search_tool_bm25'),
        input: anyObject,
      },
      { ...marked, caller },
    ),
    web_search_tool_result: object(
      { type, tool_use_id: serverToolId, content: searchResults },
      { ...marked, caller },
    ),
    web_fetch_tool_result: object(
      { type, tool_use_id: serverToolId, content: fetched },
      { ...marked, caller },
    ),
    tool_search_tool_result: object({ type, tool_use_id: serverToolId, content: foundTools }, marked),
    tool_result: object(
      { type, tool_use_id: identifier },
      {
        ...marked,
        content: textOrBlocks(
          tagged({ text, image, document, search_result: searchResult, tool_reference: toolReference }),
        ),
        is_error: boolean,
        toolset_name: nullable(string),
      },
    ),
  }),
);

const toolChoice = tagged({
  auto: object({ type }, { disable_parallel_tool_use: boolean }),
  any: object({ type }, { disable_parallel_tool_use: boolean }),
  tool: object({ type, name: string }, { disable_parallel_tool_use: boolean }),
  none: object({ type }),
});

/** What all tools of the server have. */
const serverTool = {
  ...marked,
  defer_loading: boolean,
  strict: boolean,
  allowed_callers: array(
    oneOf('direct', 'code_execution_20250825', 'code_execution_20260120', 'code_execution_20260521'),
  ),
};
const domains = nullable(array(string));
const restricted = {
  ...serverTool,
  allowed_domains: domains,
  blocked_domains: domains,
  max_uses: nullable(integer(1)),
};
const inclusion = { response_inclusion: oneOf('full', 'excluded') };

function webSearch(more: Readonly<Record<string, Shape>> = {}): Shape {
  return object(
    { type, name: oneOf('web_search') },
    { ...restricted, user_location: nullable(anyObject), ...more },
  );
}

function webFetch(more: Readonly<Record<string, Shape>> = {}): Shape {
  const own = {
    citations: nullable(object({}, { enabled: boolean })),
    max_content_tokens: nullable(integer(1)),
    url_sources: nullable(anyObject),
  };
  return object({ type, name: oneOf('web_fetch') }, { ...restricted, ...own, ...more });
}

function toolSearch(name: string): Shape {
  return object({ type, name: oneOf(name) }, serverTool);
}

const display = nullable(oneOf('summarized', 'omitted'));

const shared = {
  cache_control: cacheControl,
  output_config: object(
    {},
    {
      effort: nullable(oneOf('low', 'medium', 'high', 'xhigh', 'max')),
      format: nullable(object({ type: oneOf('json_schema'), schema: anyObject })),
    },
  ),
  speed: nullable(oneOf('standard', 'fast')),
  system: textOrBlocks(tagged({ text })),
  thinking: tagged({
    adaptive: object({ type }, { display }),
    between_tools: object({ type }),
    disabled: object({ type }),
    enabled: object({ type, budget_tokens: integer(1024) }, { display }),
  }),
  tool_choice: toolChoice,
  tools: array(
    tagged(
      {
        custom: object(
          { name: string, input_schema: anyObject },
          {
            ...marked,
            type: anything,
            description: string,
            strict: boolean,
            defer_loading: boolean,
            eager_input_streaming: nullable(boolean),
            allowed_callers: array(string),
            input_examples: array(anyObject),
          },
        ),
        web_search_20250305: webSearch(),
        web_search_20260209: webSearch(),
        web_search_20260318: webSearch(inclusion),
        web_fetch_20250910: webFetch(),
        web_fetch_20260209: webFetch(),
        web_fetch_20260309: webFetch({ use_cache: boolean }),
        web_fetch_20260318: webFetch({ ...inclusion, use_cache: boolean }),
        tool_search_tool_bm25_20251119: toolSearch('tool_search_tool_bm25'),
        tool_search_tool_bm25: toolSearch('tool_search_tool_bm25'),
        tool_search_tool_regex_20251119: toolSearch('tool_search_tool_regex'),
        tool_search_tool_regex: toolSearch('tool_search_tool_regex'),
      },
      'custom',
    ),
  ),
  user_profile_id: string,
};

const required = {
  model: string,
  messages: array(object({ role: oneOf('user', 'assistant', 'system'), content })),
};

/** The form of `POST /v1/messages/count_tokens`. */
export const countTokensShape: Shape = object(required, shared);

/** The form of `POST /v1/messages`. Of the server's tools those that we use are part of the stand-in. */
export const messagesShape: Shape = object(
  { ...required, max_tokens: integer(0) },
  {
    ...shared,
    container: nullable(anything),
    diagnostics: nullable(object({}, { previous_message_id: nullable(string) })),
    inference_geo: nullable(string),
    metadata: object({}, { user_id: nullable(string) }),
    service_tier: oneOf('auto', 'standard_only'),
    stop_sequences: array(string),
    stream: boolean,
  },
);
