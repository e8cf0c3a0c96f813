import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeError } from '../../../../src/core/agent/describeEnd';
import { removedSummaryNotice } from '../../../../src/core/conversation/threads/removedSummary';
import { threadNotice } from '../../../../src/core/conversation/threads/threadNotices';
import { ModelError } from '../../../../src/core/errors';
import { fileSize } from '../../../../src/core/text/figures';
import { noteSource } from '../../../../src/core/tools/confirmation';
import { inLanguage } from '../../../support/inLanguage';
import { projectRoot } from '../../../support/projectPaths';

function say(language: string, words: () => string | undefined): string | undefined {
  const file = join(projectRoot, `l10n/bundle.l10n.${language}.json`);
  return inLanguage(JSON.parse(readFileSync(file, 'utf8')), words);
}

describe('what is put together for people', () => {
  it('P8: has the commas of its language in a list', () => {
    const source = () => noteSource(['a.ts', 'b.ts', 'c.ts'], String);
    assert.equal(source(), 'Proposed by Claude after reading a.ts, b.ts, c.ts.');
    assert.equal(say('ja', source), 'a.ts、b.ts、c.ts を読み取った後の Claude による提案です。');
    assert.equal(say('zh-cn', source), '由 Claude 在读取 a.ts、b.ts、c.ts 后提出。');
  });

  it('P8: has no space between sentences where the language has none', () => {
    const notice = () => removedSummaryNotice({ back: 2, lost: 1 });
    assert.match(notice(), /so it is gone\. The 2 other turns/);
    assert.match(
      say('ja', notice) ?? '',
      /削除しました。要約に.+記憶しています。要約に.+できませんでした。$/,
    );
    assert.match(say('zh-cn', notice) ?? '', /^摘要中.+该摘要。其中的.+记住。其中有.+未能保留。$/);
  });

  it('P8: says how long ago something was as the language declines it', () => {
    const days = 3 * 24 * 60 * 60_000;
    const ended = { turns: 6, endedAt: 0, archiveId: 'x' };
    const notice = () => threadNotice({ thread: 't', ended }, days)?.text;
    assert.equal(notice(), 'An older conversation of 6 turns ended 3 days ago.');
    assert.equal(say('de', notice), 'Eine ältere Unterhaltung (6 Durchläufe) endete vor 3 Tagen.');
    assert.equal(say('ja', notice), '以前の会話 (6 ターン) は 3 日前に終了しました。');
  });

  it('P8: has no space between a Japanese or Chinese unit and what follows', () => {
    const limit = () =>
      describeError(new ModelError('rate-limited', 'slow down', { retryAfterMs: 40_000 })).text;
    assert.match(say('ja', limit) ?? '', /40 秒後にもう一度お試しください。$/);
    assert.match(say('zh-cn', limit) ?? '', /请在 40 秒后重试。$/);
  });

  it('P8: says sizes in the units of the language', () => {
    assert.equal(
      say('fr', () => fileSize(1536)),
      '1,5\u00a0Ko',
    );
    assert.equal(fileSize(3 * 1024 ** 2), '3.0 MB');
  });
});
