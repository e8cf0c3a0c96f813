import { setTimeout } from 'node:timers/promises';
import type { ModelFacts } from './models';
import { randomId } from './randomId';
import type { Block, ClaudeRequest } from './request';
import type { Part } from './script';
import { assertFound, citationOf, runServerTool } from './serverTools';
import { signThinking } from './thinkingSignature';
import { textTokens } from './tokens';
import { blockDelta, blockStart, blockStop, wireForm, type Step } from './wire';

/** An answer on its way: what has been said of it so far. */
export interface Draft {
  readonly request: ClaudeRequest;
  readonly model: ModelFacts;
  readonly content: Block[];
  readonly count: { output: number; thinking: number; webSearches: number; webFetches: number };
  stop?: PartOf<'stop'>;
}

type PartOf<Kind extends Part['kind']> = Extract<Part, { kind: Kind }>;

/** Says one part of an answer. */
export function* renderPart(part: Part, draft: Draft): Generator<Step> {
  switch (part.kind) {
    case 'text':
      yield* renderText(part, draft);
      break;
    case 'deltas':
      yield* renderDeltas(part, draft);
      break;
    case 'thinking':
      if (isThinking(draft)) yield* renderThinking(part, draft);
      break;
    case 'tool-use':
      yield* renderToolUse(part, draft);
      break;
    case 'cited-text':
      yield* renderCitedText(part, draft);
      break;
    case 'server-tool':
      yield* renderServerTool(part, draft);
      break;
    case 'foreign-block':
      yield blockStart(draft.content.length, part.block);
      yield blockStop(draft.content.length);
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- unknown to the types by design.
      draft.content.push(part.block as unknown as Block);
      break;
    case 'event':
      yield part;
      if (part.name === 'error') yield { kind: 'break', how: 'end' };
      break;
    case 'gate':
    case 'wait':
      yield pause(part);
      break;
    case 'stop':
      draft.stop = part;
      break;
    case 'raw':
    case 'break':
      yield part;
      break;
  }
}

const emptyText = { type: 'text', text: '', citations: null } as const;

function* renderText({ pieces }: PartOf<'text'>, { content, count, model }: Draft): Generator<Step> {
  const index = content.length;
  let whole = '';
  yield blockStart(index, emptyText);
  for (const piece of pieces) {
    if (typeof piece === 'string') {
      whole += piece;
      yield blockDelta(index, { type: 'text_delta', text: piece });
    } else {
      yield pause(piece);
    }
  }
  yield blockStop(index);
  count.output += textTokens(whole, model);
  content.push({ ...emptyText, text: whole });
}

function* renderDeltas(part: PartOf<'deltas'>, { content, count, model }: Draft): Generator<Step> {
  const index = content.length;
  const one = wireForm(blockDelta(index, { type: 'text_delta', text: part.piece }));
  yield blockStart(index, emptyText);
  // Many events a write, so that the stand-in is not what a benchmark measures.
  for (let left = part.count; left > 0; left -= 100) {
    yield { kind: 'raw', bytes: one.repeat(Math.min(100, left)) };
  }
  yield blockStop(index);
  count.output += textTokens(part.piece, model) * part.count;
  content.push({ ...emptyText, text: part.piece.repeat(part.count) });
}

function* renderThinking(part: PartOf<'thinking'>, draft: Draft): Generator<Step> {
  const { request, model, content, count } = draft;
  const index = content.length;
  const shown = showsThinking(draft) ? part.pieces : [];
  const thinking = shown.join('');
  const signature = signThinking(thinking, request, model, content);
  yield blockStart(index, { type: 'thinking', thinking: '', signature: '' });
  for (const piece of shown) yield blockDelta(index, { type: 'thinking_delta', thinking: piece });
  yield blockDelta(index, { type: 'signature_delta', signature });
  yield blockStop(index);
  // What was thought is paid for, whether it is shown or not.
  const tokens = textTokens(part.pieces.join(''), model);
  count.output += tokens;
  count.thinking += tokens;
  content.push({ type: 'thinking', thinking, signature });
}

function* renderCitedText({ text, sources }: PartOf<'cited-text'>, draft: Draft): Generator<Step> {
  const { content, count, model } = draft;
  const index = content.length;
  const citations = sources.map(citationOf);
  yield blockStart(index, { ...emptyText, citations: [] });
  for (const citation of citations) yield blockDelta(index, { type: 'citations_delta', citation });
  yield blockDelta(index, { type: 'text_delta', text });
  yield blockStop(index);
  count.output += textTokens(text, model);
  content.push({ type: 'text', text, citations });
}

function* renderServerTool({ use }: PartOf<'server-tool'>, draft: Draft): Generator<Step> {
  const { content, count, model } = draft;
  const [call, result] = runServerTool(use, draft.request, content);
  const input = JSON.stringify(call.input);
  yield blockStart(content.length, { ...call, input: {} });
  for (const piece of ['', ...slices(input, 24)]) {
    yield blockDelta(content.length, { type: 'input_json_delta', partial_json: piece });
  }
  yield blockStop(content.length);
  content.push(call);
  count.output += textTokens(input, model);
  if (use.tool === 'web_search') count.webSearches++;
  if (use.tool === 'web_fetch') count.webFetches++;
  if (use.isPaused) return;
  yield blockStart(content.length, result);
  yield blockStop(content.length);
  content.push(result);
}

function* renderToolUse(part: PartOf<'tool-use'>, draft: Draft): Generator<Step> {
  assertFound(part.name, draft.request, draft.content);
  const { content, count, model } = draft;
  const index = content.length;
  const id = part.id ?? `toolu_${randomId()}`;
  const block = { type: 'tool_use', id, name: part.name, input: {}, caller: { type: 'direct' } } as const;
  yield blockStart(index, block);
  for (const piece of ['', ...slices(part.json, 24)]) {
    yield blockDelta(index, { type: 'input_json_delta', partial_json: piece });
  }
  count.output += textTokens(part.json, model);
  if (part.isCut) {
    draft.stop ??= { kind: 'stop', reason: 'max_tokens', details: null };
    content.push(block);
  } else {
    yield blockStop(index);
    content.push({ ...block, input: JSON.parse(part.json) as unknown });
  }
}

function isThinking({ request: { thinking }, model }: Draft): boolean {
  return thinking ? thinking.type !== 'disabled' : model.thinksByDefault;
}

function showsThinking({ request: { thinking }, model }: Draft): boolean {
  if (thinking?.type === 'between_tools') return true;
  const display = thinking && 'display' in thinking ? thinking.display : undefined;
  return display ? display === 'summarized' : !model.omitsThinkingByDefault;
}

function pause(part: PartOf<'gate' | 'wait'>): Step {
  if (part.kind === 'wait') return { kind: 'pause', until: (signal) => sleep(part.ms, signal) };
  return {
    kind: 'pause',
    until: () => {
      part.arrive();
      return part.opened;
    },
  };
}

/** Ends early when the client has left, which is no fault. */
async function sleep(ms: number, signal: AbortSignal): Promise<void> {
  await setTimeout(ms, undefined, { signal }).catch(() => undefined);
}

function slices(whole: string, size: number): readonly string[] {
  return Array.from({ length: Math.ceil(whole.length / size) }, (_, at) =>
    whole.slice(at * size, (at + 1) * size),
  );
}
