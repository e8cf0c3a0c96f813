import type { Loosened } from './approvalSettings';
import { isInternalTool, knownHostTools, type KnownHostTool } from './hostCatalogue';
import { withFilePathOnly } from './hostToolPaths';
import { type ForeignTool, sanitizeTool } from './sanitize';
import type { InputSchema, Tool } from './tool';

/** A tool as VS Code lists it. */
export interface HostTool extends ForeignTool {
  readonly tags: readonly string[];
  /** The extension that contributes it; none for VS Code's own tools and those of MCP servers. */
  readonly extension: ToolExtension | undefined;
}

export interface ToolExtension {
  readonly id: string;
  /** Its name for people. */
  readonly label: string;
  /** It comes with VS Code. */
  readonly isBuiltIn: boolean;
  /** The person's settings make VS Code ask about this tool each time, as they are now. */
  readonly isAlwaysAsked: () => boolean;
}

/** A tool that is not ours, as Claude gets it. */
export interface ChosenTool {
  /** Its name in VS Code. */
  readonly hostName: string;
  /** Its name for Claude: the same, unless the API does not take it. */
  readonly name: string;
  readonly description: string;
  readonly inputSchema: InputSchema;
  readonly effect: Tool['effect'];
  readonly staysInChat: boolean;
  /** For the rules of permissions: a name is no proof. */
  readonly origin: 'mcp' | 'others';
  /** Its input has to pass `checkedFilePath`. */
  readonly takesFilePath: boolean;
  readonly deferral?: Tool['deferral'];
  /** Asked at each call: a workspace can change in the midst of a turn what it lets VS Code run unasked. */
  readonly asks: (loosened: Loosened) => Asks;
}

/** Who asks the person before a call: exactly one of the two, unless nothing outside of the chat changes. */
export type Asks = { readonly by: 'vscode' | 'nobody' } | ({ readonly by: 'us' } & OurQuestion);

export interface OurQuestion {
  /** In which words, for a tool of VS Code's own. */
  readonly question?: string;
  readonly extension?: ToolExtension;
  /** VS Code would have asked, had this workspace not told it to run tools unasked. Then no answer is remembered. */
  readonly isLoosened?: boolean;
  /** A rule of the person's wants it, each time. */
  readonly isWanted?: boolean;
}

/** `assistant.tools.external`: all that are there, none, or those named. Each use is confirmed. */
export type ExternalTools = 'ask' | 'off' | readonly string[];

export interface HostToolOptions {
  readonly available: readonly HostTool[];
  /** Names that are taken by our own tools. */
  readonly ownNames: readonly string[];
  readonly external: ExternalTools;
  readonly disabled: readonly string[];
  /** Attached by the person with `#`: offered whatever `external` says. The prompt says that they are preferred. */
  readonly attached: readonly string[];
  readonly isTrusted: boolean;
  /** The person has chosen a permission level of the chat at which VS Code asks about nothing. */
  readonly approvesAll: boolean;
  /** The folders of the workspace, as absolute paths. */
  readonly roots: readonly string[];
  readonly onLeftOut: (name: string, reason: string) => void;
  /** They were deferred before: then they stay so, however many there are, since the cached prefix depends on it. */
  readonly wasDeferring?: boolean;
}

/** Above this many, tools of others are deferred (L15). */
const mostLoaded = 30;

/** Which of the tools that VS Code knows are offered, in an order that does not depend on who registered first. */
export function chooseHostTools(options: HostToolOptions): readonly ChosenTool[] {
  const usable = options.available.filter(
    ({ name }) => !options.ownNames.includes(name) && !options.disabled.includes(name),
  );
  const known = knownHostTools.flatMap((entry) => {
    const tool = usable.find((one) => entryOf(one) === entry);
    return tool === undefined ? [] : (asKnown(tool, entry, options) ?? []);
  });
  const foreign = usable
    .filter((tool) => entryOf(tool) === undefined && isWanted(tool.name, options))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const taken = new Set(options.ownNames);
  const isDeferring = options.wasDeferring === true || foreign.length > mostLoaded;
  return [...known, ...foreign.map((tool) => asForeign(tool, isDeferring, options))]
    .filter(({ effect }) => options.isTrusted || effect === 'reads')
    .flatMap(({ tool, ...rest }): readonly ChosenTool[] => {
      const sanitized = sanitizeTool(tool, taken);
      if (sanitized.type === 'left-out') {
        options.onLeftOut(tool.name, sanitized.reason);
        return [];
      }
      const { name, description, inputSchema } = sanitized;
      taken.add(name);
      return [{ hostName: tool.name, name, description, inputSchema, ...rest }];
    });
}

