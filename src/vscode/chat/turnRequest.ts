import { createSystemPrompt } from '../../core/agent/systemPrompt';
import type { AssistantRequest } from '../../core/assistant';
import { readInstructionFiles } from '../../core/instructionFiles';
import type { Log, Model } from '../../core/ports';
import type { Settings } from '../../core/settings';
import { createPathPolicy } from '../../core/tools/paths/pathPolicy';
import { createSecretFiles } from '../../core/tools/paths/secretFiles';
import { createWorkspace } from '../tools/workspace';
import { wait } from '../wait';

/** What is particular to one request; the rest follows from the settings and the workspace. */
export interface TurnRequest extends Pick<
  AssistantRequest,
  | 'conversationId'
  | 'turnId'
  | 'shownAt'
  | 'facts'
  | 'isStateless'
  | 'isUnattended'
  | 'userContent'
  | 'tools'
  | 'askInPlace'
  | 'yieldRequested'
> {
  readonly settings: Settings;
  /** The picked model; without one the setting counts. */
  readonly modelId?: string | undefined;
}

/** Completes a request with the settings, the system prompt and the instruction files of this moment. */
export async function toAssistantRequest(
  { settings, modelId, ...request }: TurnRequest,
  { model, log }: { readonly model: Model; readonly log: Log },
  signal: AbortSignal,
): Promise<AssistantRequest> {
  const workspace = createWorkspace();
  const secretFiles = createSecretFiles(settings.secretFiles);
  const policy = createPathPolicy({ workspace, secretFiles: () => secretFiles });
  return {
    ...request,
    model,
    modelId: modelId ?? settings.model,
    system: createSystemPrompt({
      folders: workspace.folders().map(({ name }) => name),
      platform: process.platform,
      isRestricted: !workspace.isTrusted(),
      instructions: settings.instructions,
      instructionFiles: await readInstructionFiles({ workspace, policy, wait, log }, signal),
    }),
    disabledTools: settings['tools.disabled'],
    maxRounds: settings.maxRounds,
    maxOutputTokens: settings.maxOutputTokens,
    effort: settings.effort === 'default' ? undefined : settings.effort,
    wait,
    random: Math.random,
  };
}
