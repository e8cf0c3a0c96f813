import * as vscode from 'vscode';
import type { ImageBlock, TextBlock } from '../../core/messages';
import { visibleLine } from '../../core/text/plainText';
import {
  dataBlock,
  parseResourceLink,
  type ResourceLink,
  resourceLinkType,
} from '../../core/tools/resultData';
import { promptTexts } from '../promptTexts';

type Blocks = readonly (TextBlock | ImageBlock)[];

/** Each is a question to the server, and a result may have thousands. */
const mostResources = 20;

/** What VS Code keeps of MCP servers. A tool's word is no reason to open anything else, least of all a file. */
const resourceSchemes: ReadonlySet<string> = new Set(['vscode-chat-response-resource', 'mcp-resource']);

/** What a tool of VS Code, of another extension or of an MCP server returned, as Claude gets it. */
export async function toBlocks(parts: readonly unknown[]): Promise<Blocks> {
  let resources = 0;
  const blocks = parts.map(async (part): Promise<Blocks> => {
    if (part instanceof vscode.LanguageModelTextPart) return [{ type: 'text', text: part.value }];
    if (part instanceof vscode.LanguageModelPromptTsxPart) {
      const text = promptTexts(part.value).join('');
      return text === '' ? [] : [{ type: 'text', text }];
    }
    if (!(part instanceof vscode.LanguageModelDataPart)) return [];
    const link = part.mimeType === resourceLinkType ? parseResourceLink(part.data) : undefined;
    if (link === undefined) return [dataBlock(part.data, { mimeType: part.mimeType })];
    return [resources++ < mostResources ? await readResource(link) : named(link, 'not read')];
  });
  return (await Promise.all(blocks)).flat();
}

async function readResource(link: ResourceLink): Promise<TextBlock | ImageBlock> {
  if (!resourceSchemes.has(link.uri.scheme)) return named(link, 'not read');
  try {
    const bytes = await vscode.workspace.fs.readFile(vscode.Uri.from(link.uri));
    return dataBlock(bytes, { name: nameOf(link), mimeType: link.mimeType });
  } catch (error) {
    return named(link, `not readable: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function named(link: ResourceLink, note: string): TextBlock {
  return { type: 'text', text: `[${visibleLine(`${nameOf(link)}: ${note}`)}]` };
}

/** Its address at the server, as far as VS Code's own address says it. */
function nameOf({ uri }: ResourceLink): string {
  const [, scheme, authority, ...path] = uri.path.split('/');
  if (uri.scheme === 'mcp-resource') return `${scheme}://${[authority, ...path].join('/')}`;
  return path.at(-1) ?? uri.scheme;
}
