import type { Conversation } from './mindConversation';
import { call, callOf, clip, type Move, type Rule } from './mindMove';
import { firstLines } from './mindProse';

/** What was said before, what is to be kept, what only the person knows. */
export const memoryRules: readonly Rule[] = [recallQuestions, recallName, recallNotes, remember, askBack];

function recallQuestions({ question, earlier }: Conversation): Move | undefined {
  if (
    !/\bwhat did i (ask|say|tell)|\bdid i (ask|say)|\bmy (last|previous|first) (question|message)/i.test(
      question,
    )
  ) {
    return undefined;
  }
  if (earlier.length === 0)
    return { say: 'Nothing: this is the first message of our conversation that reaches me.' };
  const list = earlier.map((said, index) => `${index + 1}. ${clip(said, 120)}`).join('\n');
  return { say: `In this conversation you said before:\n\n${list}` };
}

function recallName({ question, earlier, notes }: Conversation): Move | undefined {
  if (!/\bwhat('s| is) my name|\bwho am i\b/i.test(question)) return undefined;
  const noted = /\bname\W{1,4}(\p{L}[\p{L}' -]*)/u.exec(notes)?.[1];
  const name = earlier.map((said) => nameIn(said)).findLast((found) => found !== undefined) ?? noted;
  return {
    say:
      name === undefined
        ? 'You have not told me your name in what I can still see of our conversation.'
        : `Your name is ${name}: you told me earlier.`,
  };
}

function recallNotes({ question, notes }: Conversation): Move | undefined {
  if (!/\bwhat do you (remember|know)\b/i.test(question)) return undefined;
  return {
    say:
      notes === ''
        ? 'No facts have come with your message.'
        : `This came with your message:\n\n${clip(notes, 1500)}`,
  };
}

function remember(conversation: Conversation): Move | undefined {
  const { question } = conversation;
  const name = nameIn(question);
  const fact = /(?<!do you )\bremember (?:that )?(.+)/i.exec(question)?.[1];
  if (name === undefined && fact === undefined) return undefined;
  const [key, value] = name === undefined ? splitFact(fact ?? '') : ['name', name];
  if (callOf(conversation, 'remember'))
    return { say: `Noted: **${key}** is ${value}. I keep it for later turns.` };
  return (
    call(conversation, 'remember', { name: key, value }, 'I make a note of that.') ?? {
      say: `Noted: ${key} is ${value}. There is no \`remember\` tool here, so I know it only as long as this conversation lasts.`,
    }
  );
}

function askBack(conversation: Conversation): Move | undefined {
  if (!/\bask me\b/i.test(conversation.question)) return undefined;
  const asked = callOf(conversation, 'ask_user');
  if (asked) return { say: `You answered: ${firstLines(asked.output, 3)}. That was all I wanted to know.` };
  const param = /\b(?:which|what|for (?:a|an|the|my)) (\w+)/i.exec(conversation.question)?.[1] ?? 'choice';
  const options = param.match(/colou?r/i) ? ['red', 'green', 'blue'] : ['yes', 'no'];
  return call(
    conversation,
    'ask_user',
    { name: param, question: `Which ${param} shall it be?`, options },
    'One question first.',
  );
}

function nameIn(said: string): string | undefined {
  return /\b(?:[Mm]y name is|[Ii] am called|[Cc]all me)\s+(\p{L}[\p{L}'-]*(?:\s+\p{Lu}[\p{L}'-]+)*)/u.exec(
    said,
  )?.[1];
}

function splitFact(fact: string): readonly [string, string] {
  const [, key, value] = /^(?:the |my |our )?(.{1,40}?) (?:is|are|=) (.+?)[.!]?$/i.exec(fact.trim()) ?? [];
  return key !== undefined && value !== undefined
    ? [key.replaceAll(/\W+/g, '_'), value]
    : ['note', fact.trim().replace(/[.!]$/, '')];
}
