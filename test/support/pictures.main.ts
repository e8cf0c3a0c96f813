/** `npm run pictures`: takes the README's picture anew, in the real panel. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { reply, text, thinking, toolUse } from './claude/script';
import { startStandIn } from './claude/standIn';
import { launchBrowserServer } from './host/browser';
import { installHost } from './host/installHost';
import { projectRoot } from './projectPaths';
import { runMain } from './setupError';
import { installVsix, packVsix } from './vsix';
import { openWindow } from './window/vscodeWindow';

runMain(async () => {
  const extensions = mkdtempSync(join(tmpdir(), 'claude-assistant-pictures-'));
  const browser = await launchBrowserServer();
  const standIn = await startStandIn();
  try {
    installVsix(installHost(), packVsix().path, extensions);
    process.env['E2E_EXTENSIONS'] = extensions;
    process.env['WARM_BROWSER'] = browser.wsEndpoint();
    standIn.script(...aboutTheDiscount);
    const window = await openWindow({
      env: { ANTHROPIC_BASE_URL: standIn.url, ANTHROPIC_API_KEY: 'sk-ant-picture' },
      settings: { 'workbench.startupEditor': 'readme' },
    });
    await window.page.locator('.tab').filter({ hasText: 'README.md' }).waitFor();
    await window.panel.ready();
    await widenPanel(window.page);
    await window.panel.ask('A customer says that WELCOME10 was taken twice. Why?');
    await window.panel.lastAnswer.hover();
    await window.page.screenshot({ path: join(projectRoot, 'media/panel.png') });
    await window.close();
    return 0;
  } finally {
    await standIn.close();
    await browser.close();
    rmSync(extensions, { recursive: true, force: true });
  }
});

/** Drags the edge between editor and chat, so that the code in the answer fits. */
async function widenPanel(page: Page): Promise<void> {
  await page.mouse.move(982, 300);
  await page.mouse.down();
  await page.mouse.move(790, 300, { steps: 5 });
  await page.mouse.up();
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
