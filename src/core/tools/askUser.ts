import { ToolError } from '../errors';
import { objectOf, string } from './inputSchema';
import type { OpenQuestion, Tool } from './tool';

/** What a param may be called: it stands in log lines and in tables. */
export const paramName = {
  type: 'string',
  pattern: '^[A-Za-z][A-Za-z0-9_.-]{0,49}$',
  description: 'A short name in snake_case, such as order_id.',
} as const;

/** From this try on, plain words have failed: the person needs to see what an answer looks like. */
const triesWithoutExamples = 2;

/** The result of a question until it is answered; with the next message, it stays that. */
export const answerComesLater = 'Asked the person. Their answer comes with their next message.';

/**
 * Asks the person for one value. The question ends the turn, or is answered in place, as the loop decides: this only
 * says what is asked. `onAsk` gets the name of the value and how often it was asked for, this time included.
 */
export function createAskUser(options: {
  /** How often this value was asked for before, in a row. */
  readonly triesOf: (param: string) => number;
  readonly onAsk: (param: string, tries: number) => Promise<void>;
}): Tool {
  return {
    name: 'ask_user',
    description:
      'Ask the person for one value that only they know and that you cannot go on without. The result is their answer in ' +
      'their own words, also when it comes much later. It is remembered under param as they wrote it: if it holds more than ' +
      'the bare value, call remember with the value; if they changed the subject instead, forget it and go along. If the ' +
      'answer does not fit, ask again and say what is wrong with it. One question at a time.',
    effect: 'reads',
    inputSchema: objectOf(
      {
        param: { ...paramName, description: 'What the value is, in snake_case, such as order_id.' },
        question: string('In the person’s language.', { minLength: 1, maxLength: 1000 }),
      },
      {
        options: {
          type: 'array',
          items: { type: 'string', minLength: 1, maxLength: 200 },
          maxItems: 10,
          description: 'Likely answers, offered as buttons. The person may still answer anything.',
        },
      },
    ),
    async run({ input }) {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the schema has been checked, see Tool.run
      const question = asAsked(input as OpenQuestion);
      const tries = options.triesOf(question.param) + 1;
      if (question.question === '') throw new ToolError('The question is empty. Say what you need to know.');
      if (tries > triesWithoutExamples && !showsAnAnswer(question)) {
        throw new ToolError(
          `${question.param} was asked for ${tries - 1} times and the answers did not fit. ` +
            'Ask again only with options, or with an example of a fitting answer in the question.',
        );
      }
      await options.onAsk(question.param, tries);
      return { content: answerComesLater, question };
    },
  };
}

function asAsked({ param, question, options }: OpenQuestion): OpenQuestion {
  const choices = [...new Set((options ?? []).map((option) => option.trim()))].filter(
    (option) => option !== '',
  );
  return { param, question: question.trim(), ...(choices.length > 0 && { options: choices }) };
}

/** Options, or words that announce an example, or something quoted as one. What somebody would like is none. */
function showsAnAnswer({ question, options }: OpenQuestion): boolean {
  return (
    options !== undefined ||
    announcesExample.test(question) ||
    /`[^`]+`|"[^"]+"|“[^”]+”|„[^“]+“|«[^»]+»/u.test(question)
  );
}

const announcesExample =
  /\be\.\s?g\.|\bexample|\bfor instance\b|\bsuch as\b|(?<!\b(?:you|we|they|would)\s|['’]d\s)\blike\b|\bz\.\s?B\.|\bBeispiel|\bejemplo|\bexemple|\bp\.\s?(?:ej|ex)\.|例(?!外)|比如/iu;
