import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { prepareToolCall, runToolCall } from '../../src/core/agent/runToolCall';
import { toResultBlock } from '../../src/core/agent/runTools';
import { ToolError } from '../../src/core/errors';
import { png } from '../support/claude/sampleImages';
import { createInMemoryWorkspace, type Content, type InMemoryWorkspace } from '../support/inMemoryWorkspace';
import { createToolHarness } from '../support/toolHarness';
import { refusalOf } from './strictModel';
import { fuzzTarget, type FuzzTarget } from './target';
import { toolCall, type FuzzedCall } from './toolCalls';

/** What Claude, or a text that it read, makes of the input of a tool of ours. */
export function toolInputTarget(): FuzzTarget {
  return fuzzTarget({
    name: 'tool input',
    share: 20,
    input: fc.array(toolCall, { minLength: 1, maxLength: 3 }),
    holds: runCalls,
  });
}

async function runCalls(calls: readonly FuzzedCall[]): Promise<void> {
  const workspace = createWorkspace();
  const harness = createToolHarness(workspace);
  const { signal } = new AbortController();
  const bugs: unknown[] = [];
  for (const { name, input } of calls) {
    const prepared = prepareToolCall({ id: 'toolu_a', name, input }, [harness.tool(name)]);
    const before = new Map(workspace.files);
    const opened = workspace.opened.length;
    const mayWrite =
      prepared.type === 'ready' &&
      (await asksFirst(harness.prepare(name, prepared.call.input as object), name));
    const output =
      prepared.type === 'settled'
        ? prepared.output
        : await runToolCall(
            { ...prepared, tool: noting(prepared.tool, bugs) },
            { wait: async () => undefined },
            signal,
          );
    const block = toResultBlock({ call: { id: 'toolu_a', name, input }, output });
    assert.equal(
      refusalOf([
        { role: 'user', content: 'go' },
        { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_a', name: 'read_file', input: {} }] },
        { role: 'user', content: [block] },
      ]),
      undefined,
    );
    assert.deepEqual(bugs, [], name);
    assert.ok(JSON.stringify(block).length < 400_000, 'a result is capped');
    for (const path of workspace.opened.slice(opened)) assert.ok(isInside(path), `opened ${path}`);
    for (const path of changedPaths(before, workspace.files)) {
      assert.ok(isInside(path), `changed ${path}`);
      assert.ok(mayWrite, `changed ${path} without a question`);
    }
  }
}

/** Whether a person is asked before the call; a call that would fail asks nobody. */
async function asksFirst(
  preparing: Promise<{
    readonly confirmation?: {
      readonly title: string;
      readonly message: string;
      readonly canBeAutoApproved: boolean;
    };
  }>,
  name: string,
): Promise<boolean> {
  try {
    const { confirmation } = await preparing;
    if (confirmation && /\.(vscode|git)\b/i.test(confirmation.title))
      assert.equal(confirmation.canBeAutoApproved, false, name);
    return confirmation !== undefined;
  } catch (error) {
    assert.ok(error instanceof ToolError || isBadExpression(error, name), `${name} threw ${String(error)}`);
    return false;
  }
}

/** Errors are for the model to read; any other is a bug. */
function noting<T extends { readonly name: string; run(...args: never[]): Promise<unknown> }>(
  tool: T,
  bugs: unknown[],
): T {
  const run = async (...args: never[]): Promise<unknown> => {
    try {
      return await tool.run(...args);
    } catch (error) {
      if (!(error instanceof ToolError) && !isBadExpression(error, tool.name)) bugs.push(error);
      throw error;
    }
  };
  return { ...tool, run };
}

/** The workspace in memory has JavaScript's expressions; the real one has ripgrep, which says itself what is wrong. */
function isBadExpression(error: unknown, name: string): boolean {
  return error instanceof SyntaxError && name === 'search_text';
}

function createWorkspace(): InMemoryWorkspace {
  const files: Record<string, Content> = {
    'src/a.ts': 'export const a = 1;\nexport const b = 2;\n',
    'src/b.ts': 'line\n'.repeat(3000),
    'README.md': '# App\n',
    'photo.png': png(4, 4),
    'data.bin': new Uint8Array([0, 1, 2, 255]),
    'big.txt': 'x'.repeat(200_000),
    '.env': 'TOKEN=secret\n',
    out: { link: '/work/app-secrets' },
    dangling: { link: '/nowhere/target' },
    loop: { link: 'loop' },
    pipe: { device: true },
    '/work/app-secrets/key': 'outside',
    '/work/app-secrets/x': 'outside',
    '/etc/passwd': 'root',
  };
  return createInMemoryWorkspace({ files, problems: [], symbols: [], changes: [] });
}

function isInside(path: string): boolean {
  return path === '/work/app' || path.startsWith('/work/app/');
}

function changedPaths(
  before: ReadonlyMap<string, Content>,
  after: ReadonlyMap<string, Content>,
): readonly string[] {
  return [...new Set([...before.keys(), ...after.keys()])].filter(
    (path) => before.get(path) !== after.get(path),
  );
}
