import assert from 'node:assert/strict';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { wellFormed } from '../../src/core/text/json';
import {
  apiError,
  cutToolUse,
  drop,
  endEarly,
  event,
  foreignBlock,
  garbage,
  htmlPage,
  redirect,
  refusal,
  reply,
  type Scripted,
  stall,
  stop,
  streamError,
  text,
  thinking,
  toolUse,
} from '../support/claude/script';
import { startElsewhere } from '../support/elsewhere';
import { ConfirmationCard } from '../support/window/confirmationCard';
import { historyOf, resultsOf } from '../support/window/sentMessages';
import { withWindow } from '../support/window/withWindow';

/** The faults that test/unit/claude/faults.test.ts shows in core, once more through the packed extension and the panel. */
describe('faults on the wire, in the panel', () => {
  const { standIn, window } = withWindow({ settings: { 'assistant.requestTimeout': 5 } });

  /** Whatever happened: the next request is accepted, and the chat goes on. */
  afterEach(async () => {
    assert.equal(standIn.remaining, 0, 'the whole script was played');
    standIn.script(reply(text('Still here.')));
    assert.equal(await window.panel.ask('still there?'), 'Still here.');
    assert.deepEqual(standIn.journal.refused, []);
  });

  const file = (path: string): string => join(window.folder, path);
  const sent = (number: number): string => standIn.journal.messages[number]!.bodyText;

  async function answerTo(...replies: readonly Scripted[]): Promise<string> {
    standIn.script(...replies);
    return window.panel.ask('go on');
  }

  it('F3: stopped after two of three calls, all three have a result, in order', async () => {
    const { panel } = window;
    const card = new ConfirmationCard(window.page);
    const edits = [{ old_text: 'discounted', new_text: 'reduced', replace_all: true }];
    standIn.script(
      reply(
        toolUse('list_directory', {}, { id: 'toolu_a' }),
        toolUse('find_files', { pattern: '*.ts' }, { id: 'toolu_b' }),
        toolUse('edit_file', { path: 'src/orders.ts', edits }, { id: 'toolu_c' }),
      ),
    );
    await panel.send('do three things');
    await card.asks('Edit src/orders.ts?');
    await panel.stop();
    await panel.finished();
    standIn.script(reply(text('Stopped.')));
    await panel.ask('what was done?');
    assert.deepEqual(
      resultsOf(standIn.journal.messages[1]!).map(({ id, isError }) => [id, isError]),
      [
        ['toolu_a', false],
        ['toolu_b', false],
        ['toolu_c', true],
      ],
    );
  });

  it('F4: an answer that ends without its end is asked for again, and shown once', async () => {
    const shown = await answerTo(reply(text('One, '), endEarly()), reply(text('One, two.')));
    // What goes on after the line that said so is a part of its own.
    assert.equal(inOneLine(shown), 'One, two.');
  });

  it('F5: a connection that breaks in the middle of a call runs nothing and asks again', async () => {
    const half = cutToolUse('create_file', '{"path": "half.txt", "content": "x');
    assert.match(
      await answerTo(reply(half, drop()), reply(text('Nothing was written.'))),
      /Nothing was written/,
    );
    assert.equal(existsSync(file('half.txt')), false);
  });

  it('F6: a stream that falls silent ends with a sentence and a Retry', async () => {
    const shown = await answerTo(reply(text('One'), stall()), reply(text('One'), stall()));
    assert.match(shown, /Claude sent nothing for too long\. Try again\./);
    await window.panel.followUp('Retry').waitFor();
    await window.screenshot('fault-stalled');
  });

  it('F7: a call whose input was cut off is not run, and Claude is told', async () => {
    const cut = reply(cutToolUse('create_file', '{"path": "cut.txt"'), stop('max_tokens'));
    assert.match(await answerTo(cut, reply(text('I will write less.'))), /I will write less\./);
    assert.match(sent(1), /Not run: the input was cut off/);
    assert.equal(existsSync(file('cut.txt')), false);
  });

  it('F9: a key that may not, and an account without credit, are said with a button; nothing is remembered', async () => {
    const forbidden = apiError(403, { message: 'Your key may not use this model.' });
    assert.match(await answerTo(forbidden), /not allowed to do this: Your key may not use this model/);
    await window.panel.button('Set API Key').waitFor();
    const broke = apiError(400, { message: 'Your credit balance is too low to access the API.' });
    assert.match(await answerTo(broke), /no credit left/);
    await answerTo(reply(text('Paid.')));
    const [first, , last] = standIn.journal.messages.map(historyOf);
    assert.deepEqual(last, first);
  });

  it('F10: a prompt that is too long loses its oldest turns, and says so', async () => {
    await answerTo(reply(text('Something to lose.')));
    const long = apiError(400, { message: 'prompt is too long: 1000001 tokens > 1000000 maximum' });
    const shown = await answerTo(long, reply(text('Shorter.')));
    assert.match(shown, /oldest remembered turns? (was|were) left out/);
    assert.ok(sent(2).length < sent(1).length);
  });

  it('F11: an error in mid-stream, garbage, kinds nobody knows, and a page of a proxy', async () => {
    const broken = await answerTo(
      reply(text('Half a sen'), streamError()),
      reply(text('Half a sentence and the rest.')),
    );
    await window.screenshot('fault-mid-stream');
    assert.equal(broken.replaceAll(/\s/g, ''), 'Halfasentenceandtherest.');
    const odd = [garbage(), event('weather', { type: 'weather' }), foreignBlock({ type: 'hologram' })];
    assert.match(await answerTo(reply(...odd, text('Fine.'))), /^Fine\.$/m);
    assert.match(await answerTo(htmlPage()), /Something other than Claude answered\./);
    await window.screenshot('fault-proxy');
  });

  it('F12: an empty answer, a blank one, a refusal and an unknown end are said, and nothing empty is kept', async () => {
    assert.match(await answerTo(reply()), /Claude sent an empty answer\./);
    assert.match(await answerTo(reply(text(' \n '))), /Claude sent an empty answer\./);
    assert.match(
      await answerTo(reply(text('Well'), refusal('Not this.'))),
      /declined to answer this: Not this\./,
    );
    assert.match(await answerTo(reply(text('So far.'), stop('sunset'))), /does not know \(sunset\)/);
  });

  it('F14: a file of 50 MB, a binary one and one with half characters come back short and well-formed', async () => {
    writeFileSync(file('huge.txt'), 'all work and no play\n'.repeat(2_500_000));
    writeFileSync(file('tool.bin'), new Uint8Array([0x7f, 0x45, 0, 1, 2, 3]));
    writeFileSync(file('half.txt'), Buffer.from('half \ud83d a\0b 😀', 'utf16le'));
    const uses = ['huge.txt', 'tool.bin', 'half.txt'].map((path) => toolUse('read_file', { path }));
    assert.match(await answerTo(reply(...uses), reply(text('Odd files.'))), /Odd files\./);
    const [huge, binary, half] = resultsOf(standIn.journal.messages[1]!).slice(-3);
    assert.match(huge!.text, /all work and no play/);
    assert.ok(huge!.text.length < 31_000, `${huge!.text.length} characters`);
    assert.match(huge!.text, /\[Lines 1–\d+ of a file of .*\]$/);
    assert.ok(binary!.text.length < 500 && /binary/i.test(binary!.text), binary!.text.slice(0, 500));
    assert.ok(half!.text === wellFormed(half!.text) && !half!.text.includes('\0'), half!.text);
  });

  it('X1: events that lost their form or their block are damage, and said so', async () => {
    const stray = event('content_block_delta', {
      ...{ type: 'content_block_delta', index: 3 },
      delta: { type: 'text_delta', text: 'from nowhere' },
    });
    const shown = await answerTo(reply(stray, text('Not to be trusted.')));
    assert.match(shown, /Something other than Claude answered\./);
    assert.doesNotMatch(shown, /from nowhere/);
  });

  it('X2: calls that share an id run once each, and each has its result', async () => {
    const call = (path: string) => toolUse('read_file', { path }, { id: 'call_0' });
    const shown = await answerTo(
      reply(thinking('Two.'), call('README.md'), call('package.json')),
      reply(call('src/orders.ts')),
      reply(text('Three files.')),
    );
    assert.match(shown, /Three files\./);
    const ids = resultsOf(standIn.journal.messages[2]!).map(({ id }) => id);
    assert.deepEqual(ids.slice(-3), ['call_0', 'call_0_2', 'call_0_3']);
  });

  it('X7: a redirect is not followed, and said', async () => {
    const elsewhere = await startElsewhere();
    const shown = await answerTo(redirect(`http://${elsewhere.address}/v1/messages`));
    elsewhere.close();
    assert.match(shown, /Something other than Claude answered\./);
    assert.deepEqual(elsewhere.visits, []);
  });

  it('X9: sixty calls in one answer have their results, and the window stays alive', async () => {
    const uses = Array.from({ length: 60 }, (_, number) =>
      toolUse('search_text', { pattern: `needle ${number}` }, { id: `toolu_many${number}` }),
    );
    assert.match(await answerTo(reply(...uses), reply(text('All searched.'))), /All searched\./);
    const results = resultsOf(standIn.journal.messages[1]!).slice(-60);
    assert.deepEqual(
      results.map(({ id, isError }) => [id, isError]),
      uses.map((_, number) => [`toolu_many${number}`, false]),
    );
  });
});

function inOneLine(shown: string): string {
  return shown.replaceAll(/\s+/g, ' ').trim();
}
