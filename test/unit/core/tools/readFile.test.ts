import assert from 'node:assert/strict';
import { createInMemoryWorkspace, type InMemoryOptions } from '../../../support/inMemoryWorkspace';
import { createToolHarness } from '../../../support/toolHarness';

function harnessOver(files: InMemoryOptions['files'] = {}) {
  const workspace = createInMemoryWorkspace({ files });
  return { workspace, ...createToolHarness(workspace) };
}

/** One transparent pixel. */
const pngBase64 =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';
const png = Buffer.from(pngBase64, 'base64');

describe('read_file', () => {
  it('numbers the lines', async () => {
    const { text } = harnessOver({ 'a.ts': 'one\r\ntwo\n' });
    assert.equal(await text('read_file', { path: 'a.ts' }), '1\tone\n2\ttwo');
  });

  it('reads a range and says how to go on', async () => {
    const { text } = harnessOver({ 'a.ts': 'one\ntwo\nthree\nfour\n' });
    assert.equal(
      await text('read_file', { path: 'a.ts', start_line: 2, end_line: 3 }),
      '2\ttwo\n3\tthree\n[Lines 2–3 of 4.]',
    );
  });

  it('L11: gives a long file in parts that join without a gap', async () => {
    const lines = Array.from({ length: 3_000 }, (_, at) => `line ${at + 1} ${'x'.repeat(40)}`);
    const { text } = harnessOver({ 'long.txt': lines.join('\n') });
    const seen: string[] = [];
    let next: number | undefined = 1;
    while (next !== undefined) {
      const part = await text('read_file', { path: 'long.txt', start_line: next });
      assert.ok(part.length < 30_000);
      seen.push(...part.split('\n').filter((line) => !line.startsWith('[')));
      const [, more] = /go on with start_line: (\d+)/.exec(part) ?? [];
      next = more === undefined ? undefined : Number(more);
    }
    assert.deepEqual(
      seen,
      lines.map((line, at) => `${at + 1}\t${line}`),
    );
  });

  it('cuts a very long line outside of surrogate pairs and says how to read on in it', async () => {
    const line = '😀'.repeat(2_500);
    const { text } = harnessOver({ 'min.js': `${line}\nend` });
    const first = await text('read_file', { path: 'min.js' });
    assert.equal(new TextDecoder().decode(new TextEncoder().encode(first)), first);
    assert.match(first, /line 1 is cut: go on with start_line: 1, start_character: 2001\b/);
    const rest = await text('read_file', {
      path: 'min.js',
      start_line: 1,
      end_line: 1,
      start_character: 2001,
    });
    assert.ok(rest.startsWith(`1\t${line.slice(2_000)}\n`));
  });

  it('lets an unsaved editor win over the disk', async () => {
    const { workspace, text } = harnessOver({ 'a.ts': 'saved' });
    workspace.unsaved.set('/work/app/a.ts', 'unsaved');
    assert.equal(
      await text('read_file', { path: 'a.ts' }),
      '1\tunsaved\n[Lines 1–1 of 1; with unsaved changes of the editor.]',
    );
  });

  it('shows an image as an image, whatever its name', async () => {
    const { run } = harnessOver({ 'logo.txt': png });
    const { content } = await run('read_file', { path: 'logo.txt' });
    assert.deepEqual(content, [
      { type: 'image', source: { type: 'base64', media_type: 'image/png', data: pngBase64 } },
    ]);
  });

  it('P5: names the file, under the name that a link leads to, unless it looks like a secret', async () => {
    const { run } = harnessOver({ 'a.txt': 'A', 'b.txt': { link: 'a.txt' }, '.env': 'KEY=1' });
    const named = async (path: string) =>
      (await run('read_file', { path })).files?.map((place) => place.path);
    assert.deepEqual(
      [await named('a.txt'), await named('b.txt'), await named('.env')],
      [['a.txt'], ['a.txt'], []],
    );
  });

  it('L12: refuses an image that would spoil the request', async () => {
    const { refusal } = harnessOver({ 'cut.png': png.subarray(0, 40) });
    assert.match(await refusal('read_file', { path: 'cut.png' }), /cannot take: it is not a complete PNG/);
  });

  it('says of a binary file that it is one', async () => {
    const { refusal } = harnessOver({ 'a.bin': Uint8Array.of(1, 0, 2), 'a.pdf': '%PDF-1.7\0' });
    assert.equal(
      await refusal('read_file', { path: 'a.bin' }),
      'a.bin is a binary file (3 bytes), not text.',
    );
    assert.match(await refusal('read_file', { path: 'a.pdf' }), /ask the person to attach it/);
  });

  it('reads a file as the editor does, and says where bytes were lost', async () => {
    const { text } = harnessOver({
      'le.txt': Uint8Array.of(0xff, 0xfe, 0x68, 0x00, 0xe9, 0x00),
      'bom.txt': Uint8Array.of(0xef, 0xbb, 0xbf, 0x68),
      'latin.txt': Uint8Array.of(0x68, 0xe9),
      'replaced.txt': 'h\uFFFD',
    });
    assert.equal(await text('read_file', { path: 'le.txt' }), '1\thé');
    assert.equal(await text('read_file', { path: 'bom.txt' }), '1\th');
    assert.equal(
      await text('read_file', { path: 'latin.txt' }),
      '1\th\uFFFD\n[Lines 1–1 of 1; each \uFFFD may stand for bytes that are not utf8, in which the editor reads this file (setting files.encoding).]',
    );
    assert.equal(await text('read_file', { path: 'replaced.txt' }), '1\th\uFFFD');
  });

  it('reads a range of a huge file in chunks, with a line break across two of them', async () => {
    const huge = new Uint8Array(17 * 1024 * 1024).fill(0x78);
    huge.set(new TextEncoder().encode('first\r\n'), 0);
    huge.set(new TextEncoder().encode('\r\nsecond\r\nthird'), 4 * 1024 * 1024 - 1);
    const { text } = harnessOver({ 'huge.log': huge });
    assert.equal(
      await text('read_file', { path: 'huge.log', start_line: 3, end_line: 3 }),
      '3\tsecond\n[Lines 3–3 of a file of 17.0 MB; go on with start_line: 4, or use search_text.]',
    );
  });

  it('reads on in a line of a huge file, however long it is', async () => {
    const huge = new Uint8Array(17 * 1024 * 1024).fill(0x78);
    huge.set(new TextEncoder().encode('first\n'), 0);
    huge.set(new TextEncoder().encode('needle'), 10_000_005);
    const { text } = harnessOver({ 'huge.json': huge });
    const start = await text('read_file', { path: 'huge.json', start_line: 2 });
    assert.match(start, /^2\tx{2000} …\n\[.*line 2 is cut: go on with start_line: 2, start_character: 2001;/);
    const middle = await text('read_file', { path: 'huge.json', start_line: 2, start_character: 10_000_000 });
    assert.match(middle, /^2\tneedlex+ …\n\[.*go on with start_line: 2, start_character: 10020000;/);
    const end = await text('read_file', {
      path: 'huge.json',
      start_line: 2,
      start_character: huge.length - 10,
    });
    assert.match(end, /^2\tx{5}\n\[.*end of the file\.\]$/);
  });

  it('reads a huge file of UTF-16 as what it is, and says where bytes were lost in another', async () => {
    const wide = Buffer.from(`\uFEFFgr\u00fc\u00dfe\n${'x'.repeat(9 * 1024 * 1024)}`, 'utf16le');
    const latin = Buffer.from(`gr\u00fc\u00dfe\n${'x'.repeat(17 * 1024 * 1024)}`, 'latin1');
    const { text } = harnessOver({ 'wide.txt': new Uint8Array(wide), 'latin.txt': new Uint8Array(latin) });
    assert.match(await text('read_file', { path: 'wide.txt', end_line: 1 }), /^1\tgr\u00fc\u00dfe\n/);
    assert.match(
      await text('read_file', { path: 'latin.txt', end_line: 1 }),
      /^1\tgr\uFFFD\uFFFDe\n.*bytes that are not utf-8\.\]$/,
    );
  });

  it('says what is wrong with a range', async () => {
    const { refusal } = harnessOver({ 'a.ts': 'one\n' });
    assert.equal(
      await refusal('read_file', { path: 'a.ts', start_line: 5 }),
      'a.ts has only 1 lines: use a smaller start_line.',
    );
    assert.match(await refusal('read_file', { path: 'a.ts', start_line: 5, end_line: 2 }), /lies before/);
  });

  it('says of an empty file that it is empty', async () => {
    const { text } = harnessOver({ 'a.ts': '' });
    assert.equal(await text('read_file', { path: 'a.ts' }), '[a.ts is empty.]');
  });

  it('tells what to do about a missing file and a folder', async () => {
    const { refusal } = harnessOver({ 'src/a.ts': '' });
    assert.match(await refusal('read_file', { path: 'b.ts' }), /does not exist.*find_files/);
    assert.match(await refusal('read_file', { path: 'src' }), /is a folder: use list_directory/);
  });

  it('A21: opens no pipe and no device', async () => {
    const { workspace, refusal } = harnessOver({ fifo: { device: true } });
    assert.match(await refusal('read_file', { path: 'fifo' }), /not a regular file/);
    assert.deepEqual(workspace.opened, []);
  });

  it('A10, A12: opens nothing outside', async () => {
    const { workspace, refusal } = harnessOver({ link: { link: '/etc/passwd' }, '/etc/passwd': 'root' });
    await refusal('read_file', { path: 'link' });
    await refusal('read_file', { path: '../../etc/passwd' });
    assert.deepEqual(workspace.opened, []);
  });

  it('S4, A18: asks before it reads what looks like a secret, and only then', async () => {
    const { workspace, prepare } = harnessOver({ '.env': 'KEY=1', 'a.ts': '' });
    const { confirmation } = await prepare('read_file', { path: '.env' });
    assert.equal(confirmation?.title, 'Let Claude read .env?');
    assert.equal((await prepare('read_file', { path: 'a.ts' })).confirmation, undefined);
    assert.deepEqual(workspace.opened, []);
  });
});
