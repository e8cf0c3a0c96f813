import { randomUUID } from 'node:crypto';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { createConnection } from './claude/connection';
import { builtInModels, cheapModelId, detailsOf, priceOf, windowOf } from './claude/models';
import { createWeb } from './core/agent/askWeb';
import { createCachePace } from './core/agent/cachePace';
import { createForecast } from './core/agent/forecast';
import { createMeter } from './core/agent/meter';
import { createSpending } from './core/agent/spending';
import { createApi, type AssistantApi } from './core/api';
import { createAssistant } from './core/assistant';
import { createRecall } from './core/conversation/recall/recall';
import { retentionReport } from './core/conversation/reports/retentionReport';
import { newestAnswer, nextAfterReload } from './core/ledger/afterReload';
import { rememberedIn } from './core/ledger/conversationRecords';
import type { Model } from './core/ports';
import { credentialsOf } from './core/secrets/credentials';
import { budgetIn, canRecall, permissionsIn, webSettingsIn } from './core/settings';
import { createNotes } from './core/tools/notes/notes';
import { createSecretFilesReader } from './core/tools/paths/secretFiles';
import { createPlans } from './core/tools/plans/plans';
import { conversationsIn, createStorage, notesIn } from './storage/storage';
import { createApiKey } from './vscode/apiKey';
import { registerChanges } from './vscode/changes/changeCommands';
import { createImageFiles } from './vscode/chat/askAboutImage';
import { registerModelProvider } from './vscode/chat/modelProvider';
import { askAssistant, registerLocalChatNotice } from './vscode/chat/openChat';
import { registerParticipant } from './vscode/chat/participant';
import { openAnswer, RecentTexts } from './vscode/chat/showTurn';
import { createSlashCommands } from './vscode/chat/slashCommands';
import { createAsk } from './vscode/chat/turnRequest';
import { createRegisterCommand } from './vscode/commands';
import { createLog } from './vscode/log';
import { registerArchiveCommands } from './vscode/memory/archiveCommands';
import { createArchivePreview } from './vscode/memory/archivePreview';
import { clearConversation } from './vscode/memory/clearConversation';
import { createConversations } from './vscode/memory/conversations';
import { createLedgerDocuments, createShownLedger } from './vscode/memory/ledgerDocuments';
import { setLimit } from './vscode/memory/limitCommands';
import { createMarkdownPages } from './vscode/memory/markdownPages';
import { createMementoStore } from './vscode/memory/mementoStore';
import { registerMemoryActions } from './vscode/memory/memoryActions';
import { registerMemoryFiles } from './vscode/memory/memoryFiles';
import { registerMemoryView } from './vscode/memory/memoryView';
import { showMenu } from './vscode/memory/menu';
import { createMovedFolderOffer } from './vscode/memory/movedFolder';
import { eraseNotes, forgetNote, lastingNotes } from './vscode/memory/noteActions';
import { sharedStorage } from './vscode/memory/sharedStorage';
import { registerStatusBar } from './vscode/memory/statusBar';
import { createUsagePanel } from './vscode/memory/usagePanel';
import { setPermissionMode } from './vscode/permissionMode';
import { erasePlans, lastingPlans, registerPlanCommands } from './vscode/plans/planCommands';
import { createPlanFiles } from './vscode/plans/planFiles';
import { createSettingsReader } from './vscode/settings';
import { createPersonalFolder } from './vscode/tools/personalFolder';
import { createTools, resetToolApprovals } from './vscode/tools/tools';
import { wait } from './vscode/wait';

