import { offlineModel } from '../claude/models';

type Settings = Readonly<Record<string, unknown>>;

/** The settings that a start needs, beside those that the person has changed in the window since. */
export function mergeSettings(written: string | undefined, needed: Settings): Settings {
  const { 'assistant.model': model, ...others } = parse(written);
  // What an offline start has written is no choice of the person's, and Claude has no such model.
  const chosen = model === undefined || model === offlineModel.id ? {} : { 'assistant.model': model };
  return { ...others, ...chosen, ...needed };
}

/** VS Code lets people write comments into settings; such a file is begun anew. */
function parse(written: string | undefined): Settings {
  try {
    const settings: unknown = JSON.parse(written ?? '{}');
    return typeof settings === 'object' && settings !== null ? { ...settings } : {};
  } catch {
    return {};
  }
}
