import { isInternalTool, isMcpTool, knownHostTools } from './hostCatalogue';
import { type ForeignTool, sanitizeTool } from './sanitize';
import type { InputSchema, Tool } from './tool';

/** A tool that is not ours, as Claude gets it. */
export interface ChosenTool {
  /** Its name in VS Code. */
  readonly hostName: string;
  /** Its name for Claude: the same, unless the API does not take it. */
  readonly name: string;
  readonly description: string;
  readonly inputSchema: InputSchema;
  readonly effect: Tool['effect'];
  /** Set for tools of other extensions, which VS Code would run without a question. */
  readonly mustAsk: boolean;
}

/** `assistant.tools.external`: all that are there, none, or those named. Each use is confirmed. */
export type ExternalTools = 'ask' | 'off' | readonly string[];

/** Which of the tools that VS Code knows are offered, in an order that does not depend on who registered first. */
export function chooseHostTools(options: {
  readonly available: readonly ForeignTool[];
  /** Names that are taken by our own tools. */
  readonly ownNames: readonly string[];
  readonly external: ExternalTools;
  readonly disabled: readonly string[];
  /** Attached by the person with `#`: offered whatever `external` says. The prompt says that they are preferred. */
  readonly attached: readonly string[];
  readonly isTrusted: boolean;
  /** The folders of the workspace, as absolute paths. */
  readonly roots: readonly string[];
  readonly onLeftOut: (name: string, reason: string) => void;
}): readonly ChosenTool[] {
  const { available, ownNames } = options;
  const isOn = ({ name }: ForeignTool) => !ownNames.includes(name) && !options.disabled.includes(name);
  const usable = available.filter(isOn);
  const known = knownHostTools.flatMap((entry) => {
    const tool = usable.find(({ name }) => name === entry.name);
    if (tool === undefined) return [];
    const roots = entry.needsRoots === true ? ` Workspace folders: ${options.roots.join(', ')}` : '';
    return [{ tool: { ...tool, description: entry.use + roots }, effect: entry.effect, mustAsk: false }];
  });
  const knownNames = new Set(knownHostTools.map(({ name }) => name));
  const foreign = withinLimit(
    usable
      .filter(({ name }) => !knownNames.has(name) && isWanted(name, options))
      .toSorted((a, b) => (a.name < b.name ? -1 : 1)),
    options,
  ).map((tool) => ({ tool, effect: 'writes' as const, mustAsk: !isMcpTool(tool.name) }));
  const taken = new Set(ownNames);
  return [...known, ...foreign]
    .filter(({ effect }) => options.isTrusted || effect === 'reads')
    .flatMap(({ tool, effect, mustAsk }): readonly ChosenTool[] => {
      const sanitized = sanitizeTool(tool, taken);
      if (sanitized.type === 'left-out') {
        options.onLeftOut(tool.name, sanitized.reason);
        return [];
      }
      const { name, description, inputSchema } = sanitized;
      taken.add(name);
      return [{ hostName: tool.name, name, description, inputSchema, effect, mustAsk }];
    });
}

/** The API takes so many tools and no more, and Claude chooses worse among many. */
const mostForeign = 100;

function withinLimit(
  tools: readonly ForeignTool[],
  { attached, onLeftOut }: Pick<Parameters<typeof chooseHostTools>[0], 'attached' | 'onLeftOut'>,
): readonly ForeignTool[] {
  const isAttached = ({ name }: ForeignTool) => attached.includes(name);
  let room = mostForeign - tools.filter(isAttached).length;
  return tools.filter((tool) => {
    if (isAttached(tool) || room-- > 0) return true;
    onLeftOut(
      tool.name,
      `there are more than ${mostForeign}; attach it with #, or list those you need in assistant.tools.external`,
    );
    return false;
  });
}

function isWanted(
  name: string,
  { external, attached }: { readonly external: ExternalTools; readonly attached: readonly string[] },
): boolean {
  if (attached.includes(name)) return true;
  if (external === 'off' || isInternalTool(name)) return false;
  return external === 'ask' || external.includes(name);
}
