import { readFileTool } from '../client';

export function use(id: string) {
  return { type: 'tool_use', id, name: 'read_file', input: { path: 'a' } };
}

export function result(id: string) {
  return { type: 'tool_result', tool_use_id: id, content: 'text' };
}

export function image(bytes: Buffer, mediaType: string) {
  return { type: 'image', source: { type: 'base64', media_type: mediaType, data: bytes.toString('base64') } };
}

/** A question, Claude's tool uses, and what comes back. */
export function toolRound(options: {
  readonly uses?: readonly object[];
  readonly result?: string | readonly object[];
  readonly later?: readonly object[];
}) {
  return {
    tools: [readFileTool],
    messages: [
      { role: 'user', content: 'Read a' },
      { role: 'assistant', content: options.uses ?? [use('a')] },
      { role: 'user', content: options.result ?? [result('a')] },
      ...(options.later ?? []),
    ],
  };
}
