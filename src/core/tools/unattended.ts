import { createApprovals } from './approvals';
import { denied, type Permissions } from './permissions';
import { readSkill } from './readSkill';
import type { Tool, ToolOutput } from './tool';
import { webTools } from './web/web';
import type { WorkspaceTool } from './workspaceTool';

/**
 * What scouts look with. The web would have to be asked about, and the words of the team and the person are for the one
 * who sends them: what a scout reads of them would be in no ledger (T5).
 */
export function isForScouts({ name, effect }: Tool): boolean {
  return effect === 'reads' && !webTools.includes(name) && name !== readSkill.name;
}

/** Tools for those who cannot ask anybody: a call that the user would have to agree to is not made (L16). */
export function withoutQuestions(
  tools: readonly WorkspaceTool[],
  permissions: () => Permissions,
): readonly Tool[] {
  const approvals = createApprovals({ ownNames: tools.map(({ name }) => name) });
  return tools.map((tool) => ({
    name: tool.name,
    description: tool.description,
    inputSchema: tool.inputSchema,
    effect: tool.effect,
    checksInput: true,
    async run({ id, input }, signal, report) {
      const prepared = await tool.prepare(input, signal);
      const { decision, confirmation } = approvals.judge(
        { tool, input, isOurs: true, permissions: permissions() },
        prepared,
      );
      if (decision.type === 'deny') return denied(decision.because);
      if (confirmation !== undefined && decision.type !== 'allow') return notAsked;
      report?.(prepared.progress);
      return prepared.run({ callId: id, turnId: undefined }, signal);
    },
  }));
}

const notAsked: ToolOutput = {
  content:
    'Not done: the person would have to agree to this call, and nobody is asked here. Go on without it, and name it in your report.',
  isError: true,
};
