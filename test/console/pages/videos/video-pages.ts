import { openPages } from '../../../support/console/console-pages.ts';
import { openRunner } from '../../../support/in-process.ts';
import type { SettingsSections } from '../../../support/processes/scene.ts';

export const now = Date.UTC(2027, 2, 9, 15);

/** At two in the morning of an earlier day, in seconds since the epoch. */
export const night = (daysAgo: number) => Date.UTC(2027, 2, 9, 2) / 1000 - daysAgo * 86_400;

/** A console whose clock stands still. */
export async function open(settings: SettingsSections = {}) {
  const runner = await openRunner({ now: () => now, settings });
  return { runner, pages: await openPages(runner) };
}
