import assert from 'node:assert/strict';
import { APIError } from '@anthropic-ai/sdk';
import { reply, text } from '../../../../support/claude/script';
import { startStandIn, type StandIn } from '../../../../support/claude/standIn';
import { clientOf, hello } from '../client';

export interface RuleTests {
  /** The request is refused with a 400 in exactly these words. */
  readonly refuses: (what: string, params: object, message: string) => void;
  readonly accepts: (what: string, params: object) => void;
  /** 'accepted', or status, type and message of the refusal. */
  readonly ask: (params: object) => Promise<string>;
}

/** Rules of the API as the SDK meets them: each refusal beside the neighbour that is let through. */
export function describeRules(subject: string, tests: (rules: RuleTests) => void): void {
  describe(`the rules of the stand-in on ${subject}`, () => {
    let standIn: StandIn;

    before(async () => {
      standIn = await startStandIn({ mind: reply(text('ok')) });
    });
    after(() => standIn.close());

    const ask = async (params: object): Promise<string> => {
      try {
        // What the types forbid is what is tested here: `object` lets it through.
        await clientOf(standIn)
          .messages.stream({ ...hello, ...params })
          .finalMessage();
        return 'accepted';
      } catch (error) {
        if (!(error instanceof APIError)) throw error;
        assert.match(error.requestID ?? '', /^req_/);
        return `${error.status} ${error.type}: ${error.apiMessage}`;
      }
    };
    tests({
      ask,
      refuses(what, params, message) {
        it(`refuses ${what}`, async () => {
          assert.equal(await ask(params), `400 invalid_request_error: ${message}`);
        });
      },
      accepts(what, params) {
        it(`accepts ${what}`, async () => {
          assert.equal(await ask(params), 'accepted');
        });
      },
    });
  });
}
