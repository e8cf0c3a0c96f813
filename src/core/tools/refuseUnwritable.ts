import { ToolError } from '../errors';
import { visibleLine } from './literalText';
import type { AllowedPlace } from './paths/pathPolicy';
import type { Workspace } from './workspace';

/** Throws ToolError for a text that would not be in the file as it is: an encoding writes `?` for what it does not have. */
export async function refuseUnwritable(
  workspace: Workspace,
  { place, shown }: AllowedPlace,
  { text, encoding }: { readonly text: string; readonly encoding?: string },
): Promise<void> {
  const unwritable = await workspace.findUnwritable(place, text, encoding);
  if (unwritable === undefined) return;
  throw new ToolError(
    `${shown} would be written in ${unwritable.encoding} (setting files.encoding), which does not have the character ` +
      `${visibleLine(unwritable.character)}. Use other characters, or ask the person to save the file with another encoding.`,
  );
}
