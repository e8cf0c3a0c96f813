import * as vscode from 'vscode';
import { describeError } from '../../core/agent/describeEnd';
import { ModelError } from '../../core/errors';
import { retryingModel } from '../../core/agent/retryingModel';
import type { Model, ModelAnswer, ModelCatalog, ModelInfo } from '../../core/ports';
import { toAbortSignal } from '../cancellation';
import { toProviderRequest } from './modelMessages';
import { wait } from '../wait';

const vendor = 'claude-assistant';

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
    provideLanguageModelChatResponse: async (information, messages, { tools }, progress, token) => {
      const { request, hostNameOf } = toProviderRequest(information, messages, tools);
      try {
        const model = retryingModel(options.connect(), { wait, random: Math.random });
        for await (const event of model.stream(request, toAbortSignal(token))) {
          if (event.type === 'text-delta') progress.report(new vscode.LanguageModelTextPart(event.text));
          if (event.type !== 'answer') continue;
          for (const { id, name, input } of callsOf(event.answer)) {
            progress.report(new vscode.LanguageModelToolCallPart(id, hostNameOf(name), Object(input)));
          }
        }
      } catch (error) {
        if (token.isCancellationRequested) throw new vscode.CancellationError();
        throw await toLanguageModelError(error, options.askForKey);
      }
    },
    provideTokenCount: async (model, content, token) => {
      const message = typeof content === 'string' ? userMessage(content) : content;
      const { request } = toProviderRequest(model, [message]);
      try {
        return await options.connect().countTokens(request, toAbortSignal(token));
      } catch {
        // Only an estimate is asked for, and often: without a network, three characters a token is close enough.
        return Math.ceil(JSON.stringify(request.messages).length / 3);
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

/** Only a complete answer that asks for tools may lead to calls. */
function callsOf({ content, stopReason, brokenToolUses = [] }: ModelAnswer) {
  if (stopReason !== 'tool_use') return [];
  return content
    .filter((block) => block.type === 'tool_use')
    .filter(({ id }) => !brokenToolUses.includes(id));
}

/** VS Code shows the message of such an error as it is. */
async function toLanguageModelError(error: unknown, askForKey: () => Promise<void>): Promise<unknown> {
  if (!(error instanceof ModelError)) return error;
  const { text } = describeError(error, vscode.l10n.t);
  switch (error.kind) {
    case 'no-key':
    case 'rejected-key':
      void askForKey();
      return vscode.LanguageModelError.NoPermissions(text);
    case 'forbidden':
    case 'no-credit':
      return vscode.LanguageModelError.NoPermissions(text);
    case 'unknown-model':
      return vscode.LanguageModelError.NotFound(text);
    default:
      return new Error(text, { cause: error });
  }
}
