import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../support/projectPaths';
import { toolContributions } from '../support/toolContributions';

const read = (name: string): unknown => JSON.parse(readFileSync(join(projectRoot, name), 'utf8'));

describe('the tools that package.json contributes', () => {
  it('are those of the toolset, with the same descriptions and schemas', () => {
    const manifest = read('package.json') as { contributes: { languageModelTools?: { name: string }[] } };
    const { contributions } = toolContributions();
    const ours = new Set(contributions.map(({ name }) => name));
    const declared = manifest.contributes.languageModelTools ?? [];
    assert.deepEqual(
      declared.filter(({ name }) => ours.has(name)),
      contributions,
    );
  });

  it('have names that people can read', () => {
    const strings = read('package.nls.json') as Record<string, string>;
    const { names } = toolContributions();
    assert.deepEqual(Object.fromEntries(Object.keys(names).map((key) => [key, strings[key]])), names);
  });
});
