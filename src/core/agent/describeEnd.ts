import * as l10n from '@vscode/l10n';
import { OverBudget, type BudgetStop, type ModelError, type ModelErrorKind, type Remedy } from '../errors';
import { dollars } from '../receipt';
import { inDollars } from '../text/figures';
import { paragraph } from '../text/joined';
import type { TurnEnd } from './events';

/** One sentence for the user, and the button that helps. */
export interface Description {
  readonly text: string;
  readonly remedy?: Remedy;
}

/** How a turn ended, for the user; undefined when the answer, or what the user did, makes that clear. */
export function describeEnd(end: TurnEnd): Description | undefined {
  switch (end.reason) {
    case 'answered':
    case 'asked':
    case 'cancelled':
    case 'yielded':
      return undefined;
    case 'round-limit':
      return offer(
        'continue',
        end.rounds === 1
          ? l10n.t('Stopped after 1 tool round (assistant.maxRounds).')
          : l10n.t('Stopped after {0} tool rounds (assistant.maxRounds).', end.rounds),
      );
    case 'loop':
      return offer(
        'continue',
        l10n.t('Stopped, because {0} was called three times in a row with the same result.', end.tool),
      );
    case 'output-limit':
      return offer(
        'continue',
        l10n.t('The answer reached the output limit. assistant.maxOutputTokens can be raised.'),
      );
    case 'budget':
      return end.isHeld
        ? offer(
            'retry-beyond',
            paragraph([...held(end.stop), l10n.t('Continue sends it anyway, this once.')]),
          )
        : offer(
            'continue-beyond',
            paragraph([
              stopped(end.stop),
              ...ifCached(end.stop),
              l10n.t('Continue goes beyond it, this once.'),
            ]),
          );
    case 'refused':
      return offer(
        'choose-model',
        end.explanation
          ? l10n.t('Claude declined to answer this: {0}', end.explanation)
          : l10n.t('Claude declined to answer this. Another model, or other words, may help.'),
      );
    case 'empty':
      return offer('retry', l10n.t('Claude sent an empty answer.'));
    case 'failed':
      break;
  }
  return describeError(end.error);
}

/** L14: what nothing came of. An attempt that broke off, or a summary, may have been paid already. */
function held(stop: BudgetStop): readonly string[] {
  return [stop.spent > 0 ? stopped(stop) : notSent(stop), ...ifCached(stop)];
}

function notSent({ limit, amount, spentToday, next }: BudgetStop): string {
  return limit === 'turn'
    ? l10n.t(
        'Not sent: this can take {0} or more, and one turn may take {1} (assistant.budget.turn).',
        money(next),
        money(amount),
      )
    : l10n.t(
        'Not sent: this can take {0} or more, and of the {1} for a day in this workspace {2} are spent or held (assistant.budget.day).',
        money(next),
        money(amount),
        money(spentToday),
      );
}

/** L14: of a turn that has to end here. */
function stopped({ limit, amount, spent, spentToday, next }: BudgetStop): string {
  return limit === 'turn'
    ? l10n.t(
        'Stopped after {0}: the next request can take {1} or more, and one turn may take {2} (assistant.budget.turn).',
        money(spent),
        money(next),
        money(amount),
      )
    : l10n.t(
        'Stopped after {0}: the next request can take {1} or more, and of the {2} for a day in this workspace {3} are spent or held (assistant.budget.day).',
        money(spent),
        money(next),
        money(amount),
        money(spentToday),
      );
}

/** A limit that holds counts the worst; where that is far from what is likely, it is said. */
function ifCached({ next, likely }: BudgetStop): readonly string[] {
  if (likely > next / 2) return [];
  return [l10n.t('With what should be cached it is about {0}, but the cache can be gone.', money(likely))];
}

function money(amount: number): string {
  return amount === 0 ? inDollars(0, 0) : dollars(amount);
}

/** A sentence for each kind of failure, with what the API or a gateway said, and the request id where it helps. */
export function describeError(error: ModelError): Description {
  if (error instanceof OverBudget) return { text: paragraph(held(error.stop)) };
  const description = describeKind(error);
  const { requestId } = error;
  const request = requestId && !userFixable.has(error.kind) ? [l10n.t('(Request {0})', requestId)] : [];
  return { ...description, text: paragraph([description.text, ...gatewayAnswer(error), ...request]) };
}

