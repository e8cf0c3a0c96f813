import type { Instructions } from '../tools/guidance/instructions';
import type { GuidanceFile } from '../tools/guidance/shelf';
import { tellFile } from '../tools/guidance/told';
import { limitOutput, withText } from '../tools/truncate';
import type { AgentEvent } from './events';
import type { FinishedCall } from './runTools';

/** What the team wants known of files, and which of it Claude has in sight. */
export interface InstructionSource extends Pick<Instructions, 'forFiles'> {
  isTold(file: GuidanceFile): boolean;
}

/** Of one file, and of all that go with one result: the result itself keeps half of its room at least. */
const maxFileChars = 10_000;
/** Less says nothing. */
const leastChars = 200;

/**
 * Instructions of the folders that calls touched, with the first result that did (T1): what was sent before stays as it
 * is. What has no room is told with a later result.
 */
export async function* tellInstructions(
  finished: readonly FinishedCall[],
  options: { readonly instructions: InstructionSource; readonly maxResultChars: number },
  signal: AbortSignal,
): AsyncGenerator<AgentEvent, readonly FinishedCall[]> {
  const { instructions, maxResultChars } = options;
  const told = new Set<string>();
  const complete: FinishedCall[] = [];
  for (const { call, output } of finished) {
    const touched = output.isError ? [] : (output.files ?? []);
    const found = touched.length === 0 ? [] : await orNone(instructions.forFiles(touched, signal));
    const fresh = found.filter(
      (file) => !told.has(file.path) && file.text.trim() !== '' && !instructions.isTold(file),
    );
    let room = Math.floor(maxResultChars / 2);
    const blocks: string[] = [];
    const files: GuidanceFile[] = [];
    for (const file of fresh) {
      if (room < leastChars) break;
      const block = tellFile(file, Math.min(maxFileChars, room));
      room -= block.length;
      blocks.push(block);
      files.push(file);
      told.add(file.path);
    }
    if (blocks.length === 0) {
      complete.push({ call, output });
      continue;
    }
    const words = blocks.join('\n\n');
    const limited = limitOutput(output, Math.max(leastChars, maxResultChars - words.length));
    complete.push({ call, output: withText(limited, words) });
    yield {
      type: 'instructions-told',
      files: files.map(({ path, text }) => ({ kind: 'instructions', path, chars: text.length })),
    };
  }
  return complete;
}

/** What the calls did stands, whatever becomes of reading these: Stop ends it with an exception. */
async function orNone(reading: Promise<readonly GuidanceFile[]>): Promise<readonly GuidanceFile[]> {
  const [result] = await Promise.allSettled([reading]);
  return result.status === 'fulfilled' ? result.value : [];
}
