import * as vscode from 'vscode';
import type { AgentEvent } from '../../core/agent/events';
import { readFolders, uriOf } from '../tools/places';

/** More than these nobody opens, and VS Code lists them all. */
const maxReferences = 20;

/** The files of an answer as VS Code lists them above it (P5): what went along with the message, and what tools touched. */
export class AnswerReferences {
  readonly #stream: vscode.ChatResponseStream;
  readonly #shown = new Set<string>();

  constructor(stream: vscode.ChatResponseStream) {
    this.#stream = stream;
  }

  /** Each file once, whatever part of it was meant. */
  add(value: vscode.Uri | vscode.Location): void {
    const key = String(value instanceof vscode.Uri ? value : value.uri);
    if (this.#shown.has(key) || this.#shown.size >= maxReferences) return;
    this.#shown.add(key);
    this.#stream.reference(value);
  }

  follow(event: AgentEvent): void {
    if (event.type !== 'tool-end' || event.output.isError) return;
    const folders = new Set(readFolders().map(({ root }) => root));
    // The folder may have left the workspace meanwhile.
    const files = (event.output.files ?? []).filter(({ folder }) => folders.has(folder.root));
    for (const place of files) this.add(uriOf(place));
  }
}
