import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { createConnection } from './claude/connection';
import { builtInModels } from './claude/models';
import { createApi, type AssistantApi } from './core/api';
import { createAssistant } from './core/assistant';
import { createMemory } from './core/conversation/memory';
import { createThreads } from './core/conversation/threads';
import { createSecretFilesReader } from './core/tools/paths/secretFiles';
import { createApiKey } from './vscode/apiKey';
import { openChat } from './vscode/ask';
import { createAsk } from './vscode/askApi';
import { clearConversation } from './vscode/clearConversation';
import { setConversationTimeout, setTurnLimit } from './vscode/limitCommands';
import { createLog } from './vscode/log';
import { createMementoStore } from './vscode/mementoStore';
import { registerMemoryActions } from './vscode/memoryActions';
import { registerMemoryFiles } from './vscode/memoryFiles';
import { reportMemoryProblem } from './vscode/memoryProblems';
import { registerMemoryView } from './vscode/memoryView';
import { showMenu } from './vscode/menu';
import { registerModelProvider } from './vscode/modelProvider';
import { openAnswer } from './vscode/openAnswer';
import { registerParticipant } from './vscode/participant';
import { RecentTexts } from './vscode/recentTexts';
import { createSettingsReader } from './vscode/settings';
import { sharedStorage } from './vscode/sharedStorage';
import { createSlashCommands } from './vscode/slashCommands';
import { registerStatusBar } from './vscode/statusBar';
import { createTools } from './vscode/tools';
import { switchedOffTools } from './vscode/toolsPicker';
import { createWriteAheadFiles } from './vscode/writeAheadFile';

/** The wiring, top to bottom. */
export function activate(context: vscode.ExtensionContext): AssistantApi {
  const log = createLog();
  const readSettings = createSettingsReader();
  const apiKey = createApiKey(context.secrets, process.env);
  const connect = createConnection({ apiKey: apiKey.read, environment: process.env });

  const memoryLimits = () => {
    const { maxTurns, conversationTimeout, eviction, historyTokenBudget, whenFull } = readSettings();
    return {
      maxTurns,
      timeoutSeconds: conversationTimeout,
      eviction,
      tokenBudget: historyTokenBudget,
      whenFull,
    };
  };
  const activationId = randomUUID().replaceAll('-', '');
  const startedAt = Date.now();
  const memory = createMemory({
    store: createMementoStore(context.workspaceState),
    journal:
      context.storageUri &&
      createWriteAheadFiles({
        folder: join(sharedStorage(context.storageUri.fsPath), 'memory'),
        activationId,
      }),
    clock: Date.now,
    ids: randomUUID,
    settings: memoryLimits,
    log,
    activationId,
    onProblem: (problem) => reportMemoryProblem(problem, () => memory),
  });
  // Recovers what a crash left, and shows this window to others on the same folder; nobody has to wait for it.
  void memory.load().catch((error: unknown) => log.error('memory could not be loaded', error));
  const assistant = createAssistant({ memory, clock: Date.now, ids: randomUUID, log });
  const threads = createThreads({
    memory,
    scope: () => readSettings().conversationScope,
    activation: { id: activationId, startedAt },
    ids: randomUUID,
    park: () => Promise.resolve(),
  });
  /** The conversation that a command means. */
  const currentConversation = () => memory.forConversation(threads.current());
  const longAnswers = new RecentTexts(3);
  const tools = createTools({ secretFiles: () => readSettings().secretFiles, nextId: randomUUID, log });

  const provider = registerModelProvider({
    connect: () => connect(readSettings()),
    builtInModels,
    defaultModel: () => readSettings().model,
    askForKey: apiKey.set,
  });

  const secretFiles = createSecretFilesReader(() => readSettings().secretFiles);
  const slashCommands = createSlashCommands({
    refresh: () => memory.refresh(),
    limits: memoryLimits,
    nameOfModel: provider.nameOfModel,
  });
  const memoryView = registerMemoryView({ memory, limits: memoryLimits });

  context.subscriptions.push(
    log,
    tools,
    provider,
    registerParticipant({
      assistant,
      conversation: (id) => memory.forConversation(id),
      threads,
      journal: tools.journal,
      slashCommands,
      readSettings,
      connect: (settings) => {
        provider.refresh();
        return connect(settings);
      },
      pickedModel: provider.pickedModel,
      nameOfModel: provider.nameOfModel,
      isSecret: (path) => secretFiles().has(path),
      toolsFor: (request, settings, signal) =>
        tools.forRequest(
          {
            token: request.toolInvocationToken,
            attached: request.toolReferences.map(({ name }) => name),
            external: settings['tools.external'],
            disabled: [...settings['tools.disabled'], ...switchedOffTools(request)],
          },
          signal,
        ),
      longAnswers,
      log,
      iconFolder: vscode.Uri.joinPath(context.extensionUri, 'media'),
    }),
    memoryView,
    registerMemoryActions({ memory, view: memoryView }),
    registerMemoryFiles(memory),
    registerStatusBar(memory, memoryLimits),
    command('showMenu', () => showMenu(memoryLimits())),
    command('ask', openChat),
    command('setApiKey', apiKey.set),
    command('removeApiKey', apiKey.remove),
    command('clearConversation', () => clearConversation(currentConversation())),
    command('undoClear', () => slashCommands.undoClear()),
    command('setTurnLimit', () => setTurnLimit(readSettings)),
    command('setConversationTimeout', () => setConversationTimeout(readSettings)),
    command('showLog', () => log.show()),
    command('openAnswer', (turnId: string) => openAnswer(longAnswers, turnId)),
  );

  return createApi({
    memory,
    defaultConversation: () => threads.current(),
    clock: Date.now,
    ids: randomUUID,
    ask: createAsk({ assistant, readSettings, connect, tools: [], conversationId: () => threads.current() }),
  });
}

function command(name: string, run: (...args: never[]) => unknown): vscode.Disposable {
  return vscode.commands.registerCommand(`assistant.${name}`, run);
}
