import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { describeEnd, describeError } from '../../core/agent/describeEnd';
import { contentSize } from '../../core/agent/promptSizes';
import { providerAnswer, createThinkingCache } from '../../core/agent/providerAnswer';
import { failureLine } from '../../core/conversation/turnLog';
import { asModelError, UserError, type ModelError } from '../../core/errors';
import { blocksOf } from '../../core/messages';
import type { Log, Model, ModelAnswer, ModelCatalog, ModelInfo } from '../../core/ports';
import { asPlainName } from '../../core/text/plainText';
import { toAbortSignal } from '../cancellation';
import { wait } from '../wait';
import { toProviderRequest } from './modelMessages';

const vendor = 'claude-assistant';
/** Fewer tokens than this are not worth a request to count them. */
const worthCounting = 1_000;

/**
 * Stands for `assistant.model`. VS Code picks a model before anybody has chosen one, and from 1.118 on takes the first
 * by name: without this entry that is the most expensive of all.
 */
const defaultEntry = { id: 'claude-default', name: 'Claude Default' };

export interface ModelProviderOptions {
  /** Claude with the current settings. */
  readonly connect: () => Model & ModelCatalog;
  /** Counts what it takes, and holds what would pass the budget of the day. */
  readonly guard: (model: Model) => Model;
  /** The models to show before Claude was asked for them. */
  readonly builtInModels: readonly ModelInfo[];
  readonly defaultModel: () => string;
  /** What is known of a model, also of one that is not on the list. */
  readonly detailsOf: (id: string) => ModelInfo;
  readonly askForKey: () => Promise<void>;
  readonly log: Log;
}

export interface ModelProvider extends vscode.Disposable {
  /** The model picked for this request, if it is one of ours. */
  readonly pickedModel: (request: vscode.ChatRequest) => string | undefined;
  readonly nameOfModel: (id: string) => string;
  /** Lists the models again when that is due. Called when Claude is asked anyway, never at start-up. */
  readonly refresh: () => void;
}

/**
 * Claude in VS Code's model picker: for `@assistant`, which VS Code would otherwise not even call on a profile
 * without Copilot, and for VS Code's own agent and other extensions.
 */
export function registerModelProvider(options: ModelProviderOptions): ModelProvider {
  const changed = new vscode.EventEmitter<void>();
  let models = options.builtInModels;
  const picked = new Set<string>();
  const thinking = createThinkingCache();

  async function listModels(): Promise<void> {
    const claude = options.connect();
    const listed = await claude.list(new AbortController().signal);
    // If the settings have changed since, this is the list of another host.
    if (options.connect() !== claude || JSON.stringify(listed) === JSON.stringify(models)) return;
    models = listed;
    changed.fire();
  }

  const find = (id: string) => models.find((model) => model.id === id) ?? options.detailsOf(id);
  // VS Code refuses a message to a model that is no longer listed; Claude's own error says what to do.
  const unlisted = () => [...picked].filter((id) => models.every((model) => model.id !== id));
  const meantBy = (id: string) => (id === defaultEntry.id ? options.defaultModel() : id);

  const registration = vscode.lm.registerLanguageModelChatProvider(vendor, {
    onDidChangeLanguageModelChatInformation: changed.event,
    provideLanguageModelChatInformation: () => [
      toDefaultInformation(find(options.defaultModel())),
      // An id that cannot be shown as it is cannot be offered.
      ...[...models, ...unlisted().map(find)].filter(({ id }) => asPlainName(id) === id).map(toInformation),
    ],
    provideLanguageModelChatResponse: async (chosen, messages, asked, progress, token) => {
      const model = { ...chosen, id: meantBy(chosen.id) };
      const { request, hostNameOf } = toProviderRequest(model, messages, asked);
      const claude = { model: options.guard(options.connect()), thinking, wait, random: Math.random };
      try {
        for await (const event of providerAnswer(request, claude, toAbortSignal(token))) {
          if (event.type === 'text-delta') progress.report(new vscode.LanguageModelTextPart(event.text));
          if (event.type === 'thinking-delta') reportThinking(event.text, progress);
          if (event.type !== 'answer') continue;
          refuseHalfAnswer(event.answer);
          for (const { id, name, input } of callsOf(event.answer)) {
            progress.report(new vscode.LanguageModelToolCallPart(id, hostNameOf(name), Object(input)));
          }
        }
      } catch (error) {
        if (token.isCancellationRequested) throw new vscode.CancellationError();
        if (isForCaller(error)) throw error;
        const failure = asModelError(error);
        options.log.error(failureLine('provider failed', failure), failure.cause);
        throw toLanguageModelError(failure, options.askForKey);
      }
    },
    provideTokenCount: async (chosen, content, token) => {
      const model = { ...chosen, id: meantBy(chosen.id) };
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
    pickedModel: ({ model }) => {
      if (model.vendor !== vendor || model.id === defaultEntry.id) return undefined;
      picked.add(model.id);
      return model.id;
    },
    nameOfModel: (id) => asPlainName(find(id).name),
    refresh: () =>
      void listModels().catch((error: unknown) => options.log.error('models could not be listed', error)),
    dispose: () => vscode.Disposable.from(registration, changed).dispose(),
  };
}

function toDefaultInformation(model: ModelInfo): vscode.LanguageModelChatInformation {
  return {
    ...toInformation(model),
    ...defaultEntry,
    tooltip: l10n.t('The model in the setting assistant.model: {0}', asPlainName(model.name)),
    // Beyond the stable types: up to VS Code 1.117 the first message goes to the model that has it.
    ...{ isDefault: true },
  };
}

function toInformation(model: ModelInfo): vscode.LanguageModelChatInformation {
  const version = asPlainName(model.id);
  const information = {
    id: model.id,
    name: asPlainName(model.name),
    family: version.replace(/-\d.*$/, ''),
    version,
    detail: 'Claude Assistant',
    maxInputTokens: model.contextTokens - model.maxOutputTokens,
    maxOutputTokens: model.maxOutputTokens,
    capabilities: { imageInput: model.takesImages, toolCalling: true },
    // Beyond the stable types: up to VS Code 1.117 a model without them is not offered to the first message.
    isUserSelectable: true,
  };
  return information;
}

function userMessage(text: string): vscode.LanguageModelChatRequestMessage {
  const { User } = vscode.LanguageModelChatMessageRole;
  return { role: User, name: undefined, content: [new vscode.LanguageModelTextPart(text)] };
}

/**
 * Between calls the newest models explain themselves in their thinking. VS Code's part for that is not in the stable
 * typings; where there is none, it is not shown.
 */
function reportThinking(text: string, progress: vscode.Progress<vscode.LanguageModelResponsePart>): void {
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

/** Whether the caller can read it, so that it need not be logged. */
function isForCaller(error: unknown): boolean {
  return error instanceof vscode.LanguageModelError || error instanceof UserError;
}

/** VS Code shows the message of such an error, and may log all its properties. */
function toLanguageModelError(error: ModelError, askForKey: () => Promise<void>): Error {
  const { text } = describeError(error);
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
      return new Error(text);
  }
}

/** The caller would mistake it for a complete one. */
function refuseHalfAnswer({ stopReason, refusal, content }: ModelAnswer): void {
  if (stopReason === 'refusal') {
    const end = { reason: 'refused', ...(refusal !== undefined && { explanation: refusal }) } as const;
    throw vscode.LanguageModelError.Blocked(describeEnd(end)?.text);
  }
  if (stopReason === 'max_tokens' && content.at(-1)?.type === 'tool_use') {
    throw new UserError(describeEnd({ reason: 'output-limit' })?.text ?? '');
  }
}
