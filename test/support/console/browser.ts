/** A real browser for tests of pages: Chromium or Chrome on this machine. `scripts/setup --tests` installs one. */
import { chromium, type Page } from 'playwright-core';
import type { TestContext } from 'vitest';
import { browserArgs, findBrowser } from '../../../scripts/browser.ts';

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
  // Without a locale, Chromium crashes on file names that are not ASCII.
  const env = { ...process.env, LC_ALL: 'C.UTF-8' };
  const browser = await chromium.launch({ executablePath, args: browserArgs, env });
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
