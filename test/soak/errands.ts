import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { cited, reply, text, webSearch, type Reply } from '../support/claude/script';
import type { StandIn } from '../support/claude/standIn';
import type { DrivenWindow, LastingVsCode } from '../support/window/lastingVsCode';
import { showSettings } from '../support/window/workplace';
import { readKept, type Kept } from './kept';
import type { TurnLines } from './remembered';

/** What Claude is sent for in a turn of the soak, beside looking around. */
export const errandKinds = ['edit', 'plan', 'note', 'scouts', 'recall', 'web', 'compact', 'budget'] as const;

export type ErrandKind = (typeof errandKinds)[number];

export interface Errand {
  readonly kind: ErrandKind;
  /** Stand before and after the question. */
  readonly command?: string;
  readonly request?: string;
  readonly rounds: readonly Round[];
  /** What the person does before the question, */
  readonly before?: (place: Place) => Promise<unknown>;
  /** when it was held, */
  readonly held?: (place: Place) => Promise<unknown>;
  /** and once it is answered: with what is remembered then. */
  readonly after?: (place: Place, remembered: readonly TurnLines[]) => Promise<readonly TurnLines[]>;
}

interface Round {
  readonly call: readonly [name: string, input: object];
  /** To the requests that the call makes by itself. */
  readonly side?: readonly Reply[];
}

export interface Place {
  readonly vscode: LastingVsCode;
  readonly window: DrivenWindow;
  readonly standIn: StandIn;
}

const file = 'soak.txt';
const startMessage = 'Start the plan.';
const maxNotes = 4;
/** A turn that is so many turns old has left memory, and is found again. */
const recalledAfter = 15;

/** Sends Claude on errands, and knows what has to be in files, plans, notes and changes after each of them. */
export class Errands {
  #lines: readonly string[] = Array.from({ length: 60 }, (_, line) => `line ${line + 1}: 0;`);
  /** Changes that the person has not judged. */
  #unjudged = 0;
  #plan: { readonly name: string; readonly steps: number; done: number } | undefined;
  #plans = 0;
  #notes: readonly string[] = [];
  readonly #answered: number[] = [];

  constructor(folder: string) {
    writeFileSync(join(folder, file), this.#text);
  }

  get #text(): string {
    return `${this.#lines.join('\n')}\n`;
  }

  /** What goes with every request. */
  get notes(): readonly string[] {
    return this.#notes;
  }

  /** A turn came to its end: it can be recalled later. */
  answered(number: number): void {
    this.#answered.push(number);
  }

  next(number: number, random: () => number): Errand {
    const kind = errandKinds[Math.floor(random() * errandKinds.length)]!;
    const errands: Readonly<Record<ErrandKind, () => Errand>> = {
      edit: () => this.#edit(number, Math.floor(random() * 4)),
      plan: () => this.#planned(number),
      note: () => this.#note(number),
      scouts: () => scouts(number),
      recall: () => this.#recall(number),
      web: () => web(number),
      compact: () => compact(number),
      budget: () => budget(random() < 0.5 ? 'assistant.budget.turn' : 'assistant.budget.day'),
    };
    return errands[kind]();
  }

  /** All that is kept is what the errands have left. */
  async check({ vscode: { workplace } }: Place, when: string): Promise<Kept> {
    const isAsExpected = (kept: Kept) => JSON.stringify(shownOf(kept)) === JSON.stringify(expected);
    const expected = {
      file: this.#text,
      changes: this.#unjudged,
      openPlan: this.#plan && planText(this.#plan),
      plans: this.#plans,
      notes: this.#notes,
    };
    const shownOf = ({ changes, openPlan, plans, notes }: Kept) => ({
      file: readFileSync(join(workplace.folder, file), 'utf8'),
      ...{ changes, openPlan, plans, notes },
    });
    // What is done by a command may still be on its way to the disk.
    let kept = readKept(workplace.dataFolder);
    for (let look = 0; look < 200 && !isAsExpected(kept); look++) {
      await sleep(50);
      kept = readKept(workplace.dataFolder);
    }
    assert.deepEqual(shownOf(kept), expected, `what is kept after ${when}`);
    return kept;
  }

  /** Two hunks, which the person keeps, undoes, judges one by one, or leaves to be kept later. */
  #edit(number: number, way: number): Errand {
    const edited = [5 + (number % 20), 35 + (number % 20)].map((line) => {
      const before = this.#lines[line]!;
      return { line, before, now: before.replace(/: .*/, `: ${number};`) };
    });
    const [first, second] = edited as [(typeof edited)[0], (typeof edited)[0]];
    const put = (...values: readonly { readonly line: number; readonly text: string }[]) => {
      for (const value of values) this.#lines = this.#lines.with(value.line, value.text);
    };
    const edits = edited.map(({ before, now }) => ({ old_text: before, new_text: now }));
    return {
      kind: 'edit',
      rounds: [{ call: ['read_file', { path: file }] }, { call: ['edit_file', { path: file, edits }] }],
      before: async ({ window }) => {
        if (this.#unjudged > 0) await window.host.execute('assistant.keepAllChanges');
        this.#unjudged = 0;
      },
      after: async (place, remembered) => {
        put(...edited.map(({ line, now }) => ({ line, text: now })));
        this.#unjudged = 1;
        const { turnOfChange } = await this.check(place, 'an edit');
        const uri = { $file: join(place.vscode.workplace.folder, file) };
        const judge = (verdict: 'keep' | 'undo', { line }: typeof first) => {
          const range = ['originalStart', 'originalEnd', 'modifiedStart', 'modifiedEnd'];
          const hunk = Object.fromEntries(range.map((end) => [`${end}LineNumber`, line + 1]));
          return place.window.host.execute(`assistant.${verdict}Hunk`, uri, [hunk], 0);
        };
        if (way === 0) await place.window.host.execute('assistant.keepTurn', { id: turnOfChange });
        if (way === 1) {
          await place.window.host.execute('assistant.undoTurn', { id: turnOfChange });
          put(...edited.map(({ line, before }) => ({ line, text: before })));
        }
        if (way === 2) {
          await judge('undo', first);
          put({ line: first.line, text: first.before });
          await this.check(place, 'the undo of a hunk');
          await judge('keep', second);
        }
        if (way < 3) this.#unjudged = 0;
        return remembered;
      },
    };
  }

