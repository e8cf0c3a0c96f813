import { isObject } from './json';
import type { OpenQuestion } from './tools/tool';

/** VS Code's limit for the bold line; what is longer stands below it. */
const maxLineChars = 200;

/** A question as VS Code's own question tool takes it. Options never shut out an answer in the person's own words. */
export function toCardInput({ param, question, options }: OpenQuestion): object {
  const isLong = question.length > maxLineChars;
  return {
    questions: [
      {
        header: param,
        question: isLong ? `${question.slice(0, maxLineChars - 1)}…` : question,
        ...(isLong && { message: question }),
        ...(options && { options: options.map((label) => ({ label })) }),
        allowFreeformInput: true,
      },
    ],
  };
}

/** What the person answered, or undefined when they did not. The tool returns `{answers: {[header]: {…}}}` as JSON. */
export function readCardAnswer(json: string, { param }: OpenQuestion): string | undefined {
  let raw: unknown;
  try {
    raw = JSON.parse(json);
  } catch {
    // A sentence instead of an answer: VS Code says that the question was not answered here.
    return undefined;
  }
  const answers = isObject(raw) ? raw['answers'] : undefined;
  const answer = isObject(answers) ? answers[param] : undefined;
  if (!isObject(answer) || answer['skipped'] === true) return undefined;
  const { selected, freeText } = answer;
  const said = [...(Array.isArray(selected) ? selected : []), freeText]
    .filter((part): part is string => typeof part === 'string' && part.trim() !== '')
    .map((part) => part.trim());
  return said.length > 0 ? said.join(', ') : undefined;
}
