import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { reply, text, toolUse } from '../support/claude/script';
import { projectRoot } from '../support/projectPaths';
import { atMost } from '../support/window/appears';
import { ConfirmationCard } from '../support/window/confirmationCard';
import { MemoryView } from '../support/window/memoryView';
import { speak } from '../support/window/vscodeWindow';
import { webviewIn } from '../support/window/webview';
import { withWindow } from '../support/window/withWindow';

type Words = Readonly<Record<string, string>>;

const manifest: Words = JSON.parse(readFileSync(join(projectRoot, 'package.nls.de.json'), 'utf8'));
const bundle: Words = JSON.parse(readFileSync(join(projectRoot, 'l10n/bundle.l10n.de.json'), 'utf8'));

/** The German for an English sentence, with these in its places. */
function german(english: string, ...places: readonly string[]): string {
  const words = bundle[english];
  assert.ok(words !== undefined && words !== english, `no German for “${english}”`);
  return words.replaceAll(/\{(\d)\}/g, (_, at) => places[Number(at)] ?? '');
}

type Sent = Readonly<Record<string, unknown>> & { readonly tools: readonly unknown[] };

/** What is sent, but for ids that are drawn. */
const sent = (bodyText: string): Sent => JSON.parse(bodyText.replaceAll(/toolu_\w+/g, 'toolu'));

describe('whoever speaks German', () => {
  const { standIn, window } = withWindow({ language: 'de' });

  /** Reads, fails at it, and looks for something, without memory: the same request whenever it is sent. */
  async function lookAround(): Promise<readonly Sent[]> {
    const start = standIn.journal.messages.length;
    standIn.script(
      reply(toolUse('read_file', { path: 'README.md' }), toolUse('read_file', { path: 'gone.md' })),
      reply(toolUse('delete_file', { path: 'gone.md' }), toolUse('get_diagnostics', {})),
      reply(text('A small shop.')),
    );
    await window.panel.ask('/once what is here?');
    return standIn.journal.messages.slice(start).map(({ bodyText }) => sent(bodyText));
  }

  it('P8: is led by a walkthrough in German', async () => {
    const { page, workbench } = window;
    await window.panel.ready();
    await workbench.startCommand('Welcome: Open Walkthrough...');
    await page.getByRole('option', { name: manifest['walkthrough.title']! }).click();
    await page.getByText(manifest['walkthrough.key.title']!).first().waitFor();
    await page.getByText(manifest['walkthrough.memory.title']!).first().waitFor();
    await window.screenshot('german-walkthrough');
    await workbench.closeEditors();
  });

  it('P8: is asked, told and billed in German', async () => {
    const { page, panel } = window;
    standIn.script(
      reply(toolUse('read_file', { path: 'README.md' })),
      reply(toolUse('create_file', { path: 'notes/neu.md', content: 'Neu\n' })),
      reply(text('Fertig.')),
    );
    await panel.send('Schreib eine Notiz');
    const card = new ConfirmationCard(page);
    await card.asks(german('Create {0}?', 'notes/neu.md'));
    await window.screenshot('german-card');
    await card.allowOnce();
    await panel.finished();
    const steps = panel.lastAnswer.locator('details.completed-response-disclosure:not([open]) > summary');
    if (await steps.isVisible()) await steps.click();
    await panel.lastAnswer.filter({ hasText: german('Reading {0}', 'README.md') }).waitFor();
    await panel.button(german('Review Changes')).waitFor();
    await panel.link(german('What was sent')).waitFor();
    assert.match(await panel.receipt(), receiptForm());
    await new MemoryView(page).statusItem.filter({ hasText: '1/10' }).waitFor();
    const spoken = await new MemoryView(page).statusItem.locator('a').getAttribute('aria-label');
    assert.ok(spoken?.includes(german('{0} of {1} turns', '1', '10')), spoken ?? '');
    await window.screenshot('german-answer');
  });

  it('P8: sees memory and usage in German', async () => {
    const { page, workbench } = window;
    await workbench.runCommand(`Assistant: ${manifest['command.showMemory']}`);
    await new MemoryView(page).row('Schreib eine Notiz').waitFor();
    await workbench.runCommand(`Assistant: ${manifest['command.showUsage']}`);
    const usage = webviewIn(page);
    await usage.getByText(german('This conversation')).first().waitFor();
    await window.screenshot('german-bars');
    await usage.getByRole('button', { name: german('Table') }).click();
    await usage
      .getByRole('columnheader', { name: german('Tokens in') })
      .first()
      .waitFor();
    assert.equal(await usage.locator('html').getAttribute('lang'), 'de');
    await window.screenshot('german-usage');
    await workbench.closeEditors();
  });

  it('P8: sends Claude the same bytes as anybody else', async () => {
    const inGerman = await lookAround();
    assert.match(await window.panel.receipt(), receiptForm());
    await speak(window.context, 'en');
    await window.reload();
    let inEnglish: typeof inGerman = [];
    // VS Code's own tools are there some time after a reload, on a busy machine after the first message.
    await atMost(
      3,
      'A message with the same tools as before',
      async () => {
        inEnglish = await lookAround();
      },
      async () => inEnglish[0]?.tools.length === inGerman[0]?.tools.length,
    );
    assert.match(await window.panel.receipt(), / \$0\.\d{4} · [\d.]+k in .* out$/);
    assert.deepEqual(inEnglish, inGerman);
  });
});

/** `Sonnet 5.5 · 0,0123 $ · Eingabe 12,3k (11,0k aus dem Cache) · Ausgabe 412` */
function receiptForm(): RegExp {
  const figure = String.raw`[\d,]+k?`;
  const parts = [german('{0} in ({1} cached)', 'X', 'X'), german('{0} out', 'X')];
  const form = parts.map((part) => part.replaceAll(/[()]/g, String.raw`\$&`).replaceAll('X', figure));
  return new RegExp(String.raw`· 0,\d{4}\s\$ · ${form.join(' · ')}`);
}
