import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readBundle } from '../bench/footprint';
import { projectRoot } from '../support/projectPaths';
import { asInstalled, packVsix } from '../support/vsix';

describe('the bundle', () => {
  it('runs nothing of the SDK before the first message, and stays small', async () => {
    const { bundleBytes, atActivation, withFirstMessage } = await readBundle();
    assert.deepEqual(
      Object.keys(atActivation).filter((part) => !part.startsWith('src/')),
      ['@vscode/l10n', '@cfworker/json-schema', 'diff'],
    );
    assert.ok(Object.keys(withFirstMessage).includes('@anthropic-ai/sdk'));
    assert.ok(bundleBytes < 1024 * 1024, `${bundleBytes} bytes`);
  });

  it('is packed into at most 500,000 bytes, with all languages and pictures', () => {
    const { bytes } = packVsix();
    assert.ok(bytes <= 500_000, `${bytes} bytes`);
  });

  it('has a README in which nothing leads to a file that is not packed', () => {
    const readme = asInstalled(readFileSync(join(projectRoot, 'README.md'), 'utf8'));
    const aims = [...readme.matchAll(/\]\(([^)]*)\)|(?:src|href)="([^"]*)"/g)].map(
      ([, one, other]) => one ?? other ?? '',
    );
    assert.deepEqual(
      aims.filter((aim) => !/^(https:|command:|#)/.test(aim)),
      [],
    );
    assert.match(readme, /^SECURITY\.md says what is promised/m);
  });
});
