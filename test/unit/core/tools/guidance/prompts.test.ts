import assert from 'node:assert/strict';
import {
  fillArguments,
  findRunnable,
  nearest,
  parseRun,
  runMessage,
} from '../../../../../src/core/tools/guidance/prompts';
import { runReport } from '../../../../../src/core/tools/guidance/runReport';
import { cpuTime } from '../../../../support/cpuTime';
import { guidanceOver, personalFolder } from '../../../../support/guidance';
import { createInMemoryWorkspace } from '../../../../support/inMemoryWorkspace';

const { signal } = new AbortController();

const files = {
  '.claude/commands/review.md':
    '---\ndescription: Looks at a file\nargument-hint: "[file]"\nallowed-tools: Bash(*)\n---\nReview $1 for $ARGUMENTS.',
  '.claude/commands/bad name.md': 'No.',
  '.github/prompts/release.prompt.md': '---\nmode: agent\n---\nMake a release.',
  '.github/prompts/readme.md': 'No prompt file.',
  '.github/prompts/review.prompt.md': 'The second of its name.',
  '.claude/skills/deploy/SKILL.md': '---\nname: deploy\ndescription: Ships *it*\n---\nShip it.',
  '.claude/skills/inner/SKILL.md': '---\nname: inner\nuser-invocable: false\n---\nFor Claude only.',
};

async function runnables(isTrusted = true) {
  const workspace = createInMemoryWorkspace({ files });
  workspace.trusted = isTrusted;
  const person = personalFolder({ 'skills/letters/SKILL.md': '---\ndescription: Mine\n---\nDear …' });
  return guidanceOver(workspace, person).runnables(signal);
}

describe('what /run runs', () => {
  it('T4: prompt files of both places and skills, each name once, front matter aside', async () => {
    assert.deepEqual(
      (await runnables()).map(({ kind, name, path, body }) => [kind, name, path, body]),
      [
        ['skill', 'deploy', '.claude/skills/deploy/SKILL.md', 'Ship it.'],
        ['skill', 'letters', '~/.claude/skills/letters/SKILL.md', 'Dear …'],
        ['prompt', 'release', '.github/prompts/release.prompt.md', 'Make a release.'],
        ['prompt', 'review', '.claude/commands/review.md', 'Review $1 for $ARGUMENTS.'],
      ],
    );
  });

  it('T5: only the person’s own in a workspace that is not trusted', async () => {
    assert.deepEqual(
      (await runnables(false)).map(({ name }) => name),
      ['letters'],
    );
  });

  it('T4: arguments take their places, as they are', () => {
    assert.equal(fillArguments('$1 and $2, all: $ARGUMENTS', '"a b" c'), 'a b and c, all: "a b" c');
    assert.equal(fillArguments('$1|$9', ''), '|');
    assert.equal(fillArguments('$1 $ARGUMENTS', '$2 $& $1'), '$2 $2 $& $1');
    assert.equal(fillArguments('cost: $10, $ARGUMENTSX', ''), 'cost: $10, $ARGUMENTSX');
    assert.equal(fillArguments('Review.\n', 'src/a.ts'), 'Review.\n\nArguments: src/a.ts');
    assert.equal(fillArguments('Review.', ''), 'Review.');
  });

  it('T4: the message says where the text comes from', async () => {
    const { name, args } = parseRun('  REVIEW   src/a.ts now ');
    const review = findRunnable(await runnables(), name);
    assert.equal(
      review && runMessage(review, args),
      'The person runs the prompt file review, from .claude/commands/review.md, with /run. Do what it says; what they ' +
        'typed follows it.\n\nReview src/a.ts for src/a.ts now.',
    );
  });

  it('T4: the nearest names come up for one that does not exist', async () => {
    const all = await runnables();
    const names = (name: string) => nearest(all, name).map((one) => one.name);
    assert.deepEqual(names('reviw'), ['review']);
    assert.deepEqual(names('relaese'), ['release']);
    assert.deepEqual(names('rev'), ['review']);
    assert.deepEqual(names('something'), []);
  });

  it('T4, A32: the list has no link but ours, whatever a file says', async () => {
    const [deploy] = await runnables();
    const evil = {
      ...deploy!,
      description: '[x](command:evil) ![p](https://e/x.png)',
      argumentHint: '`[b](command:c)',
    };
    const report = runReport([evil], () => 'command:ours');
    assert.deepEqual(report.match(/(?<!\\)\]\([^)]*\)/g), ['](command:ours)', '](command:c)']);
    assert.match(report, / — \\\[x\\\]/);
    assert.doesNotMatch(
      runReport([{ ...evil, description: '', argumentHint: '' }], () => 'command:ours'),
      /—|`/,
    );
    // The last one stands in a code span, where nothing is a link.
    assert.match(report, /`` `\[b\]\(command:c\) ``/);
    assert.match(
      runReport([], () => ''),
      /nothing to run here yet/,
    );
  });

  it('T4: what people paste after /run takes no time, whatever it is', () => {
    const blanks = `review a ${' '.repeat(50_000)}b`;
    assert.equal(cpuTime(() => parseRun(blanks)) < 500, true);
    const all = Array.from({ length: 100 }, (_, at) => ({
      kind: 'prompt' as const,
      name: `some-command-${at}`,
      description: '',
      argumentHint: '',
      path: '',
      body: '',
    }));
    assert.equal(cpuTime(() => nearest(all, 'x'.repeat(100_000))) < 500, true);
  });

  it('T4: a file that names its arguments thousands of times gets as much as there is room for', () => {
    const file = {
      kind: 'prompt',
      name: 'many',
      description: '',
      argumentHint: '',
      path: 'many.md',
    } as const;
    const message = runMessage({ ...file, body: '$ARGUMENTS '.repeat(20_000) }, 'y'.repeat(40_000));
    assert.ok(message.includes(`${'y'.repeat(40_000)} yyy`));
    assert.ok(message.length < 61_000, String(message.length));
  });

  it('T3, T4: no prompt file of a workspace takes the place of a skill of the person', async () => {
    const workspace = createInMemoryWorkspace({
      files: {
        '.claude/commands/letters.md': 'Evil.',
        '.claude/commands/deploy.md': 'Prompt.',
        '.claude/skills/deploy/SKILL.md': 'Skill.',
      },
    });
    const person = personalFolder({ 'skills/letters/SKILL.md': 'Mine.' });
    const all = await guidanceOver(workspace, person).runnables(new AbortController().signal);
    assert.deepEqual(
      all.map(({ name, body }) => [name, body]),
      [
        ['deploy', 'Prompt.'],
        ['letters', 'Mine.'],
      ],
    );
  });
});
