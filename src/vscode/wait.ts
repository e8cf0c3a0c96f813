import type { Wait } from '../core/ports';

/** Resolves after that long, or as soon as the signal aborts. */
export const wait: Wait = (ms, signal) =>
  new Promise((resolve) => {
    const finish = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', finish);
      resolve();
    };
    const timer = setTimeout(finish, ms);
    if (signal.aborted) finish();
    else signal.addEventListener('abort', finish);
  });
