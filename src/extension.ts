import * as vscode from 'vscode';

/** The wiring, top to bottom. */
export function activate(context: vscode.ExtensionContext): void {
  context.subscriptions.push(
    vscode.lm.registerLanguageModelChatProvider('claude-assistant', {
      provideLanguageModelChatInformation: () => [
        { id: 'claude-sonnet-5-5', name: 'Claude Sonnet 5.5', family: 'claude', version: '5.5', maxInputTokens: 1_000_000, maxOutputTokens: 32_000, capabilities: { toolCalling: true, imageInput: true }, isUserSelectable: true, isDefault: true } as never,
      ],
      provideLanguageModelChatResponse: async () => {},
      provideTokenCount: async () => 1,
    }),
    vscode.chat.createChatParticipant('claude-assistant.assistant', (request, _context, stream) => {
      stream.markdown(`You said: ${request.prompt} to ${request.model.id}`);
      stream.button({ command: 'assistant.setApiKey', title: 'Set API Key' });
      return { metadata: { hello: 1 }, details: 'Claude Sonnet 5.5 · 12 in' } as never;
    }),
    vscode.commands.registerCommand('assistant.ask', () =>
      vscode.commands.executeCommand('workbench.action.chat.open', { query: '@assistant ', isPartialQuery: true }),
    ),
  );
  void vscode.lm.selectChatModels({ vendor: 'claude-assistant' });
}
