import * as l10n from '@vscode/l10n';
import { ellipsize } from '../text/cutText';
import { codeSpan } from '../text/markdown';
import { visibleLine } from '../text/plainText';
import { confirmWeb } from './confirmation';
import { objectOf, string } from './inputSchema';
import { assertWeb, isAsked, toOutput } from './searchWeb';
import { checkAddress } from './web/address';
import { defineTool } from './workspaceTool';

const shownChars = 80;

/** L17. */
export const fetchPage = defineTool<{ readonly url: string }>({
  name: 'fetch_page',
  title: () => l10n.t('Fetch a Page'),
  description:
    'Get the text of one public page of the web, or of a PDF there. The person sees the address first, and it leaves ' +
    'their machine: put nothing of theirs into it.',
  effect: 'reads',
  inputSchema: objectOf({
    url: string('The whole address, https or http.', { minLength: 1, maxLength: 2000 }),
  }),
  async prepare(input, context) {
    assertWeb(context);
    const url = checkAddress(input.url, context.web.domains());
    return {
      progress: l10n.t('Fetching {0}', codeSpan(ellipsize(visibleLine(url), shownChars))),
      ...(isAsked(context) && { confirmation: confirmWeb('fetch', url) }),
      run: async (_, signal) => toOutput(await context.web.fetch(url, context.turn, signal)),
    };
  },
});
