import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { createConnection } from './claude/connection';
import { builtInModels, cheapModelId } from './claude/models';
import { createApi, type AssistantApi } from './core/api';
import { createAssistant } from './core/assistant';
import { createArchive } from './core/conversation/archive';
import { toMarkdown } from './core/conversation/exportMarkdown';
import { createMemory } from './core/conversation/memory';
import { createSwitching } from './core/conversation/switching';
import { createThreads } from './core/conversation/threads';
import { createLedger } from './core/ledger/ledger';
import { createRecentRecords } from './core/ledger/recentRecords';
import { createSecretFilesReader } from './core/tools/paths/secretFiles';
import { createApiKey } from './vscode/apiKey';
import { createArchiveCommands } from './vscode/archiveCommands';
import { createArchiveFiles } from './vscode/archiveFiles';
import { createArchivePreview } from './vscode/archivePreview';
import { openChat } from './vscode/ask';
import { createAsk } from './vscode/askApi';
import { clearConversation } from './vscode/clearConversation';
import { createCompact } from './vscode/compact';
import { exportConversation, type ExportChoice } from './vscode/exportConversation';
import { formatTime } from './vscode/formats';
import { importConversation } from './vscode/importConversation';
import { createLedgerDocuments } from './vscode/ledgerDocuments';
import { createLedgerFiles } from './vscode/ledgerFiles';
import { setConversationTimeout, setTurnLimit } from './vscode/limitCommands';
import { createLog } from './vscode/log';
import { createMementoStore } from './vscode/mementoStore';
import { registerMemoryActions } from './vscode/memoryActions';
import { registerMemoryFiles } from './vscode/memoryFiles';
import { reportMemoryProblem } from './vscode/memoryProblems';
import { registerMemoryView } from './vscode/memoryView';
import { showMenu } from './vscode/menu';
import { registerModelProvider } from './vscode/modelProvider';
import { createMovedFolderOffer } from './vscode/movedFolder';
import { openAnswer } from './vscode/openAnswer';
import { registerParticipant } from './vscode/participant';
import { RecentTexts } from './vscode/recentTexts';
import { createSettingsReader } from './vscode/settings';
import { sharedStorage } from './vscode/sharedStorage';
import { createSlashCommands } from './vscode/slashCommands';
import { registerStatusBar } from './vscode/statusBar';
import { tellingErrors } from './vscode/tellErrors';
import { createTools } from './vscode/tools';
import { switchedOffTools } from './vscode/toolsPicker';
import { createUsagePanel } from './vscode/usagePanel';
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
  const storage = context.storageUri && sharedStorage(context.storageUri.fsPath);
  const archiveIn = (folder: string | undefined) =>
    createArchive({
      files: folder === undefined ? undefined : createArchiveFiles(join(folder, 'archive')),
      size: () => readSettings().archiveSize,
      log,
      translate: vscode.l10n.t,
    });
  const journalIn = (folder: string) =>
    createWriteAheadFiles({ folder: join(folder, 'memory'), activationId });
  const archive = archiveIn(storage);
  const memory = createMemory({
    store: createMementoStore(context.workspaceState),
    journal: storage === undefined ? undefined : journalIn(storage),
    clock: Date.now,
    ids: randomUUID,
    settings: memoryLimits,
    log,
    activationId,
    archive: async (conversation) => {
      const archiveId = await archive.put(conversation, { kind: 'ended' });
      if (archiveId === undefined) return;
      const { id, turns, lastActive } = conversation;
      const endedAt = lastActive + memoryLimits().timeoutSeconds * 1000;
      threads.noteEnded(id, { turns: turns.length, endedAt, archiveId });
    },
    onProblem: (problem) => reportMemoryProblem(problem, () => memory),
  });
  // Recovers what a crash left, and shows this window to others on the same folder; nobody has to wait for it.
  void memory.load().catch((error: unknown) => log.error('memory could not be loaded', error));
  const ledger = createLedger({
    store:
      storage === undefined
        ? createRecentRecords()
        : createLedgerFiles({ folder: join(storage, 'ledger'), activationId }),
    clock: Date.now,
    log,
  });
  const summaries = { limits: memoryLimits, modelId: cheapModelId };
  const assistant = createAssistant({ memory, clock: Date.now, ids: randomUUID, log, ledger, summaries });
  const threads = createThreads({
    memory,
    scope: () => readSettings().conversationScope,
    activation: { id: activationId, startedAt },
    ids: randomUUID,
    park: async (conversation, [first]) => {
      if (first) await archive.put(conversation, { kind: 'branch', firstCut: first.id });
    },
  });
  /** The conversation that a command means. */
  const currentConversation = () => memory.forConversation(threads.current());
  const longAnswers = new RecentTexts(3);
  const changes = storage === undefined ? undefined : createArchiveFiles(join(storage, 'changes'));
  const tools = createTools({
    secretFiles: () => readSettings().secretFiles,
    nextId: randomUUID,
    changes,
    log,
  });

  const provider = registerModelProvider({
    connect: () => connect(readSettings()),
    builtInModels,
    defaultModel: () => readSettings().model,
    askForKey: apiKey.set,
  });

  const ledgerDocuments = createLedgerDocuments({ ledger, nameOfModel: provider.nameOfModel });
  const usagePanel = createUsagePanel({
    ledger,
    nameOfModel: provider.nameOfModel,
    extensionUri: context.extensionUri,
    log,
  });

  const secretFiles = createSecretFilesReader(() => readSettings().secretFiles);
  const traces = [ledger, ...(changes ? [changes] : [])];
  const switching = createSwitching({ memory, archive, traces, translate: vscode.l10n.t });
  const slashCommands = createSlashCommands({
    archive,
    refresh: () => memory.refresh(),
    limits: memoryLimits,
    nameOfModel: provider.nameOfModel,
    compact: createCompact({
      summaries,
      readSettings,
      connect,
      nameOfModel: provider.nameOfModel,
      ledger,
    }),
  });
  const secrets = async () => [await apiKey.read()].filter((key) => key !== undefined);
  const archivePreview = createArchivePreview({
    read: (id) => archive.get(id),
    render: ({ conversation }) =>
      toMarkdown(conversation, {
        withValues: false,
        secrets: [],
        nameOfModel: provider.nameOfModel,
        formatTime,
        translate: vscode.l10n.t,
      }),
  });
  const archiveCommands = createArchiveCommands({
    memory,
    archive,
    switching,
    preview: archivePreview,
    ledger,
    conversation: (id) => (id === undefined ? currentConversation() : memory.forConversation(id)),
    log,
  });
  const memoryView = registerMemoryView({ memory, archive, limits: memoryLimits });

  context.subscriptions.push(
    log,
    tools,
    provider,
    ledgerDocuments,
    usagePanel,
    memory.onDidChange((change) => {
      if (change.kind === 'left') ledger.left(change);
    }),
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
      onAnswered: createMovedFolderOffer({
        storage,
        archive,
        estateIn: (folder) => ({ archive: archiveIn(folder), journal: journalIn(folder) }),
        log,
      }),
      log,
      iconFolder: vscode.Uri.joinPath(context.extensionUri, 'media'),
    }),
    memoryView,
    registerMemoryActions({ memory, archive, view: memoryView, preview: archivePreview }),
    registerMemoryFiles(memory),
    registerStatusBar(memory, memoryLimits),
    archivePreview,
    command('startFresh', tellingErrors(log, archiveCommands.startFresh)),
    command('continueEnded', tellingErrors(log, archiveCommands.continueEnded)),
    command('resumeConversation', tellingErrors(log, archiveCommands.resumeConversation)),
    command('deleteAllConversations', tellingErrors(log, archiveCommands.deleteAllConversations)),
    command(
      'exportConversation',
      tellingErrors(log, (choice?: ExportChoice) =>
        exportConversation({ memory, archive, nameOfModel: provider.nameOfModel, secrets }, choice),
      ),
    ),
    command(
      'importConversation',
      tellingErrors(log, (from?: vscode.Uri) =>
        importConversation({ memory, archive, switching, conversation: currentConversation }, from),
      ),
    ),
    command('showMenu', () => showMenu(memoryLimits())),
    command('ask', openChat),
    command('setApiKey', apiKey.set),
    command('removeApiKey', apiKey.remove),
    command('clearConversation', () => clearConversation(currentConversation())),
    command('undoClear', () => slashCommands.undoClear()),
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
