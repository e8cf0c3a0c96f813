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
