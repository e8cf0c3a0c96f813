import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { turnStarts } from '../../src/core/messages';
import type { JournalEntry } from '../support/claude/journal';
import type { ClaudeRequest } from '../support/claude/request';
import { apiError, gate, reply, text, toolUse } from '../support/claude/script';
import { until } from '../support/until';
import { takesPictures } from '../support/window/bothThemes';
import { MemoryView } from '../support/window/memoryView';
import { UsagePage } from '../support/window/usagePage';
import { webviewIn } from '../support/window/webview';
import { withWindow } from '../support/window/withWindow';

const hostile = 'what is <img src=x onerror=alert(1)> here';

describe('what answers take', () => {
  const { standIn, window } = withWindow();
  /** Of the first answer two, of the second three. */
  let requests: readonly JournalEntry[];
  let dialogs = 0;

  before(async () => {
    const { panel, page } = window;
    page.on('dialog', (dialog) => {
      dialogs++;
      void dialog.dismiss();
    });
    standIn.script(
      reply(toolUse('remember', { name: 'colour', value: 'grey-4711' })),
      reply(text('Noted.')),
      reply(toolUse('list_directory', { path: '.' })),
      reply(toolUse('read_file', { path: 'README.md' })),
      reply(text('A small shop.')),
    );
    await panel.ask('remember the colour');
    await panel.ask(hostile);
    requests = standIn.journal.messages;
  });

  async function showUsage(): Promise<UsagePage> {
    await window.workbench.runCommand('Assistant: Show Usage');
    const usage = new UsagePage(window.page);
    await usage.answers.nth(1).waitFor();
    return usage;
  }

  it('M24: the button below an answer opens what was sent, as Claude got it', async () => {
    const { panel, page } = window;
    const own = requests.slice(2);
    const { messages } = own[0]!.body as ClaudeRequest;
    const turnsSent = turnStarts(messages).length - 1;
    await panel.whatWasSent.click();
    const document = webviewIn(page);
    await document.getByRole('heading', { name: 'What was sent' }).waitFor();
    const rows = new Map(
      await document
        .locator('tr')
        .evaluateAll((all) =>
          all.map(
            (row) =>
              Array.from(row.querySelectorAll('th, td'), (cell) => cell.textContent) as [string, string],
          ),
        ),
    );
    await window.screenshot('ledger');
    const { input, cacheRead, output } = taken(own);
    assert.equal(rows.get('Requests'), '3');
    assert.match(
      rows.get('Tokens in') ?? '',
      new RegExp(`^${figure(input)}, of which ${figure(cacheRead)} `),
    );
    assert.equal(rows.get('Tokens out'), figure(output));
    assert.equal(rows.get('Sum'), figure(input));
    assert.equal([...rows.keys()].filter((what) => what.startsWith('Turn: ')).length, turnsSent);
    assert.deepEqual(
      [...rows.keys()].filter((what) => what.startsWith('Remembered value: ')),
      ['Remembered value: colour'],
    );
    const names = [...rows.keys()];
    const parts = names
      .slice(names.indexOf('What') + 1, names.indexOf('Sum'))
      .map((what) => count(rows.get(what)));
    assert.equal(
      parts.reduce((sum, part) => sum + part, 0),
      input,
    );
    const whole = await document.locator('body').innerText();
    assert.match(whole, /all that is remembered was sent/);
    assert.ok(whole.includes(hostile));
    assert.doesNotMatch(whole, /grey-4711/);
  });

  const statusItem = () => new MemoryView(window.page).statusItem;

  const hover = () => window.page.locator('.monaco-hover:visible').filter({ hasText: 'A short message now' });

  /** What the hover of the status bar says. */
  async function hoverText(): Promise<string> {
    await statusItem().hover();
    await hover().waitFor();
    return hover().innerText();
  }

  async function leaveHover(): Promise<void> {
    await window.page.mouse.move(200, 400);
    await hover().waitFor({ state: 'hidden' });
  }

  async function sums(): Promise<Locator> {
    const byModel = webviewIn(window.page).getByRole('region', { name: 'By model' });
    await byModel.waitFor();
    return byModel;
  }

  it('P6, L14: the hover says what fills the window, what it costs now and from when on more, and what today took', async () => {
    await statusItem().filter({ hasText: '%' }).waitFor();
    const said = await hoverText();
    await window.screenshot('hover');
    await leaveHover();
    assert.match(said, /of the window of Claude [^]*instructions [\d.k]+, tools [\d.k]+, history [\d.k]+/);
    assert.match(said, /Sending it costs about \$0\.\d+ now/);
    assert.match(said, /From \d+:\d\d.* on about \$0\.\d+: the cache is cold/);
    assert.match(said, /Spent today in this workspace: \$0\.\d+/);
  });

  it('P6, P8: sums by day and model are tables that a keyboard reaches and a screen reader can read', async () => {
    await showUsage();
    const page = webviewIn(window.page);
    assert.match(await page.locator('.today').innerText(), /Spent today in this workspace: \$0\.\d+/);
    for (const name of ['By day', 'By model']) {
      const region = page.getByRole('region', { name });
      await region.focus();
      assert.equal(await region.evaluate((one) => one === one.ownerDocument.activeElement), true, name);
      const table = region.getByRole('table', { name });
      await table.getByRole('columnheader', { name: 'Saved by caching' }).waitFor();
      assert.equal(await table.getByRole('rowheader').count(), 1, name);
    }
    await (await sums()).scrollIntoViewIfNeeded();
    await window.screenshot('usage-sums');
  });

  const themes = [
    ['dark', 'Default Dark Modern', '.monaco-workbench.vs-dark'],
    ['contrast', 'Default High Contrast', '.monaco-workbench.hc-black'],
    ['contrast-light', 'Default High Contrast Light', '.monaco-workbench.hc-light'],
  ] as const;
  for (const [name, theme, mark] of takesPictures ? themes : []) {
    it(`P8: can be looked at in ${theme}`, async () => {
      const { page, panel } = window;
      useTheme(theme);
      await page.locator(mark).waitFor();
      await showUsage();
      await window.screenshot(`usage-${name}`);
      await (await sums()).scrollIntoViewIfNeeded();
      await window.screenshot(`usage-sums-${name}`);
      await hoverText();
      await window.screenshot(`hover-${name}`);
      await leaveHover();
      await panel.whatWasSent.click();
      await webviewIn(page).getByRole('heading', { name: 'What was sent' }).waitFor();
      await window.screenshot(`ledger-${name}`);
      useTheme('Default Light Modern');
      await page.locator('.monaco-workbench.vs').waitFor();
    });
  }

  function useTheme(theme: string): void {
    const folder = join(window.folder, '.vscode');
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'settings.json'), JSON.stringify({ 'workbench.colorTheme': theme }));
  }

  it('P8: an answer opens by keyboard, and leads to what was sent for it', async () => {
    const { page } = window;
    const usage = await showUsage();
    await usage.answers.first().focus();
    await page.keyboard.press('Enter');
    await usage.button('What Was Sent').first().waitFor();
    await window.screenshot('usage-open');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await webviewIn(page).getByRole('heading', { name: 'What was sent' }).waitFor();
    await showUsage();
    await usage.button('What Was Sent').first().waitFor();
  });

  it('P4, P8: /usage leads to a page whose figures add up to what Claude reported', async () => {
    const { panel, page } = window;
    await panel.ask('/usage');
    await panel.button('Show Usage').click();
    const usage = new UsagePage(page);
    await usage.answers.nth(1).waitFor();
    assert.match(await usage.answers.first().innerText(), /^what is <img src=x/);
    await window.screenshot('usage');
    const [newest, first, sum] = await usage.table();
    await window.screenshot('usage-table');
    for (const [row, own] of [
      [first, requests.slice(0, 2)],
      [newest, requests.slice(2)],
      [sum, requests],
    ] as const) {
      const took = taken(own);
      assert.deepEqual(
        [row?.['Total in'], row?.['From the cache'], row?.['Answer']],
        [took.input, took.cacheRead, took.output].map(figure),
      );
      const parts = ['Instructions and tools', 'History', 'Tool results', 'Your message'];
      assert.equal(
        parts.reduce((all, part) => all + count(row?.[part]), 0),
        took.input,
      );
    }
    assert.equal(dialogs, 0);
    await usage.button('Bars').click();
  });

  it('P8: calls each row and button by the words that it shows, and fits an editor that is narrow', async () => {
    const { page } = window;
    await showUsage();
    const controls = webviewIn(page).locator('summary, button');
    const others = await controls.evaluateAll((all) =>
      all.flatMap((one) => {
        const [name, shown] = [one.getAttribute('aria-label'), (one as HTMLElement).innerText];
        const inOneLine = (words: string) => words.replaceAll(/\s+/g, ' ').trim();
        return name === null || inOneLine(name).includes(inOneLine(shown)) ? [] : [name];
      }),
    );
    assert.deepEqual(others, []);
    assert.match((await controls.allTextContents()).join('\n'), /Instructions and tools: [\d,]+\. History: /);

    await page.setViewportSize({ width: 600, height: 800 });
    const root = webviewIn(page).locator('html');
    const sizes = () => root.evaluate(({ scrollWidth, clientWidth }) => ({ scrollWidth, clientWidth }));
    await until(async () => (await sizes()).clientWidth < 300);
    await window.screenshot('usage-narrow');
    await (await sums()).scrollIntoViewIfNeeded();
    await window.screenshot('usage-sums-narrow');
    const { scrollWidth, clientWidth } = await sizes();
    assert.equal(scrollWidth, clientWidth);
    await page.setViewportSize({ width: 1280, height: 800 });
  });

  it('P8: tells the parts apart where the system forces its colours on everything', async () => {
    const { page } = window;
    await showUsage();
    await page.emulateMedia({ forcedColors: 'active' });
    const looks = await webviewIn(page)
      .locator('.legend .swatch')
      .evaluateAll((all) =>
        all
          .map((one) => getComputedStyle(one))
          .map((style) => `${style.backgroundColor} ${style.backgroundImage}`),
      );
    await window.screenshot('usage-forced-colours');
    await page.emulateMedia({ forcedColors: null });
    assert.equal(new Set(looks.slice(0, 5)).size, 5);
  });

  it('P6: after a reload the share is there before the first message', async () => {
    const shown = /(<1|\d+) %/;
    await statusItem().filter({ hasText: shown }).waitFor();
    const before = shown.exec(await statusItem().innerText())?.[1];
    await window.reload();
    await statusItem().filter({ hasText: shown }).waitFor();
    assert.equal(shown.exec(await statusItem().innerText())?.[1], before);
    const said = await hoverText();
    await window.screenshot('hover-after-reload');
    await leaveHover();
    assert.match(said, /Sending it costs at most about \$0\.\d+: what the cache has is known after/);
    assert.match(said, /Spent today in this workspace: \$0\.\d+/);
  });

  it('M24: shows a new answer and what was evicted for it at once', async () => {
    const { panel, page } = window;
    const usage = await showUsage();
    await window.changeSettings({ 'assistant.maxTurns': 1 });
    standIn.script(reply(text('Three.')));
    await panel.ask('a third question');
    await usage.answers.nth(2).waitFor();
    await usage.evictions
      .filter({ hasText: /^2 turns no longer remembered: turn limit$/ })
      .first()
      .waitFor();
    await panel.whatWasSent.click();
    const document = webviewIn(page);
    await document.getByText('turn limit').first().waitFor();
    const leftOut = await document.locator('tr').filter({ hasText: 'turn limit' }).first().innerText();
    assert.match(leftOut, /remember the colour/);
  });

  it('M20: keeps no words of a conversation that was cleared, unless an Undo brings it back', async () => {
    const usage = await showUsage();
    await window.workbench.runCommand('Assistant: Clear Conversation');
    await usage.button(/^All recorded/).click();
    await usage.answers
      .filter({ hasText: /^turn of / })
      .first()
      .waitFor();
    assert.equal(await usage.answers.filter({ hasNotText: /^turn of / }).count(), 0);
    await window.screenshot('usage-erased');
    await window.workbench.pressInNotification(/Erased \d turns?/, 'Undo');
    await usage.answers
      .filter({ hasNotText: /^turn of / })
      .first()
      .waitFor();
  });

  it('P4, P6: /usage, the page and the receipts tell one sum, whatever became of the turns', async () => {
    const { panel } = window;
    const usage = await showUsage();
    await window.workbench.runCommand('Assistant: Clear Conversation');
    await window.changeSettings({ 'assistant.maxTurns': 1 });
    const receipts: string[] = [];
    const held = gate();
    for (const [question, ...script] of [
      ['first', reply(text('One.'))],
      ['second', reply(toolUse('list_directory', { path: '.' })), apiError(400)],
      ['third', reply(toolUse('list_directory', { path: '.' })), reply(text('It', held))],
      ['fourth', reply(text('Four.'))],
    ] as const) {
      standIn.reset();
      standIn.script(...script);
      await panel.send(question);
      if (question === 'third') {
        await held.reached;
        await panel.stop();
        held.open();
      }
      await panel.finished();
      // VS Code shows no receipt that comes later than a second after Stop.
      if (question !== 'third') receipts.push(`${question} ${dollarsIn(await panel.receipt())[0]}`);
    }
    const [told, ...each] = dollarsIn(await panel.ask('/usage'));
    assert.deepEqual(
      ['first', 'second', 'third', 'fourth']
        .map((question, index) => `${question} ${each[index]}`)
        .toSpliced(2, 1),
      receipts,
    );
    assert.equal(dollarsIn(await usage.button(/^This conversation/).innerText())[0], told);
    const sum = each.map(Number).reduce((total, one) => total + one);
    assert.ok(Math.abs(Number(told) - sum) < 0.0005, `${told} and ${sum}`);
    await window.screenshot('usage-in-chat');
    await window.changeSettings({});
  });
});

function dollarsIn(words: string): readonly string[] {
  return [...words.matchAll(/\$(\d+\.\d+)/g)].map(([, dollars]) => dollars!);
}

interface Taken {
  readonly input: number;
  readonly cacheRead: number;
  readonly output: number;
}

/** What the stand-in reported for these requests. */
function taken(requests: readonly JournalEntry[]): Taken {
  const all = { input: 0, cacheRead: 0, output: 0 };
  for (const { outcome } of requests) {
    const usage = outcome.usage!;
    all.cacheRead += usage.cache_read_input_tokens ?? 0;
    all.input +=
      usage.input_tokens + (usage.cache_read_input_tokens ?? 0) + (usage.cache_creation_input_tokens ?? 0);
    all.output += usage.output_tokens;
  }
  return all;
}

function figure(value: number): string {
  return value.toLocaleString('en');
}

function count(shown: string | undefined): number {
  return Number((shown ?? '').replaceAll(',', ''));
}
