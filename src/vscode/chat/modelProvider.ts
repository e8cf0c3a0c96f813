import * as vscode from 'vscode';
import { guestAnswer } from '../../core/agent/guestAnswer';
import { createGuestThoughts } from '../../core/agent/guestMessages';
import { contentSize } from '../../core/agent/promptSizes';
import { blocksOf } from '../../core/messages';
import type { Model, ModelAnswer, ModelCatalog, ModelInfo } from '../../core/ports';
import { toAbortSignal } from '../cancellation';
import { wait } from '../wait';
import { refuseHalfAnswer, toLanguageModelError } from './modelErrors';
import { toProviderRequest } from './modelMessages';

const vendor = 'claude-assistant';
/** Below so many tokens a request to count them takes longer than it is worth. */
const worthCounting = 1_000;

export interface ModelProviderOptions {
  /** Claude under the settings of this moment. */
  readonly connect: () => Model & ModelCatalog;
  /** The models to show before Claude was asked for them. */
  readonly builtInModels: readonly ModelInfo[];
  readonly defaultModel: () => string;
  readonly askForKey: () => Promise<void>;
}

export interface ModelProvider extends vscode.Disposable {
  /** The model picked for this request, if it is one of ours. */
  readonly pickedModel: (request: vscode.ChatRequest) => string | undefined;
  readonly nameOfModel: (id: string) => string;
  /** Asks Claude once which models there are. Called when Claude is asked anyway, never at start-up. */
  readonly refresh: () => void;
}

/**
 * Claude in VS Code's model picker: for `@assistant`, which VS Code would otherwise not even call on a profile
 * without Copilot, and for VS Code's own agent and other extensions.
 */
export function registerModelProvider(options: ModelProviderOptions): ModelProvider {
  const changed = new vscode.EventEmitter<void>();
  let models = options.builtInModels;
  let isRefreshed = false;
  const thoughts = createGuestThoughts();

  async function listModels(): Promise<void> {
    const listed = await options.connect().list(new AbortController().signal);
    isRefreshed = listed !== options.builtInModels;
    if (isRefreshed && JSON.stringify(listed) !== JSON.stringify(models)) {
      models = listed;
      changed.fire();
    }
  }

  const registration = vscode.lm.registerLanguageModelChatProvider(vendor, {
    onDidChangeLanguageModelChatInformation: changed.event,
    provideLanguageModelChatInformation: () =>
      models.map((model) => toInformation(model, model.id === options.defaultModel())),
    provideLanguageModelChatResponse: async (information, messages, asked, progress, token) => {
      const { request, hostNameOf } = toProviderRequest(information, messages, asked);
      const guest = { model: options.connect(), thoughts, wait, random: Math.random };
      try {
        for await (const event of guestAnswer(request, guest, toAbortSignal(token))) {
          if (event.type === 'text-delta') progress.report(new vscode.LanguageModelTextPart(event.text));
          if (event.type === 'thinking-delta') reportThought(event.text, progress);
          if (event.type !== 'answer') continue;
          refuseHalfAnswer(event.answer);
          for (const { id, name, input } of callsOf(event.answer)) {
            progress.report(new vscode.LanguageModelToolCallPart(id, hostNameOf(name), Object(input)));
          }
        }
      } catch (error) {
        if (token.isCancellationRequested) throw new vscode.CancellationError();
        throw toLanguageModelError(error, options.askForKey);
      }
    },
    provideTokenCount: async (model, content, token) => {
      const message = typeof content === 'string' ? userMessage(content) : content;
      const { system, messages } = toProviderRequest(model, [message]).request;
      const blocks = [...system, ...messages.flatMap(blocksOf)];
      // Only an estimate is asked for, and for every piece of a prompt: three bytes a token is close enough.
      const estimate = Math.ceil(contentSize(blocks) / 3);
      const isCountable = blocks.every(({ type }) => type === 'text' || type === 'image');
      if (estimate < worthCounting || !isCountable) return estimate;
      const whole = { role: 'user', content: blocks } as const;
      const request = { model: model.id, system: [], tools: [], messages: [whole] };
      try {
        return await options.connect().countTokens(request, toAbortSignal(token));
      } catch {
        return estimate;
      }
    },
  });
  // Makes VS Code ask for our models now: the first message on a fresh profile has none otherwise.
  void vscode.lm.selectChatModels({ vendor });

  return {
    pickedModel: ({ model }) => (model.vendor === vendor ? model.id : undefined),
    nameOfModel: (id) => models.find((model) => model.id === id)?.name ?? id,
    refresh: () => {
      if (!isRefreshed) void listModels();
    },
    dispose: () => vscode.Disposable.from(registration, changed).dispose(),
  };
}

function toInformation(model: ModelInfo, isDefault: boolean): vscode.LanguageModelChatInformation {
  const information = {
    id: model.id,
    name: model.name,
    family: model.id.replace(/-\d.*$/, ''),
    version: model.id,
    detail: 'Claude Assistant',
    maxInputTokens: model.contextTokens - model.maxOutputTokens,
    maxOutputTokens: model.maxOutputTokens,
    capabilities: { imageInput: model.takesImages, toolCalling: true },
    // Beyond the stable types: up to VS Code 1.117 a model without them is not offered to the first message.
    isUserSelectable: true,
    isDefault,
  };
  return information;
}

function userMessage(text: string): vscode.LanguageModelChatRequestMessage {
  const { User } = vscode.LanguageModelChatMessageRole;
  return { role: User, name: undefined, content: [new vscode.LanguageModelTextPart(text)] };
}

/**
 * Between calls the newest models say what they do in their thoughts. VS Code has a part for that at run time only; where
 * it has none, they stay unsaid.
 */
function reportThought(text: string, progress: vscode.Progress<vscode.LanguageModelResponsePart>): void {
  const ThinkingPart: unknown = Reflect.get(vscode, 'LanguageModelThinkingPart');
  if (typeof ThinkingPart !== 'function') return;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- not in the stable types
  progress.report(Reflect.construct(ThinkingPart, [text]) as vscode.LanguageModelResponsePart);
}

/** Only a complete answer that asks for tools may lead to calls. */
function callsOf({ content, stopReason, brokenToolUses = [] }: ModelAnswer) {
  if (stopReason !== 'tool_use') return [];
  return content
    .filter((block) => block.type === 'tool_use')
    .filter(({ id }) => !brokenToolUses.includes(id));
}
