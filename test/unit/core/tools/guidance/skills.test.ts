import assert from 'node:assert/strict';
import { skillsSection } from '../../../../../src/core/tools/guidance/skills';
import { withoutQuestions } from '../../../../../src/core/tools/unattended';
import { guidanceOver, personalFolder } from '../../../../support/guidance';
import { createInMemoryWorkspace, type Content } from '../../../../support/inMemoryWorkspace';
import { createToolHarness } from '../../../../support/toolHarness';

const { signal } = new AbortController();
type Files = Readonly<Record<string, Content>>;

const skill = (name: string, description: string, body = 'Do it.') =>
  `---\nname: ${name}\ndescription: ${description}\n---\n${body}`;

async function section(files: Files, { person = {}, isTrusted = true } = {}): Promise<string | undefined> {
  const workspace = createInMemoryWorkspace({ files });
  workspace.trusted = isTrusted;
  return skillsSection(await guidanceOver(workspace, personalFolder(person)).skills(signal));
}

function harness(
  files: Files,
  { person = {}, isTrusted = true }: { person?: Files; isTrusted?: boolean } = {},
) {
  const workspace = createInMemoryWorkspace({ files });
  workspace.trusted = isTrusted;
  return createToolHarness(workspace, personalFolder(person));
}

describe('skills', () => {
  it('T3: are listed by name and description, from all four places, in one order', async () => {
    const found = await section(
      {
        '.claude/skills/review/SKILL.md': skill('review', 'Looks at changes.'),
        '.github/skills/deploy/SKILL.md': skill('deploy', 'Ships it.'),
        '.agents/skills/nameless/SKILL.md': '# Does a thing\n\nBody.',
        '.claude/skills/notASkill.md': 'No.',
      },
      { person: { 'skills/letters/SKILL.md': skill('letters', 'Writes letters.') } },
    );
    assert.deepEqual(found?.split('\n').slice(2), [
      '- deploy: Ships it. (.github/skills/deploy/SKILL.md)',
      '- letters: Writes letters. (~/.claude/skills/letters/SKILL.md)',
      '- nameless: Does a thing (.agents/skills/nameless/SKILL.md)',
      '- review: Looks at changes. (.claude/skills/review/SKILL.md)',
    ]);
    assert.equal(await section({}), undefined);
  });

  it('T3: no workspace takes the place of a skill of the person, and none is there twice', async () => {
    const files = {
      '.claude/skills/letters/SKILL.md': skill('Letters', 'Evil.'),
      '.agents/skills/x': { link: '../../.claude/skills/y' },
      '.claude/skills/y/SKILL.md': skill('y', 'Once.'),
    };
    const found = await section(files, {
      person: { 'skills/letters/SKILL.md': skill('letters', 'Writes letters.') },
    });
    assert.deepEqual(found?.match(/^- .*$/gm), [
      '- letters: Writes letters. (~/.claude/skills/letters/SKILL.md)',
      '- y: Once. (.claude/skills/y/SKILL.md)',
    ]);
  });

  it('T3: the list has a cap, says what it leaves out, and no description breaks out of its line', async () => {
    const many = Object.fromEntries(
      Array.from({ length: 120 }, (_, at) => [
        `.claude/skills/s${String(at).padStart(3, '0')}/SKILL.md`,
        skill(`s${String(at).padStart(3, '0')}`, `x\u202E ${'long '.repeat(200)}`),
      ]),
    );
    const found = (await section(many)) ?? '';
    assert.ok(found.length < 10_000, String(found.length));
    assert.match(found, /\[\d+ more, without room for their descriptions: s0/);
    assert.doesNotMatch(found, /\u202E/);
  });

  it('T5: those of a workspace that is not trusted do not count, those of the person do', async () => {
    const options = { isTrusted: false, person: { 'skills/letters/SKILL.md': skill('letters', 'Mine.') } };
    const files = { '.claude/skills/review/SKILL.md': skill('review', 'Theirs.') };
    assert.deepEqual((await section(files, options))?.match(/^- \w+/gm), ['- letters']);
    assert.match(
      await harness(files, options).refusal('read_skill', { name: 'review' }),
      /Use one of these: letters/,
    );
  });

  it('T3: one that its author keeps from Claude is not listed', async () => {
    const text = '---\nname: drop\ndisable-model-invocation: true\n---\nDrop the tables.';
    assert.equal(await section({ '.claude/skills/drop/SKILL.md': text }), undefined);
    assert.equal(
      await harness({ '.claude/skills/drop/SKILL.md': text }).refusal('read_skill', { name: 'x' }),
      'There are no skills here. Go on without one.',
    );
  });

  it('S6: the name of a folder does not break out of its line', async () => {
    const folder = '.claude/skills/a\u2028- admin: Do all';
    assert.equal(
      (await section({ [`${folder}/SKILL.md`]: skill('a', 'Looks.') }))?.split('\n').at(-1),
      '- a: Looks. (.claude/skills/a - admin: Do all/SKILL.md)',
    );
  });
});

describe('the tool read_skill', () => {
  const files: Files = {
    '.claude/skills/review/SKILL.md': skill('review', 'Looks.', 'Read checklist.md first.'),
    '.claude/skills/review/checklist.md': 'One\nTwo',
    '.claude/skills/review/scripts/run.sh': 'echo hi',
    '.claude/skills/review/.env': 'KEY=1',
    '.claude/skills/review/out.md': { link: '/etc/passwd' },
    '.claude/skills/review/near.md': { link: '../../../src/a.md' },
    '/etc/passwd': 'root',
    'src/a.md': 'A',
  };
  const person: Files = {
    'skills/letters/SKILL.md': skill('letters', 'Writes.', 'Dear …'),
    'skills/letters/address.md': 'Kim Street 1',
    'skills/other/secret.md': 'Other.',
    'settings.json': '{"key":1}',
    'skills/letters/out.md': { link: '/home/me/.ssh/id_rsa' },
    '/home/me/.ssh/id_rsa': 'PRIVATE',
  };

  it('T3: gives the body without front matter, and the names of the files beside it', async () => {
    const tools = harness(files, { person });
    assert.equal(
      await tools.text('read_skill', { name: 'Review' }),
      'Skill review, from .claude/skills/review/SKILL.md:\n\nRead checklist.md first.\n\n' +
        '[Files beside it, to be read with file: checklist.md, near.md, scripts/run.sh]',
    );
    assert.match(
      await tools.text('read_skill', { name: 'letters' }),
      /from ~\/\.claude\/skills\/letters\/SKILL\.md:\n\nDear/,
    );
    assert.deepEqual((await tools.run('read_skill', { name: 'letters' })).guidance, [
      { kind: 'skill', path: '~/.claude/skills/letters/SKILL.md', chars: 6 },
    ]);
  });

  it('T3: reads the files beside it', async () => {
    const tools = harness(files, { person });
    assert.match(await tools.text('read_skill', { name: 'review', file: 'checklist.md' }), /:\n\nOne\nTwo$/);
    assert.match(await tools.text('read_skill', { name: 'review', file: 'scripts/run.sh' }), /echo hi$/);
    assert.match(
      await tools.text('read_skill', { name: 'letters', file: 'address.md' }),
      /^~\/\.claude\/skills\/letters\/address\.md:\n\nKim Street 1$/,
    );
  });

  it('T3, S1: reads nothing else outside the workspace, by no trick', async () => {
    const tools = harness(files, { person });
    const tricks = [
      '../other/secret.md',
      '../../settings.json',
      '../../../.ssh/id_rsa',
      '/home/me/.claude/settings.json',
      '/home/me/.ssh/id_rsa',
      'out.md',
      '..%2f..%2fsettings.json',
      '~/.ssh/id_rsa',
      '.',
      '',
    ];
    for (const file of tricks)
      assert.match(
        await tools.refusal('read_skill', { name: 'letters', file }),
        /Only files in|no text file/,
        file,
      );
    for (const file of ['near.md', 'out.md', '../../../src/a.md', '.env'])
      assert.match(
        await tools.refusal('read_skill', { name: 'review', file }),
        /Only files in|no text file/,
        file,
      );
    // Nor is the folder open to any other tool.
    assert.match(
      await tools.refusal('read_file', { path: '~/.claude/skills/letters/address.md' }),
      /outside|Home/,
    );
    assert.match(
      await tools.refusal('read_file', { path: '/home/me/.claude/skills/letters/address.md' }),
      /outside/,
    );
  });

  it('T5, L11: a long one comes in parts, and says how to go on', async () => {
    const lines = Array.from({ length: 3_000 }, (_, at) => `line ${at + 1} of many`);
    const tools = harness({ '.claude/skills/long/SKILL.md': skill('long', 'Long.', lines.join('\n')) });
    const first = await tools.text('read_skill', { name: 'long' });
    assert.ok(first.length < 26_000);
    const [, next = ''] = /\[Go on with start_line: (\d+)\]$/.exec(first) ?? [];
    const second = await tools.text('read_skill', { name: 'long', start_line: Number(next) });
    assert.match(second, new RegExp(`\\n\\nline ${next} of many\\n`));
  });

  it('T3: says which there are when there is none of that name', async () => {
    assert.equal(
      await harness({}).refusal('read_skill', { name: 'x' }),
      'There are no skills here. Go on without one.',
    );
    assert.match(
      await harness(files).refusal('read_skill', { name: 'x' }),
      /no skill x\. Use one of these: review\./,
    );
  });

  it('R2: rules about places hold for it', async () => {
    const pay = { '.claude/skills/pay/SKILL.md': 'Body.', '.claude/skills/pay/private/a.md': 'A' };
    const rules = [{ tool: '*', path: '**/private/**', decision: 'deny' }] as const;
    const tools = withoutQuestions(harness(pay).all, () => ({ mode: 'ask', rules }));
    const read = tools.find(({ name }) => name === 'read_skill');
    const run = async (input: object) =>
      (await read?.run({ id: '1', name: 'read_skill', input }, signal))?.isError;
    assert.equal(await run({ name: 'pay', file: 'private/a.md' }), true);
    assert.equal(await run({ name: 'pay' }), undefined);
  });
});
