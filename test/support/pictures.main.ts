/** `npm run pictures`: takes the pictures of the README and of the walkthrough anew, in the real VS Code. */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Locator, Page, PageScreenshotOptions } from 'playwright-core';
import { reply, text, thinking, toolUse } from './claude/script';
import { startStandIn, type StandIn } from './claude/standIn';
import { launchBrowserServer } from './host/browser';
import { installHost } from './host/installHost';
import { toPalettePng } from './palettePng';
import { projectRoot } from './projectPaths';
import { removeFolder } from './removeFolder';
import { runMain } from './setupError';
import { installVsix, packVsix } from './vsix';
import { ChangesView } from './window/changesView';
import { MemoryView } from './window/memoryView';
import { UsagePage } from './window/usagePage';
import { openWindow, type VsCodeWindow } from './window/vscodeWindow';

runMain(async () => {
  const extensions = mkdtempSync(join(tmpdir(), 'claude-assistant-pictures-'));
  const browser = await launchBrowserServer();
  const standIn = await startStandIn();
  try {
    installVsix(installHost(), packVsix().path, extensions);
    process.env['E2E_EXTENSIONS'] = extensions;
    process.env['WARM_BROWSER'] = browser.wsEndpoint();
    standIn.script(...aboutTheDiscount, ...whatFollows);
    const window = await openWindow({
      env: { ANTHROPIC_BASE_URL: standIn.url, ANTHROPIC_API_KEY: 'sk-ant-picture' },
      settings: { 'workbench.startupEditor': 'readme', 'window.autoDetectColorScheme': true },
    });
    await window.page.locator('.tab').filter({ hasText: 'README.md' }).waitFor();
    await window.panel.ready();
    await dragEdge(window.page, { from: 982, to: 790 });
    await window.panel.ask('A customer says that WELCOME10 was taken twice. Why?');
    await window.panel.lastAnswer.hover();
    await take(window.page, 'panel.png');
    await takeWalkthrough(window);
    await takeUsage(window);
    await window.close();
    await takeChanges(standIn);
    return 0;
  } finally {
    await standIn.close();
    await browser.close();
    removeFolder(extensions);
  }
});

/** The same conversation goes on: what is asked, what is remembered of it, and the menu. */
async function takeWalkthrough({ page, panel, workbench }: VsCodeWindow): Promise<void> {
  const view = new MemoryView(page);
  await takeBoth(page, 'ask', page.locator('.part.auxiliarybar'), { from: 100, to: 520 });
  await panel.ask('Yes. The order was O-4711, keep that in mind.');
  await panel.ask('Which other orders used the code?');
  await page.keyboard.press('Escape');
  await workbench.runCommand('Assistant: Show Memory');
  await view.row('Which other').waitFor();
  await view.press(view.row('A customer says'), 'Pin');
  await view.said('A customer says').and(view.said('pinned')).waitFor();
  await dragEdge(page, { from: 350, to: 500 });
  await takeBoth(page, 'memory', view.pane, { to: 180 });
  await view.statusItem.click();
  await workbench.inputBox.waitFor();
  await takeBoth(page, 'limits', page.locator('.quick-input-widget'), { to: 328 });
  await page.keyboard.press('Escape');
  await workbench.runCommand('Assistant: Set API Key…');
  await workbench.inputBox.waitFor();
  await takeBoth(page, 'key', page.locator('.quick-input-widget'));
  await page.keyboard.press('Escape');
}

/** The usage page of the same conversation, with its newest answer open. */
async function takeUsage({ page, workbench }: VsCodeWindow): Promise<void> {
  const usage = new UsagePage(page);
  await workbench.runCommand('View: Close All Editors');
  await workbench.runCommand('View: Toggle Primary Side Bar Visibility');
  await workbench.runCommand('Assistant: Show Usage');
  await usage.answers.nth(2).waitFor();
  await usage.answers.first().click();
  const box = await page.locator('.part.editor').boundingBox();
  if (!box) throw new Error('There is no usage page to show.');
  await take(page, 'usage.png', { clip: box });
}

