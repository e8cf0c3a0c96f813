import * as l10n from '@vscode/l10n';
import { hasSecretForm, looksLikeSecret } from '../secrets/looksLikeSecret';
import { ellipsize } from '../text/cutText';
import { codeSpan } from '../text/markdown';
import { visibleLine } from '../text/plainText';
import { confirmWeb } from './confirmation';
import { objectOf, string } from './inputSchema';
import { assertWeb, holdsSecret, isAsked, toOutput } from './searchWeb';
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
    if (isTelling(url)) throw holdsSecret();
    return {
      progress: l10n.t('Fetching {0}', codeSpan(ellipsize(visibleLine(url), shownChars))),
      ...(isAsked(context) && { confirmation: confirmWeb('fetch', url) }),
      run: async (_, signal) => toOutput(await context.web.fetch(url, context.turn, signal)),
    };
  },
});

/** What was read can be sent away in an address as well as in a question. */
function isTelling(address: string): boolean {
  const { search, hash } = new URL(address);
  return hasSecretForm(decoded(address)) || looksLikeSecret(decoded(`${search} ${hash}`));
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part.replaceAll('+', ' '));
  } catch {
    // Not encoded as it should be: it is read as it is.
    return part;
  }
}
