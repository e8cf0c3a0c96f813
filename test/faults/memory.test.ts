import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Message } from '../../src/core/messages';
import { png } from '../support/claude/sampleImages';
import { gate, reply, text, toolUse } from '../support/claude/script';
import { seededRandom } from '../support/random';
import { ConfirmationCard } from '../support/window/confirmationCard';
import type { DrivenWindow } from '../support/window/lastingVsCode';
import { historyOf, resultsOf } from '../support/window/sentMessages';
import { readState } from '../support/window/storedState';
import { withLastingVsCode } from '../support/window/withWindow';

const key = 'assistant.memory';

interface StoredTurns {
  readonly conversations: Readonly<
    Record<string, { readonly turns: readonly { readonly messages: Message[] }[] }>
  >;
}

/** What is kept in the real `workspaceState`, and what becomes of it under load and under a kill. */
describe('bounds and losses of the memory, with the real workspaceState', () => {
  const { standIn, vscode } = withLastingVsCode({ settings: { 'assistant.maxTurns': 3 } });
  let window: DrivenWindow;
  let count = 0;

  before(async () => {
    window = await vscode.openWindow();
  });

  /** A turn with so many rounds of reading; gives the questions that its first request remembered. */
  async function turn(rounds: number, path = 'README.md'): Promise<readonly string[]> {
    const number = ++count;
    standIn.reset();
    const read = Array.from({ length: rounds }, () => reply(toolUse('read_file', { path })));
    standIn.script(...read, reply(text(`Answer ${number}.`)));
    await window.host.chat(`Question ${number}?`);
    return historyOf(standIn.journal.messages[0]!).filter((line) => line.startsWith('user: Question'));
  }

  /** The stored state once it says this. */
  async function stored(isWritten: (json: string) => boolean): Promise<string> {
    for (;;) {
      const json = JSON.stringify((await readState(window.page)) ?? {});
      if (isWritten(json)) return json;
    }
  }
  const turnsIn = (json: string) =>
    (JSON.parse(json) as Record<string, StoredTurns>)[key]!.conversations['workspace']!.turns;
  const asked = (...numbers: readonly number[]) => numbers.map((number) => `user: Question ${number}?`);

  it('M3, F26: of three times the cap in turns, exactly the last ones are sent and stored, whole', async () => {
    const random = seededRandom(20_261_116);
    for (let number = 1; number <= 9; number++) {
      const before = Array.from({ length: number - 1 }, (_, index) => index + 1);
      assert.deepEqual(await turn(Math.floor(random() * 3)), asked(...before.slice(-3)));
    }
    const turns = turnsIn(await stored((json) => json.includes('Answer 9.')));
    assert.deepEqual(
      turns.map(({ messages }) => messages[0]?.content),
      ['Question 7?', 'Question 8?', 'Question 9?'],
    );
    // A lowered cap holds at the next read, and what is stored shrinks with it.
    vscode.workplace.changeSettings({ 'assistant.maxTurns': 1 });
    while ((await turn(0)).length !== 1);
    const json = await stored(
      (now) => now.includes(`Answer ${count}.`) && !now.includes(`Answer ${count - 1}.`),
    );
    assert.equal(turnsIn(json).length, 1);
    vscode.workplace.changeSettings({});
  });

  it('M5: an image that a tool returned is stored as its placeholder, wherever it stood', async () => {
    writeFileSync(join(vscode.workplace.folder, 'photo.png'), png(40, 30));
    standIn.reset();
    standIn.script(
      reply(toolUse('read_file', { path: 'photo.png' })),
      reply(text('A grey photo.')),
      reply(text('Grey.')),
    );
    await window.host.chat('What is on photo.png?');
    assert.match(standIn.journal.messages[1]!.bodyText, /"type":"image","source":\{"type":"base64"/);
    const json = await stored((now) => now.includes('A grey photo.'));
    assert.match(json, /\[Image sent: photo\]/);
    assert.doesNotMatch(json, /base64/);
    await window.host.chat('Which colour?');
    assert.match(standIn.journal.messages[2]!.bodyText, /\[Image sent: photo\]/);
    assert.doesNotMatch(standIn.journal.messages[2]!.bodyText, /"type":"image"/);
  });

  it('M23: 20 turns with 30,000 characters each stay below 256 KiB, shortened first, and can be sent', async () => {
    vscode.workplace.changeSettings({ 'assistant.maxTurns': 0, 'assistant.historyTokenBudget': 0 });
    const long = Array.from(
      { length: 700 },
      (_, line) => `line ${line} of a file that is long enough for anybody`,
    );
    writeFileSync(join(vscode.workplace.folder, 'long.txt'), long.join('\n'));
    const first = count + 1;
    for (let number = 0; number < 20; number++) await turn(1, 'long.txt');
    const json = await stored((now) => now.includes(`Answer ${count}.`));
    assert.ok(Buffer.byteLength(json) < 256 * 1024, `${Buffer.byteLength(json)} bytes`);
    assert.match(json, /shortened to keep memory small/);
    const remembered = await turn(0);
    assert.equal(remembered.at(-1), `user: Question ${count - 1}?`);
    assert.ok(
      remembered.length >= 10 && remembered.includes(`user: Question ${first + 15}?`),
      remembered.join(),
    );
    vscode.workplace.changeSettings({});
  });

  it('F23: killed after a tool wrote a file, the turn is found again with what was written', async () => {
    const path = join(vscode.workplace.folder, 'src/orders.ts');
    const hold = gate();
    standIn.reset();
    standIn.script(
      reply(
        toolUse(
          'edit_file',
          { path: 'src/orders.ts', edits: [{ old_text: 'const total =', new_text: 'const sum =' }] },
          { id: 'toolu_wrote' },
        ),
      ),
      reply(text('The name is ', hold, 'changed.')),
    );
    const answer = window.host.chat('Rename the total');
    answer.catch(() => undefined);
    const card = new ConfirmationCard(window.page);
    await card.asks('Edit src/orders.ts?');
    await card.allowOnce();
    await hold.reached;
    assert.match(readFileSync(path, 'utf8'), /const sum =/);
    await window.replaceHost(async () => {
      window.host.kill();
      await window.host.gone;
    });
    const history = await window.host.history();
    const own = history.slice(history.findIndex(({ content }) => content === 'Rename the total'));
    assert.equal(own.length, 4);
    assert.match(JSON.stringify(own[2]), /"tool_use_id":"toolu_wrote"[^]*Edited src\/orders\.ts/);
    assert.match(JSON.stringify(own[3]), /\[This turn was interrupted/);

    standIn.reset();
    standIn.script(reply(text('I had changed it.')));
    await window.host.chat('Did you?');
    const result = resultsOf(standIn.journal.messages[0]!).find(({ id }) => id === 'toolu_wrote');
    assert.equal(result?.isError, false);
    assert.match(readFileSync(path, 'utf8'), /const sum =/);
  });
});