/** A part of the window, or what of it matters, in light and dark. */
async function takeBoth(
  page: Page,
  name: string,
  part: Locator,
  { from = 0, to }: { readonly from?: number; readonly to?: number } = {},
): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await page.locator(`.monaco-workbench.${colorScheme === 'light' ? 'vs' : 'vs-dark'}`).waitFor();
    const box = await part.boundingBox();
    if (!box) throw new Error(`There is nothing to show for ${name}.`);
    const clip = { ...box, y: box.y + from, height: (to ?? box.height) - from };
    await take(page, `walkthrough/${name}-${colorScheme}.png`, { clip });
  }
  await page.emulateMedia({ colorScheme: 'light' });
}

async function take(page: Page, name: string, options: PageScreenshotOptions = {}): Promise<void> {
  const png = await page.screenshot({ animations: 'disabled', ...options });
  // Not in the page itself: VS Code allows no pictures there but its own.
  const canvas = await page.context().newPage();
  writeFileSync(join(projectRoot, 'media', name), await toPalettePng(canvas, png));
  await canvas.close();
}

/** Drags the edge of a side bar, so that what is in it fits. */
async function dragEdge(page: Page, { from, to }: { from: number; to: number }): Promise<void> {
  await page.mouse.move(from, 600);
  await page.mouse.down();
  await page.mouse.move(to, 600, { steps: 5 });
  await page.mouse.up();
  await page.mouse.move(640, 600);
}

const aboutTheDiscount = [
  reply(
    thinking('I look for the code and for where discounts are applied.'),
    toolUse('search_text', { pattern: 'WELCOME10' }),
    toolUse('search_text', { pattern: 'applyDiscount' }),
  ),
  reply(toolUse('read_file', { path: 'src/orders.ts' }), toolUse('read_file', { path: 'src/discounts.ts' })),
  reply(
    text(
      'The discount is applied twice in `totalOf`, in `src/orders.ts`:\n\n',
      '```ts\nconst discounted = applyDiscount(goods, order.code);\nconst total = applyDiscount(discounted, order.code);\n```\n\n',
      'The second line takes the 10 % off once more, so a customer with `WELCOME10` pays 81 % instead of 90 %. ',
      'Using `discounted` as the total mends it. Shall I change that?',
    ),
  ),
];

const whatFollows = [
  reply(toolUse('remember', { name: 'order_id', value: 'O-4711' })),
  reply(text('I keep the order number in mind. The total is corrected as soon as you allow the change.')),
  reply(toolUse('search_text', { pattern: 'code:' })),
  reply(text('None in this workspace: only the sample order carries a code.')),
];

/** A hunk in the editor, and the list that it belongs to. */
async function takeChanges(standIn: StandIn): Promise<void> {
  const edit = (path: string, old_text: string, new_text: string) =>
    toolUse('edit_file', { path, edits: [{ old_text, new_text }] });
  standIn.reset();
  standIn.script(
    reply(
      edit(
        'src/orders.ts',
        'const total = applyDiscount(discounted, order.code);',
        'const total = discounted;',
      ),
      edit('src/orders.ts', 'freeDeliveryFrom = 5000', 'freeDeliveryFrom = 6000'),
      edit('src/discounts.ts', '  FRIENDS20: 20,', '  FRIENDS20: 20,\n  STAFF30: 30,'),
      toolUse('create_file', { path: 'src/price.ts', content: "export { totalOf } from './orders';\n" }),
    ),
    reply(text('The discount is taken once now, and there is a code for the staff.')),
  );
  const window = await openWindow({
    env: { ANTHROPIC_BASE_URL: standIn.url, ANTHROPIC_API_KEY: 'sk-ant-picture' },
    settings: { 'assistant.permissionMode': 'edits' },
  });
  const { page, panel, workbench } = window;
  const view = new ChangesView(page);
  await panel.ready();
  await panel.ask('Take the discount once, and add a code for our staff');
  await page.keyboard.press('Control+Shift+G');
  await view.row('orders.ts').waitFor();
  await workbench.openFile('src/orders.ts');
  await view.gutterShows(2);
  await page.keyboard.press('Alt+F3');
  await view.peek.getByText('1 of 2 changes').waitFor();
  await workbench.runCommand('Notifications: Clear All Notifications');
  await take(page, 'changes.png');
  await window.close();
}
