import assert from 'node:assert/strict';
import { Lexer, Parser } from 'marked';
import {
  fitsCard,
  readCardAnswer,
  toCardInput,
  toOptionFollowUp,
} from '../../../../src/core/agent/questionCard';

const question = { param: 'order_id', question: 'Which order?', options: ['O-1', 'O-2'] };

describe('VS Code’s own question card', () => {
  it('M16: gets the question and its options, and an answer in other words stays possible', () => {
    assert.deepEqual(toCardInput(question, { fetchesPictures: false }), {
      questions: [
        {
          header: 'order_id',
          question: 'Which order?',
          options: [{ label: 'O-1' }, { label: 'O-2' }],
          allowFreeformInput: true,
        },
      ],
    });
    const long = 'Why? '.repeat(60);
    assert.deepEqual(toCardInput({ param: 'why', question: long }, { fetchesPictures: false }), {
      questions: [
        { header: 'why', question: `${long.slice(0, 199)}…`, message: long, allowFreeformInput: true },
      ],
    });
  });

  it('M16: is not asked in a card that would cut it off, as that of VS Code 1.110', () => {
    const withMessage = {
      items: { properties: { question: { type: 'string' }, message: { type: 'string' } } },
    };
    const without = { items: { properties: { question: { type: 'string', maxLength: 200 } } } };
    const long = { param: 'why', question: 'Why? '.repeat(60) };
    assert.deepEqual([fitsCard(question, without), fitsCard(long, withMessage)], [true, true]);
    assert.deepEqual([fitsCard(long, without), fitsCard(long, undefined)], [false, false]);
  });

  it('S6: fetches no picture, in VS Code 1.110 either', () => {
    const asked = 'Is `![x](https://e.example)` right?';
    const safe = 'Is `&#33;[x](https://e.example)` right?';
    const inputFor = (text: string, fetchesPictures: boolean) =>
      toCardInput({ param: 'why', question: text }, { fetchesPictures });
    assert.deepEqual(inputFor(asked, true), inputFor(safe, false));
    const long = ' Why?'.repeat(60);
    const [shown, plain] = [JSON.stringify(inputFor(asked + long, true)), 'Is `![x]'];
    assert.ok(!shown.includes(plain), shown);
  });

  it('M16: gives the choice or the words of the person', () => {
    const given = (answer: object) =>
      readCardAnswer(JSON.stringify({ answers: { order_id: answer } }), question);
    assert.equal(given({ selected: ['O-2'], freeText: null, skipped: false }), 'O-2');
    assert.equal(given({ selected: [], freeText: ' O-3 ', skipped: false }), 'O-3');
  });

  it('M16: gives nothing when it was skipped, or when VS Code says something else', () => {
    const skipped = { answers: { order_id: { selected: [], freeText: null, skipped: true } } };
    const empty = { answers: { order_id: { selected: [], freeText: ' ', skipped: false } } };
    for (const json of [
      JSON.stringify(skipped),
      JSON.stringify(empty),
      '{}',
      'null',
      'The user is busy.',
      '',
    ]) {
      assert.equal(readCardAnswer(json, question), undefined, json);
    }
  });
});

describe('an option below an answer', () => {
  it('P7: is shown as it is written, by a button that VS Code would leave empty for a list or a heading', () => {
    for (const option of [
      '1. Keep it',
      '- none',
      '# 12',
      'Map<string>',
      'src/*.ts, *.js',
      'my_own_name',
      '/clear',
    ]) {
      const [block] = new Lexer({ gfm: true }).lex(toOptionFollowUp(option).label);
      assert.equal(block?.type, 'paragraph');
      assert.equal(Parser.parse([block]), `<p>${option.replace('<', '&lt;').replace('>', '&gt;')}</p>\n`);
    }
  });

  it('P7: is sent as it is written, but for what VS Code would take for a command', () => {
    assert.deepEqual(
      ['1. Keep it', '/clear'].map((option) => toOptionFollowUp(option).prompt),
      ['1. Keep it', '“/clear”'],
    );
  });
});
