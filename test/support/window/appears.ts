import type { Locator } from 'playwright-core';

/** Whether it is seen within this time: for input that a busy VS Code may lose, so that it is given again. */
export function appears(locator: Locator, timeout = 3000): Promise<boolean> {
  return reaches('visible', locator, timeout);
}

/** Whether it is no longer seen within this time. */
export function vanishes(locator: Locator, timeout = 3000): Promise<boolean> {
  return reaches('hidden', locator, timeout);
}

/** Presses a button that shows only while the mouse is over a place, which may move away below it. */
export async function pressOver(place: Locator, button: Locator): Promise<void> {
  do await place.hover();
  while (!(await appears(button)));
  await button.click();
}

async function reaches(state: 'visible' | 'hidden', locator: Locator, timeout: number): Promise<boolean> {
  return locator.waitFor({ state, timeout }).then(
    () => true,
    () => false,
  );
}
