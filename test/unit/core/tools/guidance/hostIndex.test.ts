import assert from 'node:assert/strict';
import { withoutGuidance } from '../../../../../src/core/tools/guidance/hostIndex';

describe('the index that VS Code puts before each message', () => {
  const instruction = (file: string) => `<instruction>\n<file>${file}</file>\n</instruction>\n`;
  const skill = (file: string) => `<skill>\n<name>x</name>\n<file>${file}</file>\n</skill>\n`;
  const index = (instructions: string, skills: string) =>
    `<instructions>\nHere is a list.\n${instructions}</instructions>\n\n<skills>\nRead them.\n${skills}</skills>\n`;

  it('T2, T3: says nothing of what we tell by ourselves', () => {
    const known = index(
      instruction('/w/.claude/rules/tests.md') + instruction('c:\\w\\packages\\AGENTS.md'),
      skill('/w/.claude/skills/review/SKILL.md') + skill('/home/me/.claude/skills/letters/SKILL.md'),
    );
    assert.equal(withoutGuidance(known), undefined);
  });

  it('T3: keeps what only VS Code knows', () => {
    const other = instruction('/w/.github/instructions/go.instructions.md');
    const left = withoutGuidance(index(other, skill('/w/.agents/skills/a/SKILL.md'))) ?? '';
    assert.match(left, /go\.instructions\.md/);
    assert.doesNotMatch(left, /skill/);
    const foreign = index('', skill('/ext/skills/pdf/SKILL.md'));
    assert.equal(withoutGuidance(foreign), foreign);
    assert.equal(withoutGuidance('an index'), 'an index');
  });
});
