import { lifetimesMs, type CacheTtl } from '../cacheTtl';
import { memoizeByObject } from '../memoizeByObject';
import { blocksOf, type ContentBlock } from '../messages';
import type { ModelRequest, ModelTool } from '../ports';
import { hashText } from '../text/hashText';
import { jsonBytes } from '../text/json';
import { contentSize } from './promptSizes';

/** How the input of a request divides. In bytes of JSON, as all sizes that are not reported. */
export interface InputSplit {
  readonly read: number;
  readonly write: number;
  /** How much of `write` is kept for an hour. */
  readonly writeHour: number;
  readonly fresh: number;
}

/** A mark looks at this many blocks, itself included, for something kept. */
const lookBack = 20;

/**
 * What the prompt cache of the API should hold by now, from what was sent: it tells what a request will read, before it
 * is sent. Only hashes are kept.
 */
export class CacheMirror {
  readonly #kept = new Map<string, { readonly ttl: CacheTtl; readonly expiresAt: number }>();
  /** Of the last request to each model, what stands for its blocks. */
  readonly #sent = new Map<string, ReadonlySet<string>>();

  /** What a request would read and write at this moment. */
  split(request: ModelRequest, at: number): InputSplit {
    const blocks = readBlocks(request);
    return splitAt(blocks, this.#hit(blocks, at));
  }

  /** The same when nothing is kept any more. What the last request to this model did not have counts `newAs` times. */
  cold(request: ModelRequest, newAs = 1): InputSplit {
    const sent = this.#sent.get(request.model);
    const blocks = readBlocks(request).map(({ bytes, prefix, ttl }) => {
      return { bytes: sent?.has(prefix) ? bytes : bytes * newAs, prefix, ttl };
    });
    return splitAt(blocks, -1);
  }

  /** A request that began at this moment was accepted. */
  note(request: ModelRequest, at: number): void {
    const blocks = readBlocks(request);
    this.#sent.set(request.model, new Set(blocks.map(({ prefix }) => prefix)));
    const hit = this.#hit(blocks, at);
    for (const [index, { prefix, ttl }] of blocks.entries()) {
      const known = this.#kept.get(prefix);
      const isAlive = known !== undefined && known.expiresAt > at;
      const kept = index <= hit ? (isAlive ? known.ttl : undefined) : ttl;
      const isUsed = index === hit || ttl !== undefined;
      if (isUsed && kept) this.#kept.set(prefix, { ttl: kept, expiresAt: at + lifetimesMs[kept] });
    }
    for (const [prefix, { expiresAt }] of this.#kept) if (expiresAt <= at) this.#kept.delete(prefix);
  }

  /** From when on a request would find less than at this moment; undefined when it finds nothing then. */
  coldAt(request: ModelRequest, at: number): number | undefined {
    const blocks = readBlocks(request);
    return this.#kept.get(blocks[this.#hit(blocks, at)]?.prefix ?? '')?.expiresAt;
  }

  /** The last block of what is read; -1 for nothing. */
  #hit(blocks: readonly SentBlock[], at: number): number {
    const isAlive = ({ prefix }: SentBlock) => (this.#kept.get(prefix)?.expiresAt ?? 0) > at;
    const hits = blocks.map(({ ttl }, end) => {
      if (ttl === undefined) return -1;
      const start = Math.max(0, end + 1 - lookBack);
      const found = blocks.slice(start, end + 1).findLastIndex(isAlive);
      return found < 0 ? -1 : start + found;
    });
    return Math.max(-1, ...hits);
  }
}

interface SentBlock {
  readonly bytes: number;
  /** Stands for all up to here. */
  readonly prefix: string;
  /** Of the mark on it. */
  readonly ttl: CacheTtl | undefined;
}

function splitAt(blocks: readonly SentBlock[], hit: number): InputSplit {
  const split = { read: 0, write: 0, writeHour: 0, fresh: 0 };
  const lastMark = blocks.findLastIndex(({ ttl }) => ttl !== undefined);
  const lastHour = blocks.findLastIndex(({ ttl }) => ttl === '1h');
  for (const [index, { bytes }] of blocks.entries()) {
    if (index <= hit) split.read += bytes;
    else if (index > lastMark) split.fresh += bytes;
    else split.write += bytes;
    if (index > hit && index <= lastHour) split.writeHour += bytes;
  }
  return split;
}

function readBlocks({ model, tools, system, messages }: ModelRequest): readonly SentBlock[] {
  const blocks: SentBlock[] = [];
  let prefix = hashText(model);
  const add = (block: Marked<object>, role: string, { bytes, hash }: Content): void => {
    const { cache_control: mark } = block;
    prefix = hashText(prefix + role + hash);
    blocks.push({ bytes, prefix, ttl: mark ? (mark.ttl ?? '5m') : undefined });
  };
  // What is deferred is no part of the prompt until it is found.
  for (const tool of tools)
    if (!('defer_loading' in tool && tool.defer_loading)) add(tool, 'tool', contentOfTool(tool));
  for (const block of system) add(block, 'system', contentOf(block));
  for (const message of messages)
    for (const block of blocksOf(message)) add(block, message.role, contentOf(block));
  return blocks;
}

interface Content {
  readonly bytes: number;
  readonly hash: string;
}

/** Images have megabytes, and go with every request of a turn: they are read once. */
const contentOf = memoizeByObject((block: ContentBlock) => read(block, blockSize));
const contentOfTool = memoizeByObject((tool: ModelTool) => read(tool, jsonBytes));

/** Without the mark on it. */
function read<Block extends object>(block: Block, sizeOf: (content: Block) => number): Content {
  const { cache_control: _, ...content }: Marked<Block> = block;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the mark is optional in all of them
  const unmarked = content as unknown as Block;
  return { bytes: sizeOf(unmarked), hash: hashText(JSON.stringify(unmarked)) };
}

type Marked<Block> = Block & { readonly cache_control?: { readonly ttl?: CacheTtl } | null };

/** Short messages are hardly more than what is around them as JSON, and that costs nothing. */
function blockSize(block: ContentBlock): number {
  return block.type === 'text' ? jsonBytes(block.text) : contentSize([block]);
}