  /** One after another: a plan is written and started, its steps are ticked, and it is closed. */
  #planned(number: number): Errand {
    const plan = this.#plan ?? { name: `Plan ${number}`, steps: 3, done: -1 };
    const next = { ...plan, done: plan.done + 1 };
    const isNew = next.done === 0;
    return {
      kind: 'plan',
      ...(isNew && { command: '/plan ' }),
      rounds: [{ call: ['write_plan', { markdown: planText(next) }] }],
      after: async (place, remembered) => {
        this.#plan = next;
        if (isNew) this.#plans++;
        const { openPlanId } = await this.check(place, `step ${next.done} of a plan`);
        const { window, standIn } = place;
        if (next.done === next.steps) {
          await window.host.execute('assistant.closePlan', openPlanId);
          this.#plan = undefined;
        }
        if (!isNew) return remembered;
        standIn.script(reply(text(`Started ${number}.`)));
        await window.host.execute('assistant.startPlan', openPlanId);
        const { bodyText } = await standIn.waitFor((entry) => entry.bodyText.includes(startMessage));
        assert.ok(bodyText.includes(plan.name), 'The plan does not go with its start.');
        return [...remembered, [`user: ${startMessage}`, `assistant: Started ${number}.`]];
      },
    };
  }

  /** The user asks for it; from a few on, the oldest is edited or forgotten. */
  #note(number: number): Errand {
    const note = `Rule ${number} holds.`;
    return {
      kind: 'note',
      request: ` Note that rule ${number} holds.`,
      rounds: [{ call: ['note', { text: note }] }],
      after: async (place, remembered) => {
        this.#notes = [...this.#notes, note];
        const { noteIds } = await this.check(place, 'a note');
        const row = { subject: { kind: 'note', id: noteIds[0] } };
        const { host, workbench } = place.window;
        if (this.#notes.length > maxNotes) {
          // It waits for its notification to go.
          void host.execute('assistant.forgetRow', row).catch(() => undefined);
          this.#notes = this.#notes.slice(1);
        } else if (this.#notes.length > 1) {
          void host.execute('assistant.editNote', row).catch(() => undefined);
          const better = `Rule ${number}, and better than before.`;
          await workbench.answerInputBox(better);
          this.#notes = this.#notes.with(0, better);
        }
        await this.check(place, 'a note that was edited or forgotten');
        await host.execute('notifications.clearAll');
        return remembered;
      },
    };
  }

  #recall(number: number): Errand {
    const old = this.#answered.findLast((one) => one <= number - recalledAfter);
    return {
      kind: 'recall',
      rounds: [{ call: ['recall', { query: `Answer ${old ?? 0}` }] }],
      after: async ({ standIn }, remembered) => {
        const { bodyText } = standIn.journal.messages.at(-1)!;
        if (old !== undefined)
          assert.ok(bodyText.includes(`Question ${old}?`), `turn ${old} is not recalled`);
        return remembered;
      },
    };
  }
}

function scouts(number: number): Errand {
  const questions = [`What is ${number}?`, `Where is ${number}?`];
  const report = reply(text('It stands in README.md:1.'));
  return { kind: 'scouts', rounds: [{ call: ['explore', { questions }], side: [report, report] }] };
}

function web(number: number): Errand {
  const page = { url: `https://docs.example.com/${number}`, title: `Page ${number}`, text: 'It is out.' };
  const side = [reply(webSearch(`release ${number}`, [page]), cited('It is out.', page))];
  return { kind: 'web', rounds: [{ call: ['search_web', { question: `Is release ${number} out?` }], side }] };
}

/** All but the newest turn become a summary. */
function compact(number: number): Errand {
  return {
    kind: 'compact',
    rounds: [],
    after: async ({ window, standIn }, remembered) => {
      if (remembered.length < 2) return remembered;
      standIn.script(reply(text(`- They asked up to ${number}.`)));
      await window.host.chat('/compact');
      assert.equal(standIn.remaining, 0, 'nothing was summarized');
      return remembered.slice(-1);
    },
  };
}

/** The question is held before anything is sent; Continue sends it, this once. */
function budget(setting: 'assistant.budget.turn' | 'assistant.budget.day'): Errand {
  const limit = ({ vscode, window }: Place, dollars: number) =>
    showSettings(window.page, (title) =>
      vscode.workplace.changeSettings({ ...title, ...(dollars > 0 && { [setting]: dollars }) }),
    );
  return {
    kind: 'budget',
    rounds: [],
    before: (place) => limit(place, 0.000_1),
    held: async ({ window, standIn }) => {
      assert.equal(standIn.journal.messages.length, 0, 'a request passed the budget');
      await window.panel.followUp('Continue').click();
      await standIn.waitFor(() => standIn.remaining === 0);
      await window.panel.finished();
    },
    after: async (place, remembered) => {
      await limit(place, 0);
      return remembered;
    },
  };
}

function planText({ name, steps, done }: { readonly name: string; readonly steps: number; done: number }) {
  const ticks = Array.from({ length: steps }, (_, step) => `- [${step < done ? 'x' : ' '}] Step ${step + 1}`);
  return `# ${name}\n\n${ticks.join('\n')}\n`;
}
