import assert from 'node:assert/strict';
import { isRipgrepGlob } from '../../../../src/vscode/tools/ripgrepArguments';

/** What ripgrep 15 says of them. */
describe('globs that ripgrep can read', () => {
  for (const glob of [
    '**/node_modules',
    '*.{ts,js}',
    'a{b,{c,d}}',
    '[ab].ts',
    '[!a-z]',
    '[]]',
    '[]-]',
    'a\\{',
    '',
  ]) {
    it(JSON.stringify(glob), () => assert.equal(isRipgrepGlob(glob), true));
  }
  for (const glob of ['{', 'a{b', '}', '{a}}', '[', '[]', '[!]', 'a[b', '[z-a]', 'a\\']) {
    it(`but not ${JSON.stringify(glob)}`, () => assert.equal(isRipgrepGlob(glob), false));
  }
});
