import type { ModelError, ModelErrorKind, Remedy } from '../errors';
import { inEnglish, type Translate } from '../translate';
import type { TurnEnd } from './events';

/** One sentence for the person, and the button that helps. */
export interface Description {
  readonly text: string;
  readonly remedy?: Remedy;
}

/** How a turn ended, for the person; undefined when the answer, or the person's own doing, says it all. */
export function describeEnd(end: TurnEnd, translate: Translate = inEnglish): Description | undefined {
  switch (end.reason) {
    case 'answered':
    case 'asked':
    case 'cancelled':
    case 'yielded':
      return undefined;
    case 'round-limit':
      return {
        text: translate(
          'Stopped after {0} rounds of tool calls, as assistant.maxRounds says.',
          String(end.rounds),
        ),
        remedy: 'continue',
      };
    case 'loop':
      return {
        text: translate(
          'Stopped, because {0} was called three times in a row with the same result.',
          end.tool,
        ),
        remedy: 'continue',
      };
    case 'output-limit':
      return {
        text: translate('The answer reached the output limit. assistant.maxOutputTokens can be raised.'),
        remedy: 'continue',
      };
    case 'refused':
      return {
        text: end.explanation
          ? translate('Claude declined to answer this: {0}', end.explanation)
          : translate('Claude declined to answer this. Another model, or other words, may help.'),
        remedy: 'choose-model',
      };
    case 'empty':
      return { text: translate('Claude sent an empty answer.'), remedy: 'retry' };
    case 'failed':
      break;
  }
  return describeError(end.error, translate);
}

/** Each kind of failure in its own words. Those of the API, or of a gateway, are added, and the request id where it helps. */
export function describeError(error: ModelError, translate: Translate = inEnglish): Description {
  const description = kinds[error.kind](error, translate);
  const request =
    error.requestId && !ownToMend.has(error.kind) ? [translate('(Request {0})', error.requestId)] : [];
  return {
    ...description,
    text: [description.text, ...foreignAnswer(error, translate), ...request].join(' '),
  };
}

/** What somebody else than Claude said. */
function foreignAnswer({ foreignWords, status }: ModelError, translate: Translate): readonly string[] {
  if (foreignWords === undefined || status === undefined) return [];
  return foreignWords === ''
    ? [translate('It answered with status {0}.', String(status))]
    : [translate('It answered with status {0}: “{1}”', String(status), foreignWords)];
}

/** Why the same request is sent once more, and when. */
export function describeWait(error: ModelError, delayMs: number, translate: Translate = inEnglish): string {
  const isGateway = error.kind === 'server-error' && error.foreignWords !== undefined;
  const reason = isGateway ? 'A gateway or proxy failed.' : waitReasons[error.kind];
  return [
    translate(reason ?? 'The request failed.'),
    ...foreignAnswer(error, translate),
    translate('Asking again in {0}…', duration(delayMs)),
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

const waitReasons: Readonly<Partial<Record<ModelErrorKind, string>>> = {
  'rate-limited': 'The rate limit of this API key is reached.',
  overloaded: 'Claude is overloaded.',
  'server-error': 'Claude had an internal error.',
  dropped: 'The connection to Claude broke off.',
  stalled: 'Claude stopped sending.',
  unreachable: 'Claude cannot be reached.',
};

type Describe = (error: ModelError, translate: Translate) => Description;

const kinds: Readonly<Record<ModelErrorKind, Describe>> = {
  'no-key': (_, translate) => ({
    text: translate('Claude needs an API key. Set one, then ask again.'),
    remedy: 'set-api-key',
  }),
  'rejected-key': (_, translate) => ({
    text: translate('Claude rejected the API key. Set a valid one, then ask again.'),
    remedy: 'set-api-key',
  }),
  forbidden: ({ message }, translate) => ({
    text: translate('This API key is not allowed to do this: {0}', message),
    remedy: 'set-api-key',
  }),
  'no-credit': ({ message }, translate) => ({
    text: translate('The Claude account has no credit left, or has reached its limit: {0}', message),
    remedy: 'set-api-key',
  }),
  'unknown-model': ({ message }, translate) => ({
    text: translate('Claude does not know this model ({0}). Choose another one.', message),
    remedy: 'choose-model',
  }),
  unreachable: (_, translate) => ({
    text: translate('Claude cannot be reached. Check the network, the proxy and assistant.baseUrl.'),
    remedy: 'open-settings',
  }),
  'not-claude': (_, translate) => ({
    text: translate('Something other than Claude answered. Check assistant.baseUrl and the proxy.'),
    remedy: 'open-settings',
  }),
  'rate-limited': ({ retryAfterMs }, translate) => ({
    text: retryAfterMs
      ? translate('The rate limit of this API key is reached. Try again in {0}.', duration(retryAfterMs))
      : translate('The rate limit of this API key is reached. Try again later.'),
    remedy: 'retry',
  }),
  overloaded: (_, translate) => ({
    text: translate('Claude is overloaded at the moment. Try again later.'),
    remedy: 'retry',
  }),
  'server-error': ({ foreignWords }, translate) => ({
    text:
      foreignWords === undefined
        ? translate('Claude had an internal error. Try again.')
        : translate('A gateway or proxy failed. Try again.'),
    remedy: 'retry',
  }),
  dropped: (_, translate) => ({
    text: translate('The connection to Claude broke off. Try again.'),
    remedy: 'retry',
  }),
  stalled: (_, translate) => ({
    text: translate('Claude sent nothing for too long. Try again.'),
    remedy: 'retry',
  }),
  'too-long': (_, translate) => ({
    text: translate('This is too long for the model, even without older turns. Attach or ask for less.'),
    remedy: 'choose-model',
  }),
  'too-large': (_, translate) => ({
    text: translate('The request is too large to be sent. Attach fewer or smaller files.'),
  }),
  'bad-request': ({ message }, translate) => ({
    text: translate('Claude did not accept the request: {0}', message),
    remedy: 'show-log',
  }),
  unexpected: (_, translate) => ({
    text: translate('Something went wrong in the extension itself. The log says more.'),
    remedy: 'show-log',
  }),
};

function duration(ms: number): string {
  const seconds = Math.ceil(ms / 1000);
  return seconds < 120 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`;
}
