import type { Locator } from 'playwright-core';

/** Whether it is seen within this time: for input that a busy VS Code may lose, so that it is given again. */
export function appears(locator: Locator, timeout = 3000): Promise<boolean> {
  return reaches('visible', locator, timeout);
}

/** Whether it is no longer seen within this time. */
export function vanishes(locator: Locator, timeout = 3000): Promise<boolean> {
  return reaches('hidden', locator, timeout);
}

/**
 * Acts until it holds, at most so often: only for input that VS Code itself may lose, for the reason that stands beside
 * it. What our extension could lose gets one try, so that a test fails when it does.
 */
export async function atMost(
  tries: number,
  what: string,
  act: () => Promise<unknown>,
  holds: () => Promise<boolean>,
): Promise<void> {
  for (let number = 1; number <= tries; number++) {
    // Each is a thing to look into.
    if (number > 1) console.log(`      ↻ ${what}: try ${number}`);
    await act();
    if (await holds()) return;
  }
  throw new Error(`${what} did not happen in ${tries} tries.`);
}

/** Presses a button, once, that shows only while the mouse is over a place. */
export async function pressOver(place: Locator, button: Locator): Promise<void> {
  // A list that still moves takes the place away from below the mouse.
  await atMost(
    5,
    'The button below the mouse',
    () => place.hover(),
    () => appears(button, 10_000),
  );
  await button.click();
}

async function reaches(state: 'visible' | 'hidden', locator: Locator, timeout: number): Promise<boolean> {
  return locator.waitFor({ state, timeout }).then(
    () => true,
    () => false,
  );
}
