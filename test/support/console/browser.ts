/** A real browser for tests of pages: Chromium or Chrome on this machine. `scripts/setup --tests` installs one. */
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import type { TestContext } from 'vitest';
import { browserArgs, findBrowser } from '../../../scripts/browser.ts';
import { patienceMs } from '../events.ts';
import { lacking } from '../lacking.ts';

export interface TestPage {
  readonly page: Page;
  /** Errors of the page: from its console, an exception, or its content security policy. */
  readonly complaints: readonly string[];
}

/** In a hand: fingers, and a narrow window. */
export const phone: BrowserContextOptions = {
  viewport: { width: 390, height: 844 },
  hasTouch: true,
  isMobile: true,
};

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
 * scroll smoothly: to draw each step is dear. @param device such as `phone`.
 */
export async function openPage(test: TestContext, device: BrowserContextOptions = {}): Promise<TestPage> {
  const executablePath = findBrowser();
  if (executablePath === undefined) {
    return lacking(test, 'Chromium or Chrome');
  }
  const browser = await sharedBrowser(executablePath);
  const page = await browser.newPage({ reducedMotion: 'reduce', ...device });
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

/** What does not come wholly into the picture when it is used: controls that stick out of the window, out of a box that scrolls, or stand behind the lines. */
export function outOfSight(page: Page): Promise<readonly string[]> {
  return page.evaluate<readonly string[]>(`(() => {
    const found = [];
    if (document.documentElement.scrollWidth > innerWidth) found.push('the page is too wide');
    for (const scroller of document.querySelectorAll('.scroller')) {
      const box = scroller.getBoundingClientRect();
      const lines = scroller.querySelector('tbody th.n');
      const start = lines && getComputedStyle(lines).position === 'sticky' ? box.left + lines.offsetWidth : box.left;
      for (const one of scroller.querySelectorAll('.edit :is(input, textarea), .more :is(a, label), select')) {
        one.scrollIntoView({ block: 'nearest' });
        const { left: from, right: to, width } = one.getBoundingClientRect();
        if (width > 0 && (from < start - 1 || to > box.right + 1 || from < 0 || to > innerWidth))
          found.push([Math.round(from), Math.round(to), one.name || one.textContent.trim()].join(' '));
      }
      scroller.scrollLeft = 0;
    }
    for (const one of document.querySelectorAll('main :is(button, .button)')) {
      one.scrollIntoView({ block: 'nearest' });
      const { left, right, width } = one.getBoundingClientRect();
      if (width > 1 && (left < 0 || right > innerWidth)) found.push(one.textContent.trim());
    }
    return found;
  })()`);
}