/** The wiring, top to bottom. */
export function activate(context: vscode.ExtensionContext): AssistantApi {
  if (vscode.l10n.bundle) l10n.config({ contents: vscode.l10n.bundle });
  const log = createLog();
  const command = createRegisterCommand(log);
  const readSettings = createSettingsReader(context.subscriptions);
  const apiKey = createApiKey(context.secrets, process.env);
  const connect = createConnection({ apiKey: apiKey.read, environment: process.env });

  const secrets = async () => [...(await apiKey.readAll()), ...credentialsOf(readSettings())];
  const folder = context.storageUri && sharedStorage(context.storageUri.fsPath);
  const storage = createStorage(folder);
  const conversations = createConversations({ context, storage, readSettings, secrets, log });
  const { memory, archive, ledger, threads, limits } = conversations;
  const summaries = { limits, modelId: cheapModelId };
  const forecast = createForecast(Date.now);
  const spending = createSpending({ store: storage.spending, priceOf, forecast, clock: Date.now, log });
  const today = async () => ({ spent: await spending.today(), limit: budgetIn(readSettings()).day });
  const forOthers = (model: Model) => spending.forOthers(model, budgetIn(readSettings()));
  const cachePace = createCachePace(Date.now);
  const meter = createMeter({
    forecast,
    priceOf,
    windowOf,
    systemTtl: () => cachePace.peekTtl(),
    clock: Date.now,
  });
  const plans = createPlans({ store: storage.plans, clock: Date.now });
  const planFiles = createPlanFiles({ plans, ready: conversations.loaded });
  const assistant = createAssistant({
    memory,
    clock: Date.now,
    ids: randomUUID,
    log,
    ledger,
    summaries,
    plans,
    spending,
    meter,
    cachePace,
  });
  const imageFiles = createImageFiles();
  const longAnswers = new RecentTexts(3);
  const secretFiles = createSecretFilesReader(() => readSettings().secretFiles);
  const notes = createNotes({ store: storage.notes, clock: Date.now, log });
  const lasting = [lastingNotes(notes), lastingPlans(plans)];
  const web = createWeb({
    settings: () => webSettingsIn(readSettings()),
    connect: () => forOthers(connect(readSettings())),
    wait,
    random: Math.random,
    log,
  });
  const tools = createTools({
    secretFiles,
    permissions: () => permissionsIn(readSettings()),
    nextId: randomUUID,
    changes: storage.changes,
    recall: { memory: createRecall(memory), isOn: () => canRecall(readSettings()) },
    notes,
    web,
    personalFolder: createPersonalFolder(process.env),
    store: createMementoStore(context.workspaceState),
    log,
  });

  const provider = registerModelProvider({
    connect: () => connect(readSettings()),
    guard: forOthers,
    builtInModels,
    detailsOf,
    defaultModel: () => readSettings().model,
    askForKey: apiKey.set,
    log,
  });

  const { nameOfModel } = provider;
  const shownLedger = createShownLedger(conversations);
  const ledgerDocuments = createLedgerDocuments({ ledger: shownLedger, nameOfModel });
  const usagePanel = createUsagePanel({
    ledger: shownLedger,
    current: () => rememberedIn(threads.current(), conversations.current().snapshot()),
    today,
    nameOfModel,
    extensionUri: context.extensionUri,
    log,
  });
  const retentionPage = createMarkdownPages(
    'assistant-kept',
    async () => `# ${l10n.t('What Is Kept')}\n\n${retentionReport()}`,
  );
  const archivePreview = createArchivePreview({ archive, nameOfModel });
  const memoryView = registerMemoryView({ ...conversations, notes, plans, nameOfModel });
  const slashCommands = createSlashCommands({
    archive,
    ledger,
    memory,
    notes,
    plans,
    guidance: tools.guidance,
    summaries,
    spending,
    connect,
    nameOfModel,
    log,
  });

  context.subscriptions.push(
    log,
    tools,
    imageFiles,
    { dispose: () => storage.close() },
    provider,
    ledgerDocuments,
    usagePanel,
    conversations,
    registerParticipant({
      assistant,
      conversation: (id) => memory.forConversation(id),
      threads,
      notes,
      tools,
      plans,
      planFiles,
      slashCommands,
      readSettings,
      connect: (settings) => {
        provider.refresh();
        return connect(settings);
      },
      pickedModel: provider.pickedModel,
      nameOfModel,
      imageFiles,
      isSecret: (path) => secretFiles().has(path),
      longAnswers,
      onAnswered: createMovedFolderOffer({
        storage: folder,
        memory,
        archive,
        conversationsIn,
        notes,
        notesIn,
        log,
      }),
      log,
      iconFolder: vscode.Uri.joinPath(context.extensionUri, 'media'),
    }),
    registerChanges({ changes: tools.changes, ready: conversations.loaded, log }),
    // Another window may have judged; a turn has a name once it is remembered, and none when it was forgotten.
    storage.watch(() => {
      tools.changes.refresh();
      notes.refresh();
      plans.refresh();
    }),
    planFiles,
    registerPlanCommands({
      plans,
      files: planFiles,
      // Where each chat has a conversation of its own, a new chat is fresh by itself.
      leave: async () =>
        readSettings().conversationScope === 'thread' ||
        (await vscode.commands.executeCommand('assistant.startFresh')) === true,
      log,
    }),
    memoryView,
    registerMemoryActions({
      log,
      memory,
      archive,
      view: memoryView,
      preview: archivePreview,
      notes,
      plans,
      planFiles,
    }),
    registerMemoryFiles(memory),
    registerStatusBar(conversations, {
      mode: () => readSettings().permissionMode,
      meter,
      afterReload: async (historyTokens) => {
        const answer = newestAnswer(await ledger.records());
        return answer && nextAfterReload(answer, historyTokens, { priceOf, windowOf });
      },
      today,
      nameOfModel,
    }),
    archivePreview,
    registerArchiveCommands({
      ...conversations,
      preview: archivePreview,
      plans,
      lasting,
      nameOfModel,
      secrets,
      log,
    }),
    command('showMenu', () => showMenu(limits(), readSettings().permissionMode)),
    registerLocalChatNotice(context.globalState),
    command('ask', askAssistant),
    command('askAboutImage', imageFiles.ask),
    command('setApiKey', apiKey.set),
    command('removeApiKey', apiKey.remove),
    command('clearConversation', () =>
      clearConversation(conversations.current(), lasting, () => memory.hasDamaged()),
    ),
    command('undoNote', (id: number) => forgetNote(notes, id)),
    command('eraseNotes', () => eraseNotes(notes)),
    command('erasePlans', () => erasePlans(plans)),
    command('undoSlashCommand', (key: string) => slashCommands.undo(key)),
    command('resetToolApprovals', () => resetToolApprovals(tools)),
    command('setPermissionMode', () => setPermissionMode(readSettings().permissionMode)),
    command('setTurnLimit', () => setLimit('maxTurns', readSettings)),
    command('setConversationTimeout', () => setLimit('conversationTimeout', readSettings)),
    command('showUsage', () => usagePanel.show()),
    command('showLedger', (turnId?: string) => ledgerDocuments.show(turnId)),
    retentionPage,
    command('showRetention', () => retentionPage.show('kept', l10n.t('What Is Kept'))),
    command('showLog', () => log.show()),
    command('openAnswer', (turnId: string) => openAnswer(longAnswers, turnId)),
  );

  return createApi({
    memory,
    defaultConversation: () => threads.current(),
    clock: Date.now,
    ids: randomUUID,
    ask: createAsk({
      assistant,
      readSettings,
      connect,
      tools,
      notes,
      conversationId: () => threads.current(),
      log,
    }),
  });
}
