import { wireForm, type Step, type WireEvent } from './wire';

/** Ways in which gateways pass on an answer that are not Claude's own, each seen in public ones. */
export type GatewayWay = (typeof gatewayWays)[number];

export const gatewayWays = [
  /** Events have data only, no name. */
  'unnamed events',
  /** Data has no type, only the event has a name. */
  'untyped data',
  /** A thinking block begins without its signature, which comes later as usual. */
  'bare thinking',
  /** A thinking block never gets a signature. */
  'unsigned thinking',
  /** The reason to stop comes first, what was used in a second event without one. */
  'usage apart',
  /** The same, and the second event has no delta at all. */
  'usage alone',
  /** Blocks begin with null where Claude has an empty text or input. */
  'nulls',
  /** All blocks have the same index. */
  'one index',
  /** No event ends a block. */
  'no block stop',
  /** Nothing is said of what was used. */
  'no usage',
  /** As other APIs end their streams. */
  'done mark',
] as const;

/** The steps of an answer as they come through a gateway with these ways. */
export function* throughGateway(steps: Iterable<Step>, ways: readonly GatewayWay[]): Generator<Step> {
  for (const step of steps) {
    if (step.kind !== 'event') {
      yield step;
      continue;
    }
    let events: readonly WireEvent[] = [step];
    for (const way of ways) events = events.flatMap((event) => changes[way](event));
    for (const event of events) yield event.name === '' ? unnamed(event) : event;
    if (ways.includes('done mark') && step.name === 'message_stop')
      yield { kind: 'raw', bytes: 'data: [DONE]\n\n' };
  }
}

type Data = Readonly<Record<string, unknown>>;

function dataOf({ data }: WireEvent): Data {
  return typeof data === 'object' && data !== null ? { ...data } : {};
}

function part(data: Data, name: string): Data {
  const value = data[name];
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

function without(data: Data, name: string): Data {
  return Object.fromEntries(Object.entries(data).filter(([key]) => key !== name));
}

function unnamed({ data }: WireEvent): Step {
  return { kind: 'raw', bytes: wireForm({ kind: 'event', name: '', data }).replace('event: \n', '') };
}

/** Changes the block with which a block begins. */
function begin(event: WireEvent, change: (block: Data) => Data): readonly WireEvent[] {
  if (event.name !== 'content_block_start') return [event];
  const data = dataOf(event);
  return [{ ...event, data: { ...data, content_block: change(part(data, 'content_block')) } }];
}

function isDelta(event: WireEvent, type: string): boolean {
  return event.name === 'content_block_delta' && part(dataOf(event), 'delta')['type'] === type;
}

function splitDelta(event: WireEvent, second: Data): readonly WireEvent[] {
  if (event.name !== 'message_delta') return [event];
  const { usage, ...first } = dataOf(event);
  return [
    { ...event, data: { ...first, usage: { output_tokens: 0 } } },
    { ...event, data: { type: 'message_delta', ...second, usage } },
  ];
}

function unsigned(block: Data): Data {
  return block['type'] === 'thinking' ? without(block, 'signature') : block;
}

const changes: Readonly<Record<GatewayWay, (event: WireEvent) => readonly WireEvent[]>> = {
  'unnamed events': (event) => [{ ...event, name: '' }],
  'untyped data': (event) => [{ ...event, data: without(dataOf(event), 'type') }],
  'bare thinking': (event) => begin(event, unsigned),
  'unsigned thinking': (event) => (isDelta(event, 'signature_delta') ? [] : begin(event, unsigned)),
  'usage apart': (event) => splitDelta(event, { delta: { stop_reason: null, stop_sequence: null } }),
  'usage alone': (event) => splitDelta(event, {}),
  nulls: (event) =>
    begin(event, (block) => ({
      ...block,
      ...('text' in block && { text: null }),
      ...('thinking' in block && { thinking: null, signature: null }),
      ...('input' in block && { input: null }),
    })),
  'one index': (event) => {
    const data = dataOf(event);
    return ['index' in data ? { ...event, data: { ...data, index: 0 } } : event];
  },
  'no block stop': (event) => (event.name === 'content_block_stop' ? [] : [event]),
  'no usage': (event) => {
    const data = dataOf(event);
    if (event.name === 'message_start') {
      return [{ ...event, data: { ...data, message: { ...part(data, 'message'), usage: null } } }];
    }
    return [event.name === 'message_delta' ? { ...event, data: without(data, 'usage') } : event];
  },
  'done mark': (event) => [event],
};
