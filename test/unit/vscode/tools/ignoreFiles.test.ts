import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { rebased, withIgnoreFiles } from '../../../../src/vscode/tools/ignoreFiles';
import { testFolder } from '../../../support/testFolder';

describe('an ignore file further down', () => {
  it('§5: says the same at the root of the workspace', () => {
    const text = '\uFEFF# built\r\ndist/\r\n/build\n\nios/Pods\n!keep.log\n!/src/\n**/gen\n\\#odd\n';
    assert.deepEqual(rebased(text, 'apps/we[b]').split('\n'), [
      '/apps/we\\[b\\]/**/dist/',
      '/apps/we\\[b\\]/build',
      '/apps/we\\[b\\]/ios/Pods',
      '!/apps/we\\[b\\]/**/keep.log',
      '!/apps/we\\[b\\]/src/',
      '/apps/we\\[b\\]/**/gen',
      '/apps/we\\[b\\]/**/\\#odd',
    ]);
  });

  it('§5: leaves out nothing for a slash alone, as git does', () => {
    assert.equal(rebased('/\n/ \n!/\n*.log\n', 'web'), '/web/**/*.log');
  });
});

describe('ignore files above the start of a search', () => {
  const root = testFolder('ignore-files');
  const place = { folder: { name: 'app', root }, path: 'web/src' };
  before(() => {
    mkdirSync(join(root, 'web'));
    writeFileSync(join(root, '.gitignore'), '*.log\n');
    writeFileSync(join(root, 'web/.gitignore'), '/dist\n');
    writeFileSync(join(root, '.ignore'), '\uFEFF!kept.log\n');
  });
  const handedOver = () => withIgnoreFiles(place, async (files) => files);

  it('§5: are handed over as one file, which is gone when the search has ended', async () => {
    const [file = '', ...rest] = await withIgnoreFiles(place, async (files) => [
      ...files,
      ...files.map((one) => readFileSync(one, 'utf8')),
    ]);
    assert.deepEqual(rest, ['*.log\n\n/web/dist\n!kept.log\n']);
    assert.equal(existsSync(file), false);
  });

  it('F27: are those of the folder itself where nothing can be written', async () => {
    const { TMPDIR, TEMP, TMP } = process.env;
    Object.assign(
      process.env,
      Object.fromEntries(['TMPDIR', 'TEMP', 'TMP'].map((name) => [name, '/nowhere'])),
    );
    try {
      assert.deepEqual(await handedOver(), ['./.gitignore', './.ignore']);
    } finally {
      for (const [name, value] of Object.entries({ TMPDIR, TEMP, TMP }))
        if (value === undefined) delete process.env[name];
        else process.env[name] = value;
    }
  });
});
