import type Anthropic from '@anthropic-ai/sdk';
import { blocksOf, textOf, toolsOf, type Block, type ClaudeRequest } from './request';

/** A request read as a conversation: what the person wants now, what was said before, what tools have told. */
export interface Conversation {
  readonly question: string;
  /** What the person said in earlier turns, oldest first. */
  readonly earlier: readonly string[];
  /** Values that were remembered, by name. */
  readonly remembered: readonly (readonly [name: string, value: string])[];
  /** The tool calls of this turn so far. */
  readonly calls: readonly FinishedCall[];
  /** Names of the tools on offer. */
  readonly tools: ReadonlySet<string>;
  readonly isFirstTurn: boolean;
  /** The person wants a plan, and nothing done yet. */
  readonly isPlanning: boolean;
  /** The plan as it went with the message. */
  readonly plan?: { readonly text: string; readonly isStarted: boolean } | undefined;
}

export interface FinishedCall {
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly output: string;
  readonly isError: boolean;
}

export function readConversation(request: ClaudeRequest): Conversation {
  const { messages } = request;
  const start = messages.findLastIndex((message) => isFromPerson(message));
  return {
    question: wordsOf(messages[start]),
    earlier: messages
      .slice(0, Math.max(0, start))
      .filter(isFromPerson)
      .map(wordsOf)
      .filter((said) => said !== ''),
    remembered: readRemembered(messages[start]),
    calls: readCalls(messages.slice(start + 1).flatMap(({ content }) => blocksOf(content))),
    tools: new Set(toolsOf(request).map(({ name }) => name)),
    isFirstTurn: !messages.slice(0, start).some(({ role }) => role === 'assistant'),
    ...readPlan(messages[start]),
  };
}

type Message = ClaudeRequest['messages'][number];

function isFromPerson(message: Message): boolean {
  return message.role === 'user' && blocksOf(message.content)[0]?.type !== 'tool_result';
}

const tagged = /<([\w-]+)[^>]*>([\s\S]*?)<\/\1>/g;

/** The person's own words, without what stands in tags beside them. */
function wordsOf(message: Message | undefined): string {
  const all = message ? textOf(message.content) : '';
  const own = all.replaceAll(tagged, '').replaceAll(planLine, '').trim();
  return own === '' ? all.trim() : own;
}

/** As `core/tools/plans/planContext.ts` writes it. */
const planLine = /^(The person wants a plan \(\/plan\)|The plan of this workspace as it is now).*$/gm;

function readPlan(message: Message | undefined): Pick<Conversation, 'isPlanning' | 'plan'> {
  const all = message ? textOf(message.content) : '';
  const about = all.match(planLine)?.join('\n') ?? '';
  const text = /<(plan_*)>\n([\s\S]*?)\n<\/\1>/.exec(all)?.[2];
  return {
    isPlanning: about.includes('(/plan)'),
    ...(text !== undefined && about !== '' && { plan: { text, isStarted: about.includes('It is at work') } }),
  };
}

/** As `core/conversation/paramContext.ts` writes them. */
function readRemembered(message: Message | undefined): Conversation['remembered'] {
  const listed =
    /<remembered>([\s\S]*?)<\/remembered>/.exec(message ? textOf(message.content) : '')?.[1] ?? '';
  return Array.from(listed.matchAll(/^([\w.-]+): (".*")$/gm), ([, name = '', value = '']) => [
    name,
    String(JSON.parse(value)),
  ]);
}

function readCalls(blocks: readonly Block[]): readonly FinishedCall[] {
  return blocks.flatMap((block): readonly FinishedCall[] => {
    if (block.type !== 'tool_result') return [];
    const use = blocks.find((other) => other.type === 'tool_use' && other.id === block.tool_use_id);
    if (use?.type !== 'tool_use') return [];
    return [
      {
        tool: use.name,
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the API lets only objects through.
        input: use.input as Readonly<Record<string, unknown>>,
        output: outputOf(block),
        isError: block.is_error === true,
      },
    ];
  });
}

function outputOf({ content }: Anthropic.ToolResultBlockParam): string {
  if (content === undefined || typeof content === 'string') return content ?? '';
  return content.map((block) => (block.type === 'text' ? block.text : `[${block.type}]`)).join('\n');
}

/** The last result of this tool in this turn. */
export function resultOf({ calls }: Conversation, tool: string): FinishedCall | undefined {
  return calls.findLast((finished) => finished.tool === tool);
}

export function withoutTags(output: string): string {
  return output.replaceAll(/^<\/?[\w-]+[^>]*>\n?/gm, '').trim();
}
