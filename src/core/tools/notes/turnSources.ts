import { looksLikeSecret } from '../../secrets/looksLikeSecret';
import { isObject } from '../../text/json';
import type { Tool, ToolCall } from '../tool';
import { filesOfCall } from '../toolset';

/** What was read in one turn, in the order in which Claude came to know it. */
export interface TurnSources {
  /** The same tool; what it brings into the turn is known from then on. */
  follow(tool: Tool, by: 'us' | 'others'): Tool;
  /** Each by a name that people know: a path, an address, a tool. */
  list(): readonly string[];
}

/** `attached`: names of what came with the person's message. */
export function createTurnSources(attached: readonly string[]): TurnSources {
  const sources = new Set(attached);
  return {
    follow: (tool, by) => ({
      ...tool,
      async run(call, signal, report) {
        const output = await tool.run(call, signal, report);
        // What a tool of ours says of a failure, or of a change, are our own words.
        const isNews = by === 'others' || (tool.effect === 'reads' && !output.isError);
        for (const source of isNews ? sourcesOf(call) : []) sources.add(source);
        return output;
      },
    }),
    list: () => [...sources],
  };
}

function sourcesOf({ name, input }: ToolCall): readonly string[] {
  const paths = filesOfCall({ name, input })?.paths ?? [];
  if (paths.length > 0) return paths;
  const address = isObject(input) ? addressOf(input['url']) : undefined;
  return [address !== undefined && !looksLikeSecret(address) ? address : name];
}

/** Without what may be a login or a key: it is kept with a note, and shown. */
function addressOf(url: unknown): string | undefined {
  if (typeof url !== 'string' || !URL.canParse(url)) return undefined;
  const { origin, pathname } = new URL(url);
  return `${origin}${pathname}`;
}
