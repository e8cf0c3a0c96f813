import * as l10n from '@vscode/l10n';
import { ToolError } from '../errors';
import { looksLikeSecret } from '../secrets/looksLikeSecret';
import { ellipsize } from '../text/cutText';
import { codeSpan } from '../text/markdown';
import { visibleLine } from '../text/plainText';
import { confirmWeb } from './confirmation';
import { objectOf, string } from './inputSchema';
import type { ToolOutput } from './tool';
import type { WebFindings } from './web/web';
import { defineTool, type ToolContext } from './workspaceTool';

/** In the line of a call. */
const shownChars = 80;

/** L17. */
export const searchWeb = defineTool<{ readonly question: string }>({
  name: 'search_web',
  title: () => l10n.t('Search the Web'),
  description:
    'Ask the web and get findings with their addresses: current versions, documentation, error messages. The person sees ' +
    'the question first, and it leaves their machine: no code, names or secrets of theirs in it.',
  effect: 'reads',
  inputSchema: objectOf({
    question: string('One question, complete in itself.', { minLength: 1, maxLength: 1000 }),
  }),
  async prepare(input, context) {
    assertWeb(context);
    const question = input.question.trim().replaceAll(/\s+/g, ' ');
    if (question === '') throw new ToolError('There is no question: say what to look for.');
    if (looksLikeSecret(question)) throw holdsSecret();
    return {
      progress: l10n.t('Searching the web for {0}', codeSpan(ellipsize(visibleLine(question), shownChars))),
      ...(isAsked(context) && { confirmation: confirmWeb('search', question) }),
      run: async (_, signal) => toOutput(await context.web.search(question, context.turn, signal)),
    };
  },
});

/** Never in a workspace that is not trusted: its files could ask for it. */
export function assertWeb({ web, workspace }: ToolContext): void {
  if (!workspace.isTrusted())
    throw new ToolError('The person has not trusted this workspace, so that nothing is sent to the web.');
  if (web.mode() === 'off') throw new ToolError('The person has switched off the web. Go on without it.');
}

/** Nobody is asked to let it go (A33). */
export function holdsSecret(): ToolError {
  return new ToolError(
    'This was not sent: something in it looks like a key or a password. Ask without it, in words of your own.',
  );
}

/** `on` is for our own turns: other chats always show a card. */
export function isAsked({ web, turn }: ToolContext): boolean {
  return turn === undefined || web.mode() !== 'on';
}

export function toOutput({ text, sources }: WebFindings): ToolOutput {
  return { content: text, sources };
}
