import * as l10n from '@vscode/l10n';
import type { ModelError, ModelErrorKind, Remedy } from '../errors';
import type { TurnEnd } from './events';

/** One sentence for the person, and the button that helps. */
export interface Description {
  readonly text: string;
  readonly remedy?: Remedy;
}

/** How a turn ended, for the person; undefined when the answer, or the person's own doing, says it all. */
export function describeEnd(end: TurnEnd): Description | undefined {
  switch (end.reason) {
    case 'answered':
    case 'asked':
    case 'cancelled':
    case 'yielded':
      return undefined;
    case 'round-limit':
      return {
        text: l10n.t('Stopped after {0} rounds of tool calls, as assistant.maxRounds says.', end.rounds),
        remedy: 'continue',
      };
    case 'loop':
      return {
        text: l10n.t('Stopped, because {0} was called three times in a row with the same result.', end.tool),
        remedy: 'continue',
      };
    case 'output-limit':
      return {
        text: l10n.t('The answer reached the output limit. assistant.maxOutputTokens can be raised.'),
        remedy: 'continue',
      };
    case 'refused':
      return {
        text: end.explanation
          ? l10n.t('Claude declined to answer this: {0}', end.explanation)
          : l10n.t('Claude declined to answer this. Another model, or other words, may help.'),
        remedy: 'choose-model',
      };
    case 'empty':
      return { text: l10n.t('Claude sent an empty answer.'), remedy: 'retry' };
    case 'failed':
      break;
  }
  return describeError(end.error);
}

/** Each kind of failure in its own words. Those of the API, or of a gateway, are added, and the request id where it helps. */
export function describeError(error: ModelError): Description {
  const description = kinds[error.kind](error);
  const request =
    error.requestId && !ownToMend.has(error.kind) ? [l10n.t('(Request {0})', error.requestId)] : [];
  return {
    ...description,
    text: [description.text, ...foreignAnswer(error), ...request].join(' '),
  };
}

/** What somebody else than Claude said. */
function foreignAnswer({ foreignWords, status }: ModelError): readonly string[] {
  if (foreignWords === undefined || status === undefined) return [];
  return foreignWords === ''
    ? [l10n.t('It answered with status {0}.', status)]
    : [l10n.t('It answered with status {0}: “{1}”', status, foreignWords)];
}

/** Why the same request is sent once more, and when. */
export function describeWait(error: ModelError, delayMs: number): string {
  const isGateway = error.kind === 'server-error' && error.foreignWords !== undefined;
  return [
    isGateway ? l10n.t('A gateway or proxy failed.') : waitReason(error.kind),
    ...foreignAnswer(error),
    l10n.t('Asking again in {0}…', duration(delayMs)),
  ].join(' ');
}

/** The sentence that closes an interrupted turn in memory. It is read by Claude, so it is not translated. */
export function closingSentence(end: TurnEnd): string {
  switch (end.reason) {
    case 'answered':
    case 'empty':
      return '[The turn ended here without closing words.]';
    case 'asked':
      return end.question.question;
    case 'cancelled':
      return '[Stopped by the person before this was finished.]';
    case 'yielded':
      return '[Interrupted by a new message of the person.]';
    case 'round-limit':
      return `[Stopped by the limit of ${end.rounds} tool rounds before this was finished.]`;
    case 'loop':
      return `[Stopped: ${end.tool} was called three times in a row with the same result.]`;
    case 'output-limit':
      return '[Cut off by the output limit.]';
    case 'refused':
      return '[The answer was declined.]';
    case 'failed':
      break;
  }
  return '[The request to Claude failed before this was finished.]';
}

/** What the person mends alone: nobody else has to find the request. */
const ownToMend: ReadonlySet<ModelErrorKind> = new Set([
  'rejected-key',
  'no-credit',
  'unknown-model',
  'too-long',
  'too-large',
]);

function waitReason(kind: ModelErrorKind): string {
  switch (kind) {
    case 'rate-limited':
      return l10n.t('The rate limit of this API key is reached.');
    case 'overloaded':
      return l10n.t('Claude is overloaded.');
    case 'server-error':
      return l10n.t('Claude had an internal error.');
    case 'dropped':
      return l10n.t('The connection to Claude broke off.');
    case 'stalled':
      return l10n.t('Claude stopped sending.');
    case 'unreachable':
      return l10n.t('Claude cannot be reached.');
    default:
      return l10n.t('The request failed.');
  }
}

type Describe = (error: ModelError) => Description;

const kinds: Readonly<Record<ModelErrorKind, Describe>> = {
  'no-key': () => ({
    text: l10n.t('Claude needs an API key. Set one, then ask again.'),
    remedy: 'set-api-key',
  }),
  'rejected-key': () => ({
    text: l10n.t('Claude rejected the API key. Set a valid one, then ask again.'),
    remedy: 'set-api-key',
  }),
  forbidden: ({ message }) => ({
    text: l10n.t('This API key is not allowed to do this: {0}', message),
    remedy: 'set-api-key',
  }),
  'no-credit': ({ message }) => ({
    text: l10n.t('The Claude account has no credit left, or has reached its limit: {0}', message),
    remedy: 'set-api-key',
  }),
  'unknown-model': ({ message }) => ({
    text: l10n.t('Claude does not know this model ({0}). Choose another one.', message),
    remedy: 'choose-model',
  }),
  unreachable: () => ({
    text: l10n.t('Claude cannot be reached. Check the network, the proxy and assistant.baseUrl.'),
    remedy: 'open-settings',
  }),
  'not-claude': () => ({
    text: l10n.t('Something other than Claude answered. Check assistant.baseUrl and the proxy.'),
    remedy: 'open-settings',
  }),
  'rate-limited': ({ retryAfterMs }) => ({
    text: retryAfterMs
      ? l10n.t('The rate limit of this API key is reached. Try again in {0}.', duration(retryAfterMs))
      : l10n.t('The rate limit of this API key is reached. Try again later.'),
    remedy: 'retry',
  }),
  overloaded: () => ({
    text: l10n.t('Claude is overloaded at the moment. Try again later.'),
    remedy: 'retry',
  }),
  'server-error': ({ foreignWords }) => ({
    text:
      foreignWords === undefined
        ? l10n.t('Claude had an internal error. Try again.')
        : l10n.t('A gateway or proxy failed. Try again.'),
    remedy: 'retry',
  }),
  dropped: () => ({
    text: l10n.t('The connection to Claude broke off. Try again.'),
    remedy: 'retry',
  }),
  stalled: () => ({
    text: l10n.t('Claude sent nothing for too long. Try again.'),
    remedy: 'retry',
  }),
  'too-long': () => ({
    text: l10n.t('This is too long for the model, even without older turns. Attach or ask for less.'),
    remedy: 'choose-model',
  }),
  'too-large': () => ({
    text: l10n.t('The request is too large to be sent. Attach fewer or smaller files.'),
  }),
  'bad-request': ({ message }) => ({
    text: l10n.t('Claude did not accept the request: {0}', message),
    remedy: 'show-log',
  }),
  unexpected: () => ({
    text: l10n.t('Something went wrong in the extension itself. The log says more.'),
    remedy: 'show-log',
  }),
};

function duration(ms: number): string {
  const seconds = Math.ceil(ms / 1000);
  return seconds < 120 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`;
}