function offer(remedy: Remedy, text: string): Description {
  return { text, remedy };
}

/** What someone other than Claude said. */
function gatewayAnswer({ gatewayMessage, status }: ModelError): readonly string[] {
  if (gatewayMessage === undefined || status === undefined) return [];
  return gatewayMessage === ''
    ? [l10n.t('It answered with status {0}.', status)]
    : [l10n.t('It answered with status {0}: “{1}”', status, gatewayMessage)];
}

/** Why the same request is sent once more, and when. */
export function describeWait(error: ModelError, delayMs: number): string {
  const isGateway = error.kind === 'server-error' && error.gatewayMessage !== undefined;
  return paragraph([
    isGateway ? l10n.t('A gateway or proxy failed.') : waitReason(error.kind),
    ...gatewayAnswer(error),
    l10n.t('Asking again in {0}…', duration(delayMs)),
  ]);
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
    case 'budget':
      return "[Stopped by the person's budget before this was finished.]";
    case 'refused':
      return '[The answer was declined.]';
    case 'failed':
      break;
  }
  return '[The request to Claude failed before this was finished.]';
}

/** Failures that the user can fix alone: nobody else has to find the request. */
const userFixable: ReadonlySet<ModelErrorKind> = new Set([
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

function describeKind({ kind, message, retryAfterMs, gatewayMessage }: ModelError): Description {
  switch (kind) {
    case 'no-key':
      return offer('set-api-key', l10n.t('Claude needs an API key. Set one, then ask again.'));
    case 'rejected-key':
      return offer('set-api-key', l10n.t('Claude rejected the API key. Set a valid one, then ask again.'));
    case 'forbidden':
      return offer('set-api-key', l10n.t('This API key is not allowed to do this: {0}', message));
    case 'no-credit':
      return offer(
        'set-api-key',
        l10n.t('The Claude account has no credit left, or has reached its limit: {0}', message),
      );
    case 'unknown-model':
      return offer(
        'choose-model',
        l10n.t('Claude does not know this model ({0}). Choose another one.', message),
      );
    case 'unreachable':
      return offer(
        'open-settings',
        l10n.t('Claude cannot be reached. Check the network, the proxy and assistant.baseUrl.'),
      );
    case 'not-claude':
      return offer(
        'open-settings',
        l10n.t('Something other than Claude answered. Check assistant.baseUrl and the proxy.'),
      );
    case 'rate-limited':
      return offer(
        'retry',
        retryAfterMs
          ? l10n.t('The rate limit of this API key is reached. Try again in {0}.', duration(retryAfterMs))
          : l10n.t('The rate limit of this API key is reached. Try again later.'),
      );
    case 'overloaded':
      return offer('retry', l10n.t('Claude is overloaded at the moment. Try again later.'));
    case 'server-error':
      return offer(
        'retry',
        gatewayMessage === undefined
          ? l10n.t('Claude had an internal error. Try again.')
          : l10n.t('A gateway or proxy failed. Try again.'),
      );
    case 'dropped':
      return offer('retry', l10n.t('The connection to Claude broke off. Try again.'));
    case 'stalled':
      return offer('retry', l10n.t('Claude sent nothing for too long. Try again.'));
    case 'too-long':
      return offer(
        'choose-model',
        l10n.t('This is too long for the model, even without older turns. Attach or ask for less.'),
      );
    case 'too-large':
      return { text: l10n.t('The request is too large to be sent. Attach fewer or smaller files.') };
    case 'bad-request':
      return offer('show-log', l10n.t('Claude did not accept the request: {0}', message));
    case 'over-budget':
    case 'unexpected':
      break;
  }
  return offer('show-log', l10n.t('Something went wrong in the extension itself. See the log for details.'));
}

function duration(ms: number): string {
  const seconds = Math.ceil(ms / 1000);
  return seconds < 120 ? l10n.t('{0} s', seconds) : l10n.t('{0} min', Math.ceil(seconds / 60));
}
