import { reply, text } from '../support/claude/script';
import { startStandIn, type StandIn } from '../support/claude/standIn';
import type { ActivationTimes } from '../support/driver/measure';
import { until } from '../support/until';
import { packVsix } from '../support/vsix';
import { startLastingVsCode, type DrivenWindow } from '../support/window/lastingVsCode';
import { median } from './median';

const own = 'claude-assistant.claude-assistant';
const copilotChat = 'GitHub.copilot-chat';
const peers = [copilotChat, 'vscode.git', 'vscode.github-authentication'];

export interface HostFigures {
  /** Medians of several windows, in milliseconds: for the ratio only, since both ran in the same host. */
  readonly activation: Readonly<Record<string, ActivationTimes>>;
  /** By number and size of turns: the best save and read in the real `workspaceState`, in milliseconds. */
  readonly memory: readonly {
    readonly turns: number;
    readonly bytes: number;
    readonly save: number;
    readonly read: number;
  }[];
  /** Live heap after so many turns through the API, in one extension host. */
  readonly heap: readonly { readonly turns: number; readonly bytes: number }[];
}

/** What can only be measured in the real extension host, with the packed extension. */
export async function measureHost(windows = 5): Promise<HostFigures> {
  packVsix();
  const standIn = await startStandIn({ mind: reply(text('That is how it works. '.repeat(20))) });
  const vscode = await startLastingVsCode({
    env: { ANTHROPIC_API_KEY: 'sk-ant-bench', ANTHROPIC_BASE_URL: standIn.url },
  });
  try {
    const window = await vscode.openWindow();
    const heap = await measureHeap(window, standIn);
    vscode.workplace.changeSettings({ 'assistant.maxTurns': 0 });
    // VS Code keeps its own Copilot Chat disabled until somebody signs in.
    await window.host.execute('workbench.extensions.action.enableAll');
    // It writes that down only when the extensions have begun.
    await until(async () => (await window.host.activation(copilotChat)) !== undefined);
    const seen = new Map<string, ActivationTimes[]>();
    for (let run = 0; run < windows; run++) {
      await window.replaceHost(() => window.page.reload());
      for (const id of [own, ...peers]) {
        const times = await window.host.activation(id);
        if (!times) throw new Error(`${id} is not there, or was not activated.`);
        seen.set(id, [...(seen.get(id) ?? []), times]);
      }
    }
    return {
      activation: Object.fromEntries([...seen].map(([id, times]) => [id, medianTimes(times)])),
      memory: await measureMemory(window),
      heap,
    };
  } finally {
    await vscode.close();
    await standIn.close();
  }
}

async function measureHeap({ host }: DrivenWindow, standIn: StandIn): Promise<HostFigures['heap']> {
  const heap = [];
  let asked = 0;
  for (const turns of [100, 500, 1000]) {
    for (; asked < turns; asked++) {
      await host.ask(`Question ${asked}?`);
      standIn.reset();
    }
    heap.push({ turns, bytes: await host.heap() });
  }
  return heap;
}

async function measureMemory({ host }: DrivenWindow): Promise<HostFigures['memory']> {
  const cases = [50, 1_500].flatMap((bytes) =>
    [10, 100, 1000].map((turns) => ({ turns, bytes, save: Infinity, read: Infinity })),
  );
  // One after another and all of it again, so that what else the machine does hits all alike.
  for (let pass = 0; pass < 4; pass++) {
    for (const best of cases) {
      const { save, read } = await host.memoryTimes({ ...best, rounds: 5 });
      best.save = Math.min(best.save, ...save);
      best.read = Math.min(best.read, ...read);
    }
  }
  return cases;
}

function medianTimes(times: readonly ActivationTimes[]): ActivationTimes {
  return {
    codeLoad: median(times.map(({ codeLoad }) => codeLoad)),
    activate: median(times.map(({ activate }) => activate)),
  };
}
