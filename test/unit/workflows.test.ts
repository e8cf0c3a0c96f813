import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../support/projectPaths';

/** That they are YAML is seen by `npm run check`, which formats them. */
describe('the workflows', () => {
  const folder = join(projectRoot, '.github/workflows');
  const texts = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'));

  it('run only scripts that there are', () => {
    const { scripts } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8'));
    const run = texts.flatMap((text) =>
      [...text.matchAll(/^.*\brun:.*?\bnpm (?:run )?(\S+)$/gm)].map(([, script]) => script ?? ''),
    );
    assert.deepEqual([...new Set(run)].toSorted(), ['package', 'start', 'test', 'test:desktop']);
    assert.deepEqual(
      run.filter((script) => !(script in scripts)),
      [],
    );
  });

  it('name a version of every action, and what they may do', () => {
    for (const text of texts) {
      const unpinned = [...text.matchAll(/uses: (.*)$/gm)].filter(
        ([, action]) => !/@v\d+$/.test(action ?? ''),
      );
      assert.deepEqual(unpinned, []);
      assert.match(text, /^permissions:/m);
    }
  });
});
