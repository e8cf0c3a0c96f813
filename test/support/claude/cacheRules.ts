import { invalid, type ApiProblem } from './problem';
import { blocksOf, loadedTools, systemBlocksOf, type Block, type ClaudeRequest } from './request';

export type Ttl = '5m' | '1h';

/** A place where the prompt is cut for the cache: after block `position` of tools, system and messages in a row. */
export interface Breakpoint {
  readonly position: number;
  readonly ttl: Ttl;
  readonly path: string;
}

/** All breakpoints in order, the automatic one of a top-level `cache_control` included. */
export function breakpointsOf(request: ClaudeRequest): readonly Breakpoint[] {
  const { explicit, target } = findMarks(request);
  const automatic = request.cache_control;
  if (!automatic || target === undefined || explicit.some(({ position }) => position === target.position)) {
    return explicit;
  }
  return [...explicit, { ...target, ttl: automatic.ttl ?? '5m' }].toSorted((a, b) => a.position - b.position);
}

export function checkCacheMarks(request: ClaudeRequest): ApiProblem | undefined {
  const { explicit, target } = findMarks(request);
  const ttl = request.cache_control && (request.cache_control.ttl ?? '5m');
  const own = explicit.find(({ position }) => position === target?.position);
  if (ttl && own && own.ttl !== ttl) {
    return invalid(
      '',
      `Top-level cache_control has ttl='${ttl}' but the target block already has cache_control with ttl='${own.ttl}'`,
    );
  }
  const breakpoints = breakpointsOf(request);
  if (breakpoints.length > 4) {
    return invalid(
      '',
      `A maximum of 4 blocks with cache_control may be provided. Found ${breakpoints.length}.`,
    );
  }
  const late = breakpoints.find(
    (mark, index) => mark.ttl === '1h' && breakpoints.slice(0, index).some((before) => before.ttl === '5m'),
  );
  return late
    ? invalid(
        `${late.path}.cache_control.ttl`,
        "a ttl='1h' cache_control block must not come after a ttl='5m' cache_control block. " +
          'Note that blocks are processed in the following order: `tools`, `system`, `messages`.',
      )
    : undefined;
}

interface Marks {
  readonly explicit: readonly Breakpoint[];
  /** Where an automatic mark would stand: the last block, which in a good request can carry one. */
  readonly target: { readonly position: number; readonly path: string } | undefined;
}

function findMarks(request: ClaudeRequest): Marks {
  const explicit: Breakpoint[] = [];
  let target: Marks['target'];
  let position = 0;

  const visit = (block: MarkedBlock, path: string): void => {
    const ttl = ttlOf(block);
    if (ttl !== undefined) explicit.push({ position, ttl, path });
    position++;
  };

  for (const tool of loadedTools(request)) {
    visit({ cache_control: markOf(tool) }, `tools.${request.tools?.indexOf(tool)}`);
  }
  systemBlocksOf(request).forEach((block, index) => {
    visit(block, `system.${index}`);
  });
  request.messages.forEach(({ content }, index) => {
    blocksOf(content).forEach((block, inner) => {
      const path = `messages.${index}.content.${inner}`;
      target = { position, path };
      visit(block, path);
    });
  });
  return { explicit, target };
}

type MarkedBlock = Block | { readonly type?: undefined; readonly cache_control?: unknown };

/** A mark inside a tool result counts as the result's own. */
function ttlOf(block: MarkedBlock): Ttl | undefined {
  const own = markOf(block);
  if (own) return own.ttl ?? '5m';
  if (block.type !== 'tool_result' || typeof block.content !== 'object') return undefined;
  const inner = block.content.findLast((item) => markOf(item));
  return inner && (markOf(inner)?.ttl ?? '5m');
}

function markOf(block: object): { readonly ttl?: Ttl } | undefined {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the shape has been checked.
  return (block as { cache_control?: { ttl?: Ttl } | null }).cache_control ?? undefined;
}
