import { describeEnd, describeError } from '../../core/agent/describeEnd';
import { createScoutPrompt, createSystemPrompt } from '../../core/agent/systemPrompt';
import type { AskOptions } from '../../core/api';
import type { AssistantRequest, Assistant } from '../../core/assistant';
import type { ConversationId } from '../../core/conversation/turn';
import { OverBudget, UserError } from '../../core/errors';
import { answerText } from '../../core/messages';
import type { Log, Model } from '../../core/ports';
import { budgetIn, canRecall, type Settings } from '../../core/settings';
import type { CountedFile } from '../../core/tools/guidance/guidance';
import { skillsSection } from '../../core/tools/guidance/skills';
import type { Notes } from '../../core/tools/notes/notes';
import type { Tool } from '../../core/tools/tool';
import type { Tools } from '../tools/tools';
import { wait } from '../wait';

/** What is specific to one request; the rest follows from the settings and the workspace. */
export interface TurnRequest extends Omit<
  AssistantRequest,
  | 'system'
  | 'notes'
  | 'instructions'
  | 'guidance'
  | 'disabledTools'
  | 'canRecall'
  | 'scouts'
  | 'budget'
  | 'maxRounds'
  | 'wait'
  | 'random'
> {
  readonly settings: Settings;
  /** What scouts can call; without any there are no scouts. */
  readonly forScouts?: readonly Tool[];
  /** A prompt file or skill that is run with it. */
  readonly ran?: CountedFile | undefined;
}

/** Adds the settings, the system prompt, the team's own words and the notes. */
export async function toAssistantRequest(
  { settings, forScouts = [], ran, ...request }: TurnRequest,
  {
    tools: { workspace, guidance },
    notes,
  }: {
    readonly tools: Pick<Tools, 'workspace' | 'guidance'>;
    readonly notes: Pick<Notes, 'known'>;
  },
  signal: AbortSignal,
): Promise<AssistantRequest> {
  const place = { folders: workspace.folders().map(({ name }) => name), platform: process.platform };
  const [instructions, skills] = await Promise.all([guidance.instructions(signal), guidance.skills(signal)]);
  return {
    ...request,
    notes: workspace.isTrusted() && !request.isStateless ? await notes.known() : [],
    system: createSystemPrompt({
      ...place,
      canRecall: canRecall(settings) && !request.isStateless,
      isRestricted: !workspace.isTrusted(),
      instructions: settings.instructions,
      instructionFiles: instructions.always,
      skills: skillsSection(skills),
    }),
    instructions,
    guidance: [
      ...instructions.always.map(({ path, text }): CountedFile => {
        return { kind: 'instructions', path, chars: text.length };
      }),
      ...(ran ? [ran] : []),
    ],
    canRecall: canRecall(settings),
    ...(forScouts.length > 0 && {
      scouts: { modelId: settings['explore.model'], system: createScoutPrompt(place), tools: forScouts },
    }),
    disabledTools: settings['tools.disabled'],
    budget: budgetIn(settings),
    maxRounds: settings.maxRounds,
    maxOutputTokens: settings.maxOutputTokens,
    effort: settings.effort === 'default' ? undefined : settings.effort,
    wait,
    random: Math.random,
  };
}

/** `ask` for other extensions: one turn without the panel, so without tools that would have to be confirmed there. */
export function createAsk(options: {
  readonly tools: Tools;
  readonly notes: Pick<Notes, 'known'>;
  readonly assistant: Assistant;
  readonly readSettings: () => Settings;
  readonly connect: (settings: Settings) => Model;
  readonly conversationId: () => ConversationId;
  readonly log: Log;
}): (prompt: string, options: AskOptions) => Promise<string> {
  return async (prompt, { stateless = false, signal = new AbortController().signal }) => {
    const settings = options.readSettings();
    const request = await toAssistantRequest(
      {
        settings,
        conversationId: options.conversationId(),
        model: options.connect(settings),
        modelId: settings.model,
        isStateless: stateless,
        userContent: prompt,
        tools: [],
        permit: (tool) => options.tools.permit(tool, undefined),
        isUnattended: true,
        yieldRequested: () => false,
      },
      options,
      signal,
    );
    for await (const event of options.assistant.answer(request, signal).events) {
      if (event.type !== 'turn-end') continue;
      signal.throwIfAborted();
      // There is no Continue outside of the panel.
      const { end } = event;
      const problem = end.reason === 'budget' ? describeError(new OverBudget(end.stop)) : describeEnd(end);
      if (problem) throw new UserError(problem.text);
      // Not what was streamed: it would hold an answer that broke off and was requested again twice.
      return answerText(event.messages);
    }
    throw new Error('The turn ended without saying how.');
  };
}
