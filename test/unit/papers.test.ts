import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { projectRoot } from '../support/projectPaths';

/** That every command of the palette and every setting is in the README is seen by `manifest.test.ts`. */
describe('the papers', () => {
  const papers = [
    'README.md',
    'CONTRIBUTING.md',
    'SECURITY.md',
    'src/ARCHITECTURE.md',
    'test/bench/RESULTS.md',
  ].map((path) => ({ path, text: readFileSync(join(projectRoot, path), 'utf8') }));

  it('lead only to files that are there', () => {
    const dead = papers.flatMap(({ path, text }) =>
      [...text.matchAll(/\]\((?!https?:|#)([^)#]+)/g)]
        .map(([, target]) => join(dirname(path), target ?? ''))
        .filter((target) => !existsSync(join(projectRoot, target))),
    );
    assert.deepEqual(dead, []);
  });

  it('name only source files that are there', () => {
    const files = readdirSync(join(projectRoot, 'src'), { recursive: true, encoding: 'utf8' })
      .concat(readdirSync(join(projectRoot, 'test'), { recursive: true, encoding: 'utf8' }))
      .map((path) => `/${path.replaceAll('\\', '/')}`);
    const named = papers.flatMap(({ text }) => [...text.matchAll(/`([\w./]+\.(?:ts|mjs))`/g)]);
    const missing = named
      .map(([, name]) => name ?? '')
      .filter((name) => !existsSync(join(projectRoot, name)))
      .filter((name) => !files.some((path) => path.endsWith(`/${name}`)));
    assert.ok(named.length > 50);
    assert.deepEqual([...new Set(missing)], []);
  });

  it('name only scripts that there are', () => {
    const { scripts } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8'));
    const unknown = papers.flatMap(({ text }) =>
      [...text.matchAll(/\bnpm run ([\w:]+)/g)]
        .map(([, name]) => name ?? '')
        .filter((name) => !(name in scripts)),
    );
    assert.deepEqual(unknown, []);
  });
});
