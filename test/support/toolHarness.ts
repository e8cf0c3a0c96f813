import assert from 'node:assert/strict';
import { ToolError } from '../../src/core/errors';
import { createSecretFilesReader, defaultSecretFiles } from '../../src/core/tools/paths/secretFiles';
import type { ToolOutput } from '../../src/core/tools/tool';
import { createToolset } from '../../src/core/tools/toolset';
import type { Workspace } from '../../src/core/tools/workspace';
import type { Preparation, WorkspaceTool } from '../../src/core/tools/workspaceTool';
import { unrecorded } from './changes';
import { guidanceOver, personalFolder } from './guidance';
import { unkept } from './notes';

/** The toolset over a workspace, with the words that tests need. */
export interface ToolHarness {
  readonly all: readonly WorkspaceTool[];
  readonly tool: (name: string) => WorkspaceTool;
  readonly run: (name: string, input: object) => Promise<ToolOutput>;
  /** The text of a result that is text. */
  readonly text: (name: string, input: object) => Promise<string>;
  /** The sentence for the model when the call is refused; fails when it is not. */
  readonly refusal: (name: string, input: object) => Promise<string>;
  readonly prepare: (name: string, input: object) => Promise<Preparation>;
}

export function createToolHarness(workspace: Workspace, person = personalFolder({})): ToolHarness {
  const tools = createToolset({
    workspace,
    secretFiles: createSecretFilesReader(() => defaultSecretFiles),
    changes: unrecorded,
    notes: unkept,
    guidance: guidanceOver(workspace, person),
  });
  const { signal } = new AbortController();
  const harness: ToolHarness = {
    all: tools,
    tool(name) {
      const tool = tools.find((candidate) => candidate.name === name);
      assert.ok(tool, `there is no tool ${name}`);
      return tool;
    },
    run: (name, input) => harness.tool(name).run({ id: 'call', name, input }, signal),
    async text(name, input) {
      const { content } = await harness.run(name, input);
      assert.ok(typeof content === 'string');
      return content;
    },
    async refusal(name, input) {
      const error: unknown = await harness.run(name, input).then(
        ({ content }) => assert.fail(`not refused: ${JSON.stringify(content)}`),
        (reason: unknown) => reason,
      );
      assert.ok(error instanceof ToolError, String(error));
      return error.message;
    },
    prepare: (name, input) => harness.tool(name).prepare(input, signal),
  };
  return harness;
}
