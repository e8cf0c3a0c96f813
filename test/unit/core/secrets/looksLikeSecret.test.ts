import assert from 'node:assert/strict';
import { looksLikeSecret } from '../../../../src/core/secrets/looksLikeSecret';
import { cpuTime } from '../../../support/cpuTime';

// In pieces, so that no scanner takes this file for one that holds secrets.
const joined = (...parts: readonly string[]) => parts.join('');

const secrets: readonly string[] = [
  joined('The key is sk-', 'ant-api03-AbCdEf0123456789AbCdEf'),
  joined('sk-', 'proj-9aZ8bY7cX6dW5eV4fU3g'),
  joined('stripe: sk_', 'live_51H8xYz0aBcDeFgHi'),
  joined('use gh', 'p_16C7e42F292c6912E7710c838347Ae178B4a'),
  joined('github', '_pat_11ABCDEFG0aBcDeFgHiJkL_mNoPqRsTuV'),
  joined('gl', 'pat-xYz12345AbCdEfGhIjKl'),
  joined('xo', 'xb-123456789012-abcdefghij'),
  joined('AK', 'IAIOSFODNN7EXAMPLE'),
  joined('wJalrXUtnFEMI/K7MDENG/', 'bPxRfiCYEXAMPLEKEY'),
  joined('AI', 'zaSyA1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p'),
  joined('-----BEGIN RSA ', 'PRIVATE KEY----- MIIEow'),
  joined('eyJ', 'hbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N'),
  'password=hunter2',
  'DB_PASSWORD="correcthorse"',
  'The password is hunter2!',
  'Passwort: Sommer2024',
  'Das Passwort lautet Sommer2024',
  'le mot de passe est Soleil2024',
  'la contraseña es Verano2024',
  '密码是 abc12345',
  'api key: 1234567890',
  'postgres://admin:s3cret@db.example.com/shop',
  'Authorization: Bearer 0a1b2c3d4e5f6a7b8c9d',
  'It is q7Zk2LmX9vB4nR8sT1wY5c.',
  'x9k2m4n7p1q8r3s6t5v0w2y4z7',
];

const harmless: readonly string[] = [
  'We use tabs, not spaces.',
  'The regression came with commit 4f2a9c1e8b7d6a5c4e3f2a1b0c9d8e7f6a5b4c3d.',
  'Its image is sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  'The tenant is 123e4567-e89b-12d3-a456-426614174000.',
  'See src/core/conversation/memory/sharedStateOptions.ts and test/unit/core/tools/changes2/judge.test.ts',
  'C:\\Users\\alice\\Documents\\Projects\\Shop2024\\node_modules\\left-pad',
  'https://github.com/microsoft/vscode/blob/main/src/vs/workbench/api/node/extHostTunnelService.ts',
  'Call getUserByIdAndOrganizationUnit2 before parseUtf8ToUtf16LeBuffer.',
  'MAX_NUMBER_OF_CONCURRENT_REQUESTS_PER_CLIENT_V2',
  'Build for x86_64-unknown-linux-gnu and aarch64-apple-darwin with 1.110.0-insider.20240131',
  'The password is in the team vault, under "staging".',
  'Set password=${DB_PASSWORD}, or API_KEY=<your key>.',
  'The API key is in .env.local; token: see README.md',
  'Tokens: 4000 at most. The token is required.',
  'secret: never commit one',
  'isSecret = true',
  'Deadline is 2026-11-18T12:50:09.000Z, version 20261118125009',
  'テストは npm test で実行する。パスワードは金庫にある。',
  '密码在保险库里。',
  'com.example.shop.checkout.PaymentServiceImplementationFactory',
];

describe('what looks like a secret', () => {
  for (const text of secrets) {
    it(`M28, S7: finds the one in “${text.slice(0, 24)}…”`, () => assert.equal(looksLikeSecret(text), true));
  }
  for (const text of harmless) {
    it(`M28: finds none in “${text}”`, () => assert.equal(looksLikeSecret(text), false));
  }

  it('is quick on long texts', () => {
    for (const text of ['a1'.repeat(50_000), 'password '.repeat(10_000), 'eyJ.'.repeat(20_000)])
      assert.ok(cpuTime(() => looksLikeSecret(text)) < 1_000);
  });
});
