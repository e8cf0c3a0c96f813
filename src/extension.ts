import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import { createConnection } from './claude/connection';
import { builtInModels, cheapModelId } from './claude/models';
import { createApi, type AssistantApi } from './core/api';
import { createAssistant } from './core/assistant';
import { createSecretFilesReader } from './core/tools/paths/secretFiles';
import { createApiKey } from './vscode/apiKey';
import { openChat } from './vscode/chat/ask';
import { createAsk } from './vscode/chat/askApi';
import { createCompact } from './vscode/chat/compact';
import { registerModelProvider } from './vscode/chat/modelProvider';
import { openAnswer } from './vscode/chat/openAnswer';
import { registerParticipant } from './vscode/chat/participant';
import { RecentTexts } from './vscode/chat/recentTexts';
import { createSlashCommands } from './vscode/chat/slashCommands';
import { switchedOffTools } from './vscode/chat/toolsPicker';
import { createLog } from './vscode/log';
import { registerArchiveCommands } from './vscode/memory/archiveCommands';
import { createArchivePreview } from './vscode/memory/archivePreview';
import { clearConversation } from './vscode/memory/clearConversation';
import { createConversations } from './vscode/memory/conversations';
import { createLedgerDocuments } from './vscode/memory/ledgerDocuments';
import { setConversationTimeout, setTurnLimit } from './vscode/memory/limitCommands';
import { registerMemoryActions } from './vscode/memory/memoryActions';
import { registerMemoryFiles } from './vscode/memory/memoryFiles';
import { registerMemoryView } from './vscode/memory/memoryView';
import { showMenu } from './vscode/memory/menu';
import { createMovedFolderOffer } from './vscode/memory/movedFolder';
import { createShownLedger } from './vscode/memory/shownLedger';
import { registerStatusBar } from './vscode/memory/statusBar';
import { createUsagePanel } from './vscode/memory/usagePanel';
import { createSettingsReader } from './vscode/settings';
import { createTools } from './vscode/tools/tools';

/** The wiring, top to bottom. */
export function activate(context: vscode.ExtensionContext): AssistantApi {
  const log = createLog();
  const readSettings = createSettingsReader();
  const apiKey = createApiKey(context.secrets, process.env);
  const connect = createConnection({ apiKey: apiKey.read, environment: process.env });

  const conversations = createConversations({ context, readSettings, log });
  const { memory, archive, ledger, threads, limits } = conversations;
  const summaries = { limits, modelId: cheapModelId };
  const assistant = createAssistant({ memory, clock: Date.now, ids: randomUUID, log, ledger, summaries });
  const longAnswers = new RecentTexts(3);
  const secretFiles = createSecretFilesReader(() => readSettings().secretFiles);
  const tools = createTools({
    secretFiles,
    nextId: randomUUID,
    changes: conversations.changes,
    log,
  });

  const provider = registerModelProvider({
    connect: () => connect(readSettings()),
    builtInModels,
    defaultModel: () => readSettings().model,
    askForKey: apiKey.set,
  });

  const { nameOfModel } = provider;
  const shownLedger = createShownLedger(conversations);
  const ledgerDocuments = createLedgerDocuments({ ledger: shownLedger, nameOfModel });
  const usagePanel = createUsagePanel({
    ledger: shownLedger,
    nameOfModel,
    extensionUri: context.extensionUri,
    log,
  });
  const archivePreview = createArchivePreview({ archive, nameOfModel });
  const memoryView = registerMemoryView(conversations);
  const slashCommands = createSlashCommands({
    archive,
    refresh: () => memory.refresh(),
    limits,
    nameOfModel,
    compact: createCompact({ summaries, readSettings, connect, nameOfModel, ledger }),
  });

  context.subscriptions.push(
    log,
    tools,
    provider,
    ledgerDocuments,
    usagePanel,
    conversations,
    registerParticipant({
      assistant,
      conversation: (id) => memory.forConversation(id),
      threads,
      journal: tools.journal,
      whenThere: (names, signal) => tools.whenThere(names, signal),
      slashCommands,
      readSettings,
      connect: (settings) => {
        provider.refresh();
        return connect(settings);
      },
      pickedModel: provider.pickedModel,
      nameOfModel,
      isSecret: (path) => secretFiles().has(path),
      toolsFor: (request, settings, plan, signal) =>
        tools.forRequest(
          {
            token: request.toolInvocationToken,
            attached: request.toolReferences.map(({ name }) => name),
            external: settings['tools.external'],
            disabled: [...settings['tools.disabled'], ...switchedOffTools(request)],
            plan,
          },
          signal,
        ),
      longAnswers,
      onAnswered: createMovedFolderOffer({ ...conversations, log }),
      log,
      iconFolder: vscode.Uri.joinPath(context.extensionUri, 'media'),
    }),
    memoryView,
    registerMemoryActions({ memory, archive, ledger, view: memoryView, preview: archivePreview }),
    registerMemoryFiles(memory),
    registerStatusBar(conversations),
    archivePreview,
    registerArchiveCommands({
      ...conversations,
      preview: archivePreview,
      nameOfModel,
      apiKey: apiKey.read,
      log,
    }),
    command('showMenu', () => showMenu(limits())),
    command('ask', openChat),
    command('setApiKey', apiKey.set),
    command('removeApiKey', apiKey.remove),
    command('clearConversation', () => clearConversation(conversations.current())),
    command('undoSlashCommand', (key: string) => slashCommands.undo(key)),
    command('setTurnLimit', () => setTurnLimit(readSettings)),
    command('setConversationTimeout', () => setConversationTimeout(readSettings)),
    command('showUsage', () => usagePanel.show()),
    command('showLedger', (turnId?: string) => ledgerDocuments.show(turnId)),
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
