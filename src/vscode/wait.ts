import type { Wait } from '../core/ports';

/** VS Code sends no event for what `isOver` asks about. */
const lookMs = 250;

export const wait: Wait = async (ms, signal, isOver) => {
  if (!isOver) return pause(ms, signal);
  for (let left = ms; left > 0 && !signal.aborted && !isOver(); left -= lookMs)
    await pause(Math.min(left, lookMs), signal);
};

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const finish = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', finish);
      resolve();
    };
    const timer = setTimeout(finish, ms);
    if (signal.aborted) finish();
    else signal.addEventListener('abort', finish);
  });
}
