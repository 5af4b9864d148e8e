/** The browser on this machine, for tests and pictures. */
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** The first one draws no window around its pages: it takes half as much processor time as the others. */
const commands = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
];
const applications = [
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/**
 * No calls of its own. As root, such as in containers, it cannot use its sandbox. A graphics process would only compute in software.
 * Processes kept ready for further pages cost more than they save.
 */
export const browserArgs = [
  '--no-sandbox',
  '--disable-quic',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
  '--disable-gpu',
  '--disable-features=SpareRendererForSitePerProcess',
];

/** Path of Chromium or Chrome; undefined if there is none. */
export function findBrowser(): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter);
  const programs = folders.flatMap((folder) => commands.map((command) => join(folder, command)));
  return [...programs, ...applications].find(isExecutable);
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
