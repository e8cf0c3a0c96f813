import type { CallingTurn } from '../workspaceTool';
import type { WebDomains } from './domains';

/** `assistant.web` (L17): `ask` shows a card first, `on` does not, `off` is no web at all. */
export type WebMode = 'ask' | 'on' | 'off';

/** Where something was found. */
export interface WebSource {
  readonly url: string;
  readonly title: string;
}

export interface WebFindings {
  readonly text: string;
  readonly sources: readonly WebSource[];
}

/** The web, as far as the settings let Claude look into it. Throws ToolError where it cannot. */
export interface Web {
  readonly mode: () => WebMode;
  readonly domains: () => WebDomains;
  search(question: string, turn: CallingTurn | undefined, signal: AbortSignal): Promise<WebFindings>;
  fetch(url: string, turn: CallingTurn | undefined, signal: AbortSignal): Promise<WebFindings>;
}

/** The names of the tools that look into it. */
export const webTools: readonly string[] = ['search_web', 'fetch_page'];
