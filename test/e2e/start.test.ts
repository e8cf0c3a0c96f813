import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { chromium, type Browser, type Page } from 'playwright-core';
import { windowOptions } from '../support/host/browser';
import { projectRoot } from '../support/projectPaths';
import { removeFolder } from '../support/removeFolder';
import { until } from '../support/until';
import { ChangesView } from '../support/window/changesView';
import { ChatPanel } from '../support/window/chatPanel';
import { ConfirmationCard } from '../support/window/confirmationCard';
import { PlanEditor } from '../support/window/planEditor';
import { watchPage } from '../support/window/watchPage';
import { webviewIn } from '../support/window/webview';
import { Workbench } from '../support/window/workbench';

describe('npm start without a key', () => {
  const startFolder = mkdtempSync(join(tmpdir(), 'claude-assistant-start-'));
  const home = join(startFolder, 'home');
  mkdirSync(home);
  const children: ChildProcess[] = [];
  let browser: Browser | undefined;

  after(async () => {
    await browser?.close();
    for (const child of children) {
      if (child.exitCode !== null) continue;
      child.kill('SIGINT');
      await once(child, 'exit');
    }
    removeFolder(startFolder);
  });

  function start(
    port: number,
    ...args: readonly string[]
  ): {
    child: ChildProcess;
    lines: string[];
    line: (of: RegExp) => Promise<string>;
  } {
    const { ANTHROPIC_API_KEY: _, ...env } = process.env;
    const child = spawn(
      process.execPath,
      [join(projectRoot, 'dist/test/support/start/start.main.js'), ...args],
      {
        env: { ...env, HOME: home, PORT: String(port), START_FOLDER: startFolder, ASSISTANT_HOST: 'browser' },
      },
    );
    children.push(child);
    const lines: string[] = [];
    const waiting = new Set<() => void>();
    for (const stream of [child.stdout, child.stderr]) {
      createInterface(stream).on('line', (line) => {
        lines.push(line);
        for (const look of waiting) look();
      });
    }
    const line = (of: RegExp) =>
      new Promise<string>((resolve, reject) => {
        const look = (): void => {
          const found = lines.find((candidate) => of.test(candidate));
          if (found !== undefined) resolve(found);
        };
        waiting.add(look);
        look();
        child.once('exit', () => reject(new Error(`It ended early:\n${lines.join('\n')}`)));
      });
    return { child, lines, line };
  }

  /** On the sample. */
  let sample: ReturnType<typeof start>;
  let address = '';
  let page: Page | undefined;

  before(async () => {
    sample = start(await freePort());
    address = /http:\S+/.exec(await sample.line(/runs at http/))?.[0] ?? '';
  });

  it('opens README beside a chat with @assistant, answers offline with the real tools, and remembers', async () => {
    assert.match(await sample.line(/ANTHROPIC_API_KEY/), /offline stand-in/);

    browser = await chromium.connect(process.env['WARM_BROWSER'] ?? '');
    page = await (await browser.newContext(windowOptions)).newPage();
    await watchPage(page);
    await page.goto(address);
    const panel = new ChatPanel(page);
    await panel.ready();
    await page.locator('.interactive-input-part .view-lines').filter({ hasText: '@assistant' }).waitFor();
    await page.locator('.tab').filter({ hasText: 'README.md' }).waitFor();
    await webviewIn(page).getByRole('heading', { name: 'Corner Shop' }).waitFor();
    await page.keyboard.type('What is in this workspace?');
    await page.locator('.interactive-input-part .view-lines').filter({ hasText: 'workspace?' }).waitFor();
    await page.keyboard.press('Enter');
    await panel.shows('What is in this workspace?');
    await panel.finished();
    const answer = await panel.answerText();
    assert.match(answer, /offline stand-in/i);
    assert.match(answer, /Corner\sShop/);
    assert.match(await panel.ask('Where is applyDiscount?'), /src\/discounts\.ts/);
    assert.match(await panel.ask('What did I ask before?'), /What is in this workspace\?/);
    assert.match(await panel.receipt(), /Offline Stand-in · free · /);
    await page.screenshot({ path: join(projectRoot, 'dist/test/screenshots/start-offline.png') });
    assert.equal(await page.locator('.notification-list-item').count(), 0);
    assert.deepEqual(readdirSync(home), []);
  });

  it('plans, works on the plan that was edited, has its hunks judged in a git repository, notes and recalls', async () => {
    assert.ok(page);
    const [panel, workbench, view] = [new ChatPanel(page), new Workbench(page), new ChangesView(page)];
    const catalogue = () => readFileSync(join(startFolder, 'sample/src/catalogue.ts'), 'utf8');
    await panel.ask('/plan Replace "Cents" with "Pennies" in src/catalogue.ts');
    const plan = new PlanEditor(page);
    await plan.tab.waitFor();
    await plan.add('- [ ] Note that prices are in pennies');
    await panel.button('Start').click();
    const card = new ConfirmationCard(page);
    await card.asks('Edit src/catalogue.ts?');
    await card.allowOnce();
    // The note is a step of the plan and not in the message that was sent.
    await card.asks(/Prices are in pennies/);
    await card.allowOnce();
    await panel.finished();
    assert.match(
      await panel.answerText(),
      /All steps of the plan are done\.[^]*1 file[^]*Plan: 2 of 2 steps done/,
    );

    await view.openHunk('src/catalogue.ts', workbench);
    await view.peek.getByText('1 of 2 changes').waitFor();
    await view.pressInPeek('Undo');
    await until(() => catalogue().includes('priceInCents: number'));
    // Also when the window was reloaded, and git may have been there first, or not.
    await page.reload();
    await panel.ready();
    await view.openHunk('src/catalogue.ts', workbench);
    await view.peek.getByText('1 of 1 change').waitFor();
    await view.pressInPeek('Keep');
    await view.peek.locator('.action-label.codicon-check').waitFor({ state: 'detached' });
    assert.match(catalogue(), /priceInCents: number[^]*priceInPennies: 590/);
    // Such as that there is no service for TypeScript.
    assert.equal(await page.locator('.notification-list-item .codicon-error').count(), 0);

    await workbench.runCommand('Assistant: Start Fresh Conversation');
    await panel.newChat();
    assert.match(await panel.ask('What did we say about applyDiscount?'), /I recall this:[^]*discounts\.ts/);
  });

  it('A35: opens no window for somebody who does not bring the token', async () => {
    const url = new URL(address);
    const status = async () => (await fetch(url, { redirect: 'manual' })).status;
    // It is put into a cookie, and the page is asked for again.
    assert.equal(await status(), 302);
    url.searchParams.delete('tkn');
    assert.equal(await status(), 403);
    url.searchParams.set('tkn', 'guessed');
    assert.equal(await status(), 403);
  });

  it('opens a folder of one’s own, and says what is wrong with one that cannot be opened', async () => {
    const own = mkdtempSync(join(tmpdir(), 'claude-assistant-own-'));
    const { line } = start(await freePort(), own);
    assert.match(await line(/runs at http/), new RegExp(`folder=${encodeURIComponent(own)}&`));
    const settings = readFileSync(join(startFolder, 'server/data/Machine/settings.json'), 'utf8');
    assert.match(settings, /"git.openRepositoryInParentFolders":"always"/);
    removeFolder(own);
    for (const [folder, sentence] of [
      [join(own, 'missing'), /^There is no folder .*missing: name one that exists\.$/],
      [join(projectRoot, 'package.json'), /package\.json is a file: name a folder\.$/],
    ] as const) {
      const { child, lines } = start(await freePort(), folder);
      assert.deepEqual(await once(child, 'exit'), [1, null]);
      assert.match(lines.at(-1) ?? '', sentence);
    }
  });

  it('says in one sentence what to do when the port is taken, and leaves alone what runs there', async () => {
    const taken = await listen(0);
    const { port } = taken.address() as AddressInfo;
    const before = modifiedBelow(startFolder);
    const { child, lines } = start(port);
    const [code] = await once(child, 'exit');
    assert.equal(code, 1);
    assert.deepEqual(modifiedBelow(startFolder), before);
    assert.match(lines.at(-1) ?? '', new RegExp(`^Port ${port} is taken: .* PORT=${port + 1} npm start\\.$`));
    taken.close();
  });
});

/** What VS Code runs with, and when that was written; the sample belongs to the person. */
function modifiedBelow(startFolder: string): readonly (readonly [string, number])[] {
  return readdirSync(startFolder)
    .filter((name) => name !== 'sample')
    .map((name) => [name, statSync(join(startFolder, name)).mtimeMs] as const);
}

async function listen(port: number): Promise<Server> {
  const server = createServer().listen(port, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

/** Below those that systems give out by themselves, so that nobody takes it before its use. */
async function freePort(): Promise<number> {
  const port = 20_000 + Math.floor(Math.random() * 10_000);
  try {
    const server = await listen(port);
    server.close();
    await once(server, 'close');
    return port;
  } catch {
    return freePort();
  }
}
