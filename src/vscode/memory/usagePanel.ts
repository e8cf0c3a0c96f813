import { randomBytes } from 'node:crypto';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Today } from '../../core/conversation/reports/daySum';
import type { RememberedConversation } from '../../core/ledger/conversationRecords';
import { usageView } from '../../core/ledger/usageView';
import type { Log } from '../../core/ports';
import { isObject } from '../../core/text/json';
import { formats } from '../formats';
import type { ShownLedger } from './ledgerDocuments';

const viewType = 'assistant.usage';

export interface UsagePanel extends vscode.Disposable {
  show(): void;
}

/** The usage page: one panel, which keeps itself up to date and comes back after a reload. */
export function createUsagePanel(options: {
  readonly ledger: ShownLedger;
  readonly current: () => RememberedConversation;
  readonly today: () => Promise<Today>;
  readonly nameOfModel: (id: string) => string;
  readonly extensionUri: vscode.Uri;
  readonly log: Log;
}): UsagePanel {
  const { ledger, nameOfModel, extensionUri, log } = options;
  let panel: vscode.WebviewPanel | undefined;

  async function update(): Promise<void> {
    if (!panel) return;
    try {
      const records = await ledger.records();
      const view = usageView(options.current(), records, { nameOfModel, formats }, await options.today());
      // It may have been closed in between.
      await panel?.webview.postMessage(view);
    } catch (error) {
      log.error('the usage page could not be updated', error);
    }
  }

  function adopt(opened: vscode.WebviewPanel): void {
    panel = opened;
    opened.onDidDispose(() => (panel = undefined));
    opened.webview.onDidReceiveMessage((message: unknown) => {
      if (!isObject(message)) return;
      const { type, turn } = message;
      if (type === 'ready') void update();
      if (type === 'ask') void vscode.commands.executeCommand('assistant.ask');
      if (type === 'open' && typeof turn === 'string')
        void vscode.commands.executeCommand('assistant.showLedger', turn);
    });
    const localResourceRoots = ['dist', 'media'].map((name) => vscode.Uri.joinPath(extensionUri, name));
    opened.webview.options = { enableScripts: true, localResourceRoots };
    opened.iconPath = {
      light: vscode.Uri.joinPath(extensionUri, 'media/icon-light.svg'),
      dark: vscode.Uri.joinPath(extensionUri, 'media/icon-dark.svg'),
    };
    opened.webview.html = pageHtml(opened.webview, extensionUri);
  }

  const subscription = ledger.onDidChange(() => void update());
  const serializer = vscode.window.registerWebviewPanelSerializer(viewType, {
    deserializeWebviewPanel: async (opened) => adopt(opened),
  });

  return {
    show() {
      if (panel) return panel.reveal();
      const { Active } = vscode.ViewColumn;
      return adopt(vscode.window.createWebviewPanel(viewType, l10n.t('Assistant Usage'), Active));
    },
    dispose() {
      subscription.dispose();
      serializer.dispose();
      panel?.dispose();
    },
  };
}

/** Nothing runs or is fetched but our own script and style. */
function pageHtml(webview: vscode.Webview, extensionUri: vscode.Uri): string {
  const nonce = randomBytes(16).toString('base64');
  const resource = (path: string) => String(webview.asWebviewUri(vscode.Uri.joinPath(extensionUri, path)));
  const policy = `default-src 'none'; style-src ${webview.cspSource}; script-src 'nonce-${nonce}'`;
  return `<!doctype html>
<html lang="${vscode.env.language}">
  <head>
    <meta charset="utf-8">
    <meta http-equiv="Content-Security-Policy" content="${policy}">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <link rel="stylesheet" href="${resource('media/usage.css')}">
    <title>${l10n.t('Assistant Usage')}</title>
  </head>
  <body>
    <main></main>
    <script nonce="${nonce}" src="${resource('dist/usagePage.js')}"></script>
  </body>
</html>`;
}
