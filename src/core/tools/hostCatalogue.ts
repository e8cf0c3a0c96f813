import * as l10n from '@vscode/l10n';
import type { Tool } from './tool';

/** A tool of VS Code itself that we offer, and when Claude should use it, in our words. */
export interface KnownHostTool {
  readonly name: string;
  readonly use: string;
  readonly effect: Tool['effect'];
  /**
   * Who asks the person before it runs, and in which words we ask. VS Code runs some tools unasked that change something
   * (S2), which we ask about; a test in the panel sees that VS Code has not changed its mind. Absent where nothing
   * outside of the chat changes.
   */
  readonly asks?: { readonly by: 'vscode' | 'us'; readonly question: () => string };
  /** It types into a shell, so that the rules for commands count for it, too. */
  readonly isTerminal?: boolean;
  /** Its input names a file by `filePath`, or by an address that we leave out: see `hostToolPaths.ts`. */
  readonly takesFilePath?: boolean;
  /** Its input wants absolute paths, which our own tools never show. */
  readonly needsRoots?: boolean;
}

/** In the order in which Claude gets them; what is not there at run time is not offered. */
export const knownHostTools: readonly KnownHostTool[] = [
  {
    name: 'run_in_terminal',
    use:
      'Run a shell command in a terminal of VS Code, starting in the workspace folder. Use it for builds, scripts, git, ' +
      'package managers, and whatever no other tool does; to read, search or edit files use the tools for that. One ' +
      'command line a call; mode "sync" waits for it and returns its output, "async" is for servers and watchers and ' +
      'returns an id for get_terminal_output. The person sees the exact command and may change or refuse it.',
    effect: 'writes',
    asks: { by: 'vscode', question: () => l10n.t('Run a command in a terminal?') },
    isTerminal: true,
  },
  {
    name: 'get_terminal_output',
    use: 'Get what a terminal started by run_in_terminal in mode "async" (or moved to the background) has printed.',
    effect: 'reads',
  },
  {
    name: 'send_to_terminal',
    use: 'Type a line into a terminal that run_in_terminal left running, for example to answer its prompt.',
    effect: 'writes',
    asks: { by: 'vscode', question: () => l10n.t('Type into a terminal?') },
    isTerminal: true,
  },
  {
    name: 'kill_terminal',
    use: 'End a terminal that run_in_terminal left running, once it is no longer needed.',
    effect: 'writes',
    asks: { by: 'us', question: () => l10n.t('End a terminal that is still running?') },
  },
  {
    name: 'run_task',
    use: 'Run a task of the workspace, such as its build. Prefer it to a terminal where a fitting task is defined.',
    effect: 'writes',
    asks: { by: 'vscode', question: () => l10n.t('Run a task of the workspace?') },
    needsRoots: true,
  },
  {
    name: 'get_task_output',
    use: 'Get what a task has printed.',
    effect: 'reads',
    needsRoots: true,
  },
  {
    name: 'runTests',
    use:
      'Run tests through the test explorer and get their results. Prefer it to a terminal when the tests of the project ' +
      'are shown there; name files to keep it short.',
    effect: 'writes',
    asks: { by: 'vscode', question: () => l10n.t('Run tests?') },
    needsRoots: true,
  },
  {
    name: 'testFailure',
    use: 'Get the details of the last failed tests: message, place, stack.',
    effect: 'reads',
  },
  {
    name: 'vscode_listCodeUsages',
    use:
      'Find all references, definitions and implementations of a symbol, as the language tools know them. More exact than ' +
      'search_text. Give filePath relative to the workspace folder, and lineContent as text of a line where it stands.',
    effect: 'reads',
    takesFilePath: true,
  },
  {
    name: 'vscode_renameSymbol',
    use:
      'Rename a symbol everywhere it is used, as the language tools know it. Prefer it to edit_file for names in code. ' +
      'Give filePath relative to the workspace folder, and lineContent as text of a line where it stands.',
    effect: 'writes',
    takesFilePath: true,
    asks: { by: 'us', question: () => l10n.t('Rename a symbol wherever it is used?') },
  },
  {
    name: 'manage_todo_list',
    use:
      'Show the person a list of steps and their state. Use it for work of several steps: write the whole list at first, ' +
      'then again whenever a step starts or is done. Not for simple questions.',
    effect: 'writes',
  },
  {
    name: 'renderMermaidDiagram',
    use: 'Draw a Mermaid diagram in the chat, when a picture explains structure or flow better than words.',
    effect: 'writes',
  },
];

/**
 * Parts of VS Code and of Copilot that are no tools for us: they edit through other doors, ask questions in our name, or
 * do again what ours do. `vscode_askQuestions` is used by `ask_user`.
 */
export function isInternalTool(name: string): boolean {
  return (
    /^(vscode_|setup_tools_|setup\.|inline_chat_|copilot_|terminal_(selection|last_command)$)/.test(name) ||
    ['create_and_run_task', 'task_complete', 'runSubagent', 'switch_agent'].includes(name)
  );
}
