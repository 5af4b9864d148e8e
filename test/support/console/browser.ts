/** A real browser for tests of pages: Chromium or Chrome on this machine. `scripts/setup --tests` installs one. */
import { type Browser, chromium, type Page } from 'playwright-core';
import type { TestContext } from 'vitest';
import { browserArgs, findBrowser } from '../../../scripts/browser.ts';
import { patienceMs } from '../events.ts';
import { lacking } from '../lacking.ts';

export interface TestPage {
  readonly page: Page;
  /** Errors of the page: from its console, an exception, or its content security policy. */
  readonly complaints: readonly string[];
}

/** The browser of this process: a launch costs more than most tests do with it. */
let shared: Promise<Browser> | undefined;

async function sharedBrowser(executablePath: string): Promise<Browser> {
  if (shared && (await shared).isConnected()) return shared;
  // Without a locale, Chromium crashes on file names that are not ASCII.
  const env = { ...process.env, LC_ALL: 'C.UTF-8' };
  shared = chromium.launch({ executablePath, args: browserArgs, env });
  return shared;
}

/**
 * Opens a page of its own, with its own cookies and files, which ends with the test; without a browser as `lacking`. It does not
 * scroll smoothly: to draw each step is dear.
 */
export async function openPage(test: TestContext): Promise<TestPage> {
  const executablePath = findBrowser();
  if (executablePath === undefined) {
    return lacking(test, 'Chromium or Chrome');
  }
  const browser = await sharedBrowser(executablePath);
  const page = await browser.newPage({ reducedMotion: 'reduce' });
  page.setDefaultTimeout(patienceMs);
  test.onTestFinished(() => page.context().close());
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
