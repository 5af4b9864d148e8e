/** A real browser for tests of pages: Chromium or Chrome on this machine. `scripts/setup --tests` installs one. */
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { chromium, type Page } from 'playwright-core';
import type { TestContext } from 'vitest';

const commands = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const applications = [
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** No calls of its own. As root, such as in containers, it cannot use its sandbox. */
const args = [
  '--no-sandbox',
  '--disable-quic',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
];

export interface TestPage {
  readonly page: Page;
  /** Errors of the page: from its console, an exception, or its content security policy. */
  readonly complaints: readonly string[];
}

/** Opens a page in a browser that ends with the test; skips the test if there is no browser. */
export async function openPage(test: TestContext): Promise<TestPage> {
  const executablePath = findBrowser();
  if (executablePath === undefined) {
    return test.skip('there is no Chromium or Chrome on this machine: install chromium to run this test');
  }
  const browser = await chromium.launch({ executablePath, args });
  test.onTestFinished(() => browser.close());
  const page = await browser.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  page.on('pageerror', (error) => void complaints.push(String(error)));
  // A script of a hostile text would open one.
  page.on('dialog', (dialog) => {
    complaints.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  // Frames and workers may break the policy without a word in the console of their page.
  await page.addInitScript({
    content:
      "addEventListener('securitypolicyviolation', (event) => console.error('policy', event.effectiveDirective, event.blockedURI));",
  });
  return { page, complaints };
}

function findBrowser(): string | undefined {
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
