import * as vscode from 'vscode';
import type { Log } from '../../core/ports';
import { ellipsize, inOneLine } from '../../core/text/cutText';
import { stateOf, stepsOf, type Plan } from '../../core/tools/plans/plan';
import { invokeTool, type ToolToken } from '../tools/invokeTool';

const todoTool = 'manage_todo_list';
const maxTodos = 50;
const maxTitle = 80;

/** Shows the steps of a plan at work in VS Code's own todo list (N3), where there is one and it is not switched off. */
export function todoList(
  token: ToolToken,
  disabled: readonly string[],
  log: Log,
): (plan: Plan, signal: AbortSignal) => Promise<void> {
  return async (plan, signal) => {
    // A window that was just opened has it a little later.
    const isThere = vscode.lm.tools.some(({ name }) => name === todoTool);
    if (!isThere || disabled.includes(todoTool)) return;
    const steps = stepsOf(plan.text).slice(0, maxTodos);
    if (stateOf(plan) !== 'started' || steps.length === 0) return;
    const next = steps.findIndex(({ isDone }) => !isDone);
    const todos = steps.map(({ title, isDone }, index) => ({
      id: index + 1,
      title: ellipsize(inOneLine(title), maxTitle),
      status: isDone ? 'completed' : index === next ? 'in-progress' : 'not-started',
    }));
    try {
      await invokeTool(todoTool, { todoList: todos }, token, signal);
    } catch {
      // The plan is written, whatever VS Code makes of its list.
      if (!signal.aborted) log.warn('the todo list of VS Code failed');
    }
  };
}
