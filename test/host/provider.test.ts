import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { png } from '../support/claude/sampleImages';
import { apiError, gate, refusal, reply, text, thinking, toolUse } from '../support/claude/script';
import { withStandIn } from '../support/claude/withStandIn';
import { pointAt } from '../support/hostSettings';
import { modelsAreThere } from '../support/modelsAreThere';

const weather: vscode.LanguageModelChatTool = {
  name: 'get.weather!',
  description: 'Tells the weather.',
  inputSchema: { type: 'object', properties: { place: { type: 'string' } } },
};

function nameOf(tool: object | undefined): string {
  return tool && 'name' in tool ? String(tool.name) : '';
}

describe('P2: Claude for VS Code’s own agent and other extensions', () => {
  const standIn = withStandIn();
  let model: vscode.LanguageModelChat;

  before(async () => {
    await pointAt(standIn.url);
    await modelsAreThere();
    const models = await vscode.lm.selectChatModels({ vendor: 'claude-assistant', id: 'claude-sonnet-5-5' });
    model = models[0]!;
    assert.ok(model);
  });

  async function ask(
    messages: vscode.LanguageModelChatMessage[],
    tools: vscode.LanguageModelChatTool[] = [],
    token?: vscode.CancellationToken,
  ): Promise<unknown[]> {
    const response = await model.sendRequest(messages, { tools }, token);
    const parts: unknown[] = [];
    for await (const part of response.stream) parts.push(part);
    return parts;
  }

  it('lists the Claude models with what they can do', async () => {
    const models = await vscode.lm.selectChatModels({ vendor: 'claude-assistant' });
    assert.ok(models.length >= 5);
    assert.ok(models.every(({ maxInputTokens }) => maxInputTokens >= 100_000));
  });

  it('A32: shows no link where a workspace puts one into the name of a model', async () => {
    const configuration = vscode.workspace.getConfiguration('assistant');
    const { Workspace } = vscode.ConfigurationTarget;
    await configuration.update('model', 'claude-x-[Manage](command:assistant.removeApiKey)', Workspace);
    try {
      // VS Code asks for the models again when Claude's list has changed.
      standIn.script(reply(text('Hi.')));
      await ask([vscode.LanguageModelChatMessage.User('hi')]);
      const shown = await vscode.lm.selectChatModels({ vendor: 'claude-assistant' });
      const words = shown.map(({ id, name, family, version }) => [id, name, family, version].join(' '));
      assert.match(words.join('\n'), /command:assistant\.removeApiKey/);
      assert.doesNotMatch(words.join('\n'), /\]\(|<command/);
    } finally {
      await configuration.update('model', undefined, Workspace);
    }
  });

  it('streams text', async () => {
    standIn.script(reply(text('Hello ', 'there.')));
    const response = await model.sendRequest([vscode.LanguageModelChatMessage.User('hi')]);
    let answer = '';
    for await (const piece of response.text) answer += piece;
    assert.equal(answer, 'Hello there.');
  });

  it('F16: calls a tool by the name that VS Code knows, though the API would refuse it, and takes its result', async () => {
    standIn.script(
      (request) => reply(toolUse(nameOf(request.tools?.[0]), { place: 'Rome' }, { id: 'toolu_1' })),
      reply(text('Sunny.')),
    );
    const user = vscode.LanguageModelChatMessage.User('weather in Rome?');
    const [call] = await ask([user], [weather]);
    assert.ok(call instanceof vscode.LanguageModelToolCallPart);
    assert.deepEqual([call.name, call.input], ['get.weather!', { place: 'Rome' }]);

    const result = new vscode.LanguageModelToolResultPart(call.callId, [
      new vscode.LanguageModelTextPart('sun'),
    ]);
    const parts = await ask(
      [
        user,
        vscode.LanguageModelChatMessage.Assistant([call]),
        vscode.LanguageModelChatMessage.User([new vscode.LanguageModelTextPart('so?'), result]),
      ],
      [weather],
    );
    assert.deepEqual(parts, [new vscode.LanguageModelTextPart('Sunny.')]);
  });

  it('L12: takes a tool without a description or a schema along with the others', async () => {
    standIn.script(reply(text('Sunny.')));
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- extensions that are not typed do so
    const bare = { name: 'bare' } as unknown as vscode.LanguageModelChatTool;
    await ask([vscode.LanguageModelChatMessage.User('weather?')], [bare, weather]);
    assert.match(standIn.journal.messages[0]!.bodyText, /"name":"bare","description":"The tool bare\."/);
  });

  it('L10: takes up its thoughts again with the result of a call, and lets VS Code see them', async () => {
    standIn.script(
      (request) =>
        reply(
          thinking('Rome is sunny.'),
          toolUse(nameOf(request.tools?.[0]), { place: 'Rome' }, { id: 'toolu_2' }),
        ),
      reply(text('Sunny.')),
    );
    const user = vscode.LanguageModelChatMessage.User('weather in Rome?');
    const first = await ask([user], [weather]);
    const call = first.find((part) => part instanceof vscode.LanguageModelToolCallPart);
    assert.ok(call);
    assert.equal(JSON.stringify(first).includes('Rome is sunny'), 'LanguageModelThinkingPart' in vscode);
    const sun = new vscode.LanguageModelToolResultPart(call.callId, [
      new vscode.LanguageModelTextPart('sun'),
    ]);
    const messages = [
      user,
      vscode.LanguageModelChatMessage.Assistant([call]),
      vscode.LanguageModelChatMessage.User([sun]),
    ];
    assert.deepEqual(await ask(messages, [weather]), [new vscode.LanguageModelTextPart('Sunny.')]);
    assert.match(standIn.journal.messages[1]!.bodyText, /"type":"thinking"/);
  });

  it('L4: a refusal is an error of VS Code’s own kind, never a short answer', async () => {
    standIn.script(reply(text('I '), refusal('That would do harm.')));
    await assert.rejects(
      () => ask([vscode.LanguageModelChatMessage.User('hi')]),
      /Claude declined to answer this: That would do harm\./,
    );
  });

  it('sends images by what they are, not by what they are called', async () => {
    standIn.script(reply(text('A square.')));
    const image = vscode.LanguageModelDataPart.image(png(8, 8), 'image/jpeg');
    const parts = await ask([vscode.LanguageModelChatMessage.User([image])]);
    assert.deepEqual(parts, [new vscode.LanguageModelTextPart('A square.')]);
    assert.match(standIn.journal.messages[0]!.bodyText, /"type":"image","source":\{"type":"base64"/);
  });

  // VS Code 1.110 does not pass a cancellation on to a provider once the answer has begun.
  if (!vscode.version.startsWith('1.110.')) {
    it('stops when it is cancelled', async () => {
      standIn.script(reply(text('Once ', gate(), 'upon a time')));
      const source = new vscode.CancellationTokenSource();
      const messages = [vscode.LanguageModelChatMessage.User('a tale')];
      const response = await model.sendRequest(messages, {}, source.token);
      for await (const piece of response.text) if (piece) break;
      source.cancel();
      const [entry] = standIn.journal.messages;
      await entry!.ended;
      assert.equal(entry!.outcome.state, 'aborted');
    });
  }

  it('counts tokens: by itself for a few words, with Claude for many', async () => {
    const count = await model.countTokens('a few words to count');
    assert.ok(count > 2 && count < 40, String(count));
    assert.equal(standIn.journal.entries.length, 0);
    const many = await model.countTokens('a few words to count '.repeat(1_000));
    assert.ok(many > 3_000 && many < 12_000, String(many));
    assert.deepEqual(
      standIn.journal.entries.map(({ path }) => path),
      ['/v1/messages/count_tokens'],
    );
  });

  it('L8: fails with a sentence that says what to do', async () => {
    standIn.script(apiError(404, { message: 'model: nope' }));
    await assert.rejects(
      () => ask([vscode.LanguageModelChatMessage.User('hi')]),
      /Claude does not know this model/,
    );
  });
});