/** Nothing for a tool of another extension, which may have any name that is free (A30). */
function entryOf({ name, extension }: HostTool): KnownHostTool | undefined {
  const isFromVsCode = extension === undefined || extension.isBuiltIn;
  return isFromVsCode ? knownHostTools.find((entry) => entry.name === name) : undefined;
}

/** What is known of a tool before it has the form that the API takes. */
interface Candidate extends Pick<
  ChosenTool,
  'effect' | 'staysInChat' | 'origin' | 'takesFilePath' | 'deferral' | 'asks'
> {
  readonly tool: ForeignTool;
}

function asKnown(tool: HostTool, entry: KnownHostTool, options: HostToolOptions): Candidate | undefined {
  const { effect, needsRoots, takesFilePath = false } = entry;
  const fitting = takesFilePath ? withFilePathOnly(tool) : tool;
  if (fitting === undefined) {
    options.onLeftOut(tool.name, 'it takes no filePath');
    return undefined;
  }
  const roots = options.roots.map((root) => JSON.stringify(root)).join(', ');
  const description = needsRoots ? `${entry.use} Workspace folders: ${roots}` : entry.use;
  return {
    tool: { ...fitting, description },
    effect,
    staysInChat: entry.asks === undefined,
    origin: 'others',
    takesFilePath,
    asks: (loosened) => whoAsksAboutKnown(entry, options.approvesAll, loosened),
  };
}

function asForeign(
  tool: HostTool,
  isDeferred: boolean,
  { approvesAll, attached }: HostToolOptions,
): Candidate {
  return {
    ...(isDeferred && { deferral: attached.includes(tool.name) ? 'attached' : 'other' }),
    tool,
    effect: 'writes',
    staysInChat: false,
    origin: isFromMcp(tool) ? 'mcp' : 'others',
    takesFilePath: false,
    asks: (loosened) => whoAsks(tool, approvesAll, loosened),
  };
}

function whoAsksAboutKnown(
  { asks, isTerminal }: KnownHostTool,
  approvesAll: boolean,
  loosened: Loosened,
): Asks {
  if (asks === undefined) return { by: 'nobody' };
  const { by } = asks;
  const question = asks.question();
  if (loosened.has('all') || (loosened.has('terminal') && isTerminal === true)) {
    return { by: 'us', question, isLoosened: true };
  }
  return by === 'us' && !approvesAll ? { by, question } : { by: 'vscode' };
}

/**
 * VS Code asks about a tool of an MCP server unless the server marks it as read-only. About one of an extension it asks
 * only when the extension wants that, which nobody can see from outside: so we ask, and the answer can be remembered.
 */
function whoAsks(tool: HostTool, approvesAll: boolean, loosened: Loosened): Asks {
  const { extension } = tool;
  const ours = { by: 'us' as const, ...(extension && { extension }) };
  const isMcp = isFromMcp(tool);
  if (loosened.has('all') || (loosened.has('mcp') && isMcp)) return { ...ours, isLoosened: true };
  return isMcp || approvesAll || extension?.isAlwaysAsked() === true ? { by: 'vscode' } : ours;
}

function isFromMcp({ name, tags, extension }: HostTool): boolean {
  return extension === undefined && name.startsWith('mcp_') && tags.includes('mcp');
}

function isWanted(
  name: string,
  { external, attached }: { readonly external: ExternalTools; readonly attached: readonly string[] },
): boolean {
  if (attached.includes(name)) return true;
  if (external === 'off' || isInternalTool(name)) return false;
  return external === 'ask' || external.includes(name);
}
