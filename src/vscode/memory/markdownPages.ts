import * as vscode from 'vscode';

/** Documents of ours that can only be read, each with an id: Markdown, shown as a page. */
export interface MarkdownPages extends vscode.Disposable {
  show(id: string, title: string): Promise<void>;
  /** Those that are open are rendered again. */
  refresh(): void;
}

export function createMarkdownPages(scheme: string, render: (id: string) => Promise<string>): MarkdownPages {
  const changed = new vscode.EventEmitter<vscode.Uri>();
  const registration = vscode.workspace.registerTextDocumentContentProvider(scheme, {
    onDidChange: changed.event,
    provideTextDocumentContent: ({ query }) => render(query),
  });
  return {
    async show(id, title) {
      // VS Code 1.110 takes two documents for one when their paths are the same, whatever else tells them apart.
      const uri = vscode.Uri.from({ scheme, path: `/${id}/${title}.md`, query: id });
      try {
        // Not with `markdown.showPreview`: its page follows whatever Markdown is opened next, and fetches its pictures.
        await vscode.commands.executeCommand('vscode.openWith', uri, 'vscode.markdown.preview.editor');
      } catch {
        // VS Code's own preview is switched off.
        await vscode.window.showTextDocument(uri, { preview: true });
      }
    },
    refresh() {
      for (const { uri } of vscode.workspace.textDocuments) if (uri.scheme === scheme) changed.fire(uri);
    },
    dispose: () => vscode.Disposable.from(registration, changed).dispose(),
  };
}
