import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../support/projectPaths';

const read = (name: string): string => readFileSync(join(projectRoot, name), 'utf8');

describe('the manifest', () => {
  const text = read('package.json');
  const manifest = JSON.parse(text);
  const words: Record<string, string> = JSON.parse(read('package.nls.json'));

  it('P8: has words for every place that asks for some, and no others', () => {
    const asked = [...text.matchAll(/"%([\w.]+)%"/g)].map(([, name]) => String(name)).toSorted();
    assert.deepEqual(Object.keys(words).toSorted(), [...new Set(asked)]);
    assert.ok(Object.values(words).every((word) => word.trim() !== ''));
  });

  it('P8: has no words of its own, in the places that people read', () => {
    const { displayName, description, capabilities, contributes } = manifest;
    const own = wordsIn({ displayName, description, capabilities, contributes });
    assert.deepEqual([...new Set(own)].toSorted(), ['Assistant', 'Claude Assistant']);
  });

  it('P8: describes each tool to people: else VS Code shows them what Claude is told, in English', () => {
    const tools: readonly Readonly<Record<string, unknown>>[] = manifest.contributes.languageModelTools;
    assert.deepEqual(
      tools.filter(({ userDescription }) => !/^%.+%$/.test(String(userDescription))).map(({ name }) => name),
      [],
    );
  });

  it('P8: names each view in words that can be translated', () => {
    const views = Object.values<readonly Readonly<Record<string, string>>[]>(manifest.contributes.views);
    assert.deepEqual(
      views.flat().filter(({ name }) => !name?.startsWith('%')),
      [],
    );
  });

  it('names only files that are there', () => {
    const named = [...text.matchAll(/"(media\/[^"]+)"/g)].map(([, path]) => path ?? '');
    assert.deepEqual(
      named.filter((path) => !existsSync(join(projectRoot, path))),
      [],
    );
  });

  it('names only commands of its own that exist', () => {
    const declared = new Set(
      manifest.contributes.commands.map(({ command }: { command: string }) => command),
    );
    const used = [...(text + read('package.nls.json')).matchAll(/(?:ommand:|"command": ")(assistant\.\w+)/g)];
    assert.deepEqual(
      used.map(([, name]) => name).filter((name) => !declared.has(name)),
      [],
    );
  });

  it('is told in the README: every command of the palette, every setting, every slash command', () => {
    const readme = read('README.md');
    const { commands, menus, configuration, chatParticipants } = manifest.contributes;
    const hidden = new Set(menus.commandPalette.map(({ command }: { command: string }) => command));
    const told = [
      ...commands
        .filter(({ command }: { command: string }) => !hidden.has(command))
        .map(({ title }: { title: string }) => `**${words[title.replaceAll('%', '')]}**`),
      ...configuration.flatMap(({ properties }: { properties: object }) =>
        Object.keys(properties).map((name) => `\`${name}\``),
      ),
      ...chatParticipants[0].commands.map(({ name }: { name: string }) => `\`@assistant /${name}`),
    ];
    assert.deepEqual(
      told.filter((name) => !readme.includes(name)),
      [],
    );
  });

  it('A2, A28: says of every setting who may decide it; a workspace decides nothing before it is trusted', () => {
    const declared: [string, { scope?: string }][] = manifest.contributes.configuration.flatMap(
      ({ properties }: { properties: object }) => Object.entries(properties),
    );
    const settableByWorkspaces = declared
      .filter(([, { scope }]) => scope !== 'machine')
      .map(([name]) => name);
    assert.deepEqual(
      {
        person: declared
          .map(([name]) => name)
          .filter((name) => !settableByWorkspaces.includes(name))
          .toSorted(),
        trustedWorkspace: settableByWorkspaces.toSorted(),
      },
      whoDecides,
      'decide who may set a new setting, and say so here',
    );
    assert.deepEqual(
      manifest.capabilities.untrustedWorkspaces.restrictedConfigurations.toSorted(),
      whoDecides.trustedWorkspace,
    );
  });

  it('has a version that the changelog tells of, and an icon as large as the Marketplace wants it', () => {
    const [, newest] = /^## \[(\d.*?)\]/m.exec(read('CHANGELOG.md')) ?? [];
    assert.equal(manifest.version, newest);
    assert.equal(JSON.parse(read('package-lock.json')).version, newest);
    const icon = readFileSync(join(projectRoot, manifest.icon));
    assert.equal(icon.toString('latin1', 1, 4), 'PNG');
    assert.ok(Math.min(icon.readUInt32BE(16), icon.readUInt32BE(20)) >= 128);
  });

  it('§7: has the commands that people rely on, by these ids and titles, all of them in the palette', () => {
    const { commands, menus } = manifest.contributes;
    const hidden = new Set(menus.commandPalette.map(({ command }: { command: string }) => command));
    const titles = commands.flatMap(({ command, title, category }: Record<string, string>) =>
      hidden.has(command) ? [] : [[command, `${category}: ${words[String(title).replaceAll('%', '')]}`]],
    );
    const found = Object.fromEntries(titles);
    assert.deepEqual(
      Object.fromEntries(Object.keys(promised).map((id) => [`assistant.${id}`, found[`assistant.${id}`]])),
      Object.fromEntries(
        Object.entries(promised).map(([id, title]) => [`assistant.${id}`, `Assistant: ${title}`]),
      ),
    );
  });

  it('has the identity that people and other extensions rely on', () => {
    const [participant] = manifest.contributes.chatParticipants;
    const [provider] = manifest.contributes.languageModelChatProviders;
    assert.deepEqual(
      [
        manifest.publisher,
        manifest.name,
        participant.id,
        participant.name,
        participant.isSticky,
        provider.vendor,
      ],
      [
        'claude-assistant',
        'claude-assistant',
        'claude-assistant.assistant',
        'assistant',
        true,
        'claude-assistant',
      ],
    );
    assert.equal(manifest.engines.vscode, '^1.110.0');
  });
});

/** What stands below names that VS Code shows the value of, without `%…%`. Schemas of tools are for Claude. */
function wordsIn(value: unknown, name = ''): readonly string[] {
  if (typeof value === 'string') {
    const isShown =
      /^(category|altText|contents|tooltip|.*(labels?|message|title|descriptions?|displayName|fullName))$/i;
    return isShown.test(name) && name !== 'modelDescription' && !value.startsWith('%') ? [value] : [];
  }
  if (Array.isArray(value)) return value.flatMap((item) => wordsIn(item, name));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => (key === 'inputSchema' ? [] : wordsIn(inner, key)));
}

const promised = {
  clearConversation: 'Clear Conversation',
  setTurnLimit: 'Set Turn Limit…',
  setConversationTimeout: 'Set Conversation Timeout…',
  setApiKey: 'Set API Key…',
  removeApiKey: 'Remove API Key',
  ask: 'Ask Assistant',
  startFresh: 'Start Fresh Conversation',
  resumeConversation: 'Resume Conversation…',
  exportConversation: 'Export Conversation…',
  importConversation: 'Import Conversation…',
  deleteAllConversations: 'Delete All Conversations…',
  showMemory: 'Show Memory',
  showUsage: 'Show Usage',
  showLog: 'Show Log',
  askAboutImage: 'Ask About Image…',
  setPermissionMode: 'Set Permission Mode…',
  reviewChanges: 'Review Changes',
  keepAllChanges: 'Keep All Changes',
  undoAllChanges: 'Undo All Changes',
  showPlan: 'Show Plan',
};

/** Only `machine` scope resists a workspace; what a trusted one may set neither speaks to Claude nor loosens anything. */
const whoDecides = {
  person: [
    'assistant.baseUrl',
    'assistant.headers',
    'assistant.instructions',
    'assistant.permissionMode',
    'assistant.permissions',
    'assistant.secretFiles',
    'assistant.tools.disabled',
    'assistant.tools.external',
    'assistant.web',
    'assistant.webDomains',
  ],
  trustedWorkspace: [
    'assistant.archiveSize',
    'assistant.budget.day',
    'assistant.budget.turn',
    'assistant.conversationScope',
    'assistant.conversationTimeout',
    'assistant.effort',
    'assistant.eviction',
    'assistant.explore.model',
    'assistant.historyTokenBudget',
    'assistant.maxOutputTokens',
    'assistant.maxRounds',
    'assistant.maxTurns',
    'assistant.model',
    'assistant.recall',
    'assistant.requestTimeout',
    'assistant.whenFull',
  ],
};
