import * as l10n from '@vscode/l10n';
import { cutText } from '../text/cutText';
import { visibleLine } from '../text/plainText';
import type { AllowedPlace, PathPolicy } from './paths/pathPolicy';
import { byRank, showProblem } from './problemLines';
import type { Aftermath } from './tool';
import { isSamePlace, placeKey, type Place, type Problem, type Workspace } from './workspace';
import type { Caller, Preparation } from './workspaceTool';

/** How long after a change reports on it are waited for. */
const limitMs = 1_500;
const shownProblems = 20;
const messageLimit = 1_000;

/** Sees to it that what a change breaks is part of its result, so that Claude mends it in the same turn (L13). */
export interface NewProblems {
  /** The same preparation, whose output knows the problems that the change brought. */
  follow(preparation: Preparation): Preparation;
}

/** A change whose aftermath nobody has asked for yet. */
interface Watch {
  readonly turnId: string | undefined;
  readonly before: readonly Problem[];
}

export function createNewProblems(options: {
  readonly workspace: Workspace;
  readonly policy: Pick<PathPolicy, 'show'>;
}): NewProblems {
  const { workspace, policy } = options;
  const watches = new Map<string, Watch>();

  const problemsAt = (place: Place): readonly Problem[] =>
    workspace
      .problems()
      .filter((problem) => problem.severity !== 'hint' && isSamePlace(problem.place, place));

  /** Several changes of one round to a file are one: what counts is what was there before the first. */
  function begin(place: Place, { turnId }: Caller): Watch {
    const earlier = watches.get(placeKey(place));
    return earlier && earlier.turnId === turnId ? earlier : { turnId, before: problemsAt(place) };
  }

  async function aftermathOf(
    place: Place,
    watch: Watch,
    signal: AbortSignal,
  ): Promise<Aftermath | undefined> {
    const key = placeKey(place);
    // A later change to the same file tells of both.
    if (watches.get(key) !== watch) return undefined;
    watches.delete(key);
    await workspace.problemsSettled(place, limitMs, signal);
    const found = newOnes(watch.before, problemsAt(place));
    return found.length === 0 ? undefined : describe(place, found, policy);
  }

  return {
    follow(preparation) {
      const { changes } = preparation;
      // What is wrong with a secret is often told by quoting it (S4).
      if (changes === undefined || changes.from.isSecret || changes.to.isSecret) return preparation;
      return {
        ...preparation,
        async run(caller, signal) {
          const from = await openedAs(changes.from, workspace, signal);
          const begun = begin(from, caller);
          const output = await preparation.run(caller, signal);
          const place = isSamePlace(changes.from.place, changes.to.place) ? from : changes.to.place;
          const watch = { ...begun };
          watches.delete(placeKey(from));
          watches.set(placeKey(place), watch);
          return { ...output, aftermath: (stop) => aftermathOf(place, watch, stop) };
        },
      };
    },
  };
}

/** Language services know a file by the path that it was opened by. */
async function openedAs({ place }: AllowedPlace, workspace: Workspace, signal: AbortSignal): Promise<Place> {
  const editors = await workspace.unsavedEditors(signal);
  return editors.find((editor) => isSamePlace(editor.place, place))?.named ?? place;
}

/** By what they say and not by where they stand, since lines move; as often as they were not there before. */
function newOnes(before: readonly Problem[], after: readonly Problem[]): readonly Problem[] {
  const known = new Map<string, number>();
  for (const problem of before) known.set(keyOf(problem), (known.get(keyOf(problem)) ?? 0) + 1);
  return after.filter((problem) => {
    const left = known.get(keyOf(problem)) ?? 0;
    known.set(keyOf(problem), left - 1);
    return left <= 0;
  });
}

function keyOf({ severity, message, source }: Problem): string {
  return JSON.stringify([severity, message, source]);
}

function describe(place: Place, found: readonly Problem[], policy: Pick<PathPolicy, 'show'>): Aftermath {
  const sorted = found.toSorted(byRank);
  const lines = sorted
    .slice(0, shownProblems)
    .map((problem) => showProblem({ ...problem, message: cutText(problem.message, messageLimit) }, policy));
  const more = sorted.length - lines.length;
  if (more > 0) lines.push(`[${more} more; get_diagnostics shows them.]`);
  const name = visibleLine(place.path.slice(place.path.lastIndexOf('/') + 1));
  return {
    content: `New problems in ${policy.show(place)} since the change:\n${lines.join('\n')}`,
    notice:
      found.length === 1
        ? l10n.t('1 new problem in {0}', name)
        : l10n.t('{0} new problems in {1}', found.length, name),
  };
}
