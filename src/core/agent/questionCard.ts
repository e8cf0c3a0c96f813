import { parseJson, isObject } from '../text/json';
import { escapeMarkdown } from '../text/markdown';
import { withoutPictures } from '../text/pictureFilter';
import type { OpenQuestion } from '../tools/tool';

/** VS Code's limit for the bold line; a longer question is repeated below it. */
const maxLineChars = 200;

/**
 * A question as VS Code's own question tool takes it. Besides the options, the user can always answer in their own words.
 * Where VS Code fetches pictures, the line is Markdown, too, and is cut once more: nothing in it is surely code (S6).
 */
export function toCardInput(
  { param, question, options }: OpenQuestion,
  { fetchesPictures }: { readonly fetchesPictures: boolean },
): object {
  const isLong = question.length > maxLineChars;
  const shown = (text: string) => (fetchesPictures ? withoutPictures(text) : text);
  return {
    questions: [
      {
        header: param,
        question: shown(isLong ? `${question.slice(0, maxLineChars - 1)}…` : question),
        ...(isLong && { message: shown(question) }),
        ...(options && { options: options.map((label) => ({ label })) }),
        allowFreeformInput: true,
      },
    ],
  };
}

/** Whether the card shows all of the question: before VS Code 1.139 it has nothing but the line. */
export function fitsCard({ question }: OpenQuestion, cardSchema: unknown): boolean {
  return question.length <= maxLineChars || JSON.stringify(cardSchema ?? {}).includes('"message":{');
}

/**
 * An option of a question that waits, as the next message. VS Code reads the label as Markdown, and would treat a message
 * that begins with a slash as a command, such as /clear.
 */
export function toOptionFollowUp(option: string): { readonly prompt: string; readonly label: string } {
  return { prompt: option.startsWith('/') ? `“${option}”` : option, label: escapeMarkdown(option) };
}

/** What the user answered, or undefined when they did not. The tool returns `{answers: {[header]: {…}}}` as JSON. */
export function readCardAnswer(json: string, { param }: OpenQuestion): string | undefined {
  // A sentence instead of an answer: VS Code says that the question was not answered here.
  const raw = parseJson(json);
  const answers = isObject(raw) ? raw['answers'] : undefined;
  const answer = isObject(answers) ? answers[param] : undefined;
  if (!isObject(answer) || answer['skipped'] === true) return undefined;
  const { selected, freeText } = answer;
  const said = [...(Array.isArray(selected) ? selected : []), freeText]
    .filter((part): part is string => typeof part === 'string' && part.trim() !== '')
    .map((part) => part.trim());
  return said.length > 0 ? said.join(', ') : undefined;
}
