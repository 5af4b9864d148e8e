/** What axe-core finds on a page. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';

/** Half as large as that of the module: each page reads it anew. */
const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Most rules ask for what does not change with the look of a page. For a second look: those that do. */
export const rulesOfLooks: string[] = ['color-contrast', 'scrollable-region-focusable', 'target-size'];

export interface AskedOfAxe extends RunOptions {
  /** Selector of the part to look at; default: all of the page. */
  readonly within?: string;
  /** Leaves out what is minor or moderate. */
  readonly onlySerious?: boolean;
}

/** Elements that break a rule: the rule, and where. */
export async function axeFindings(page: Page, asked: AskedOfAxe = {}): Promise<readonly string[]> {
  if (!(await page.evaluate("'axe' in globalThis"))) await page.evaluate(source);
  return page.evaluate(async ({ within = 'html', onlySerious = false, ...options }) => {
    const { axe } = globalThis as unknown as { readonly axe: typeof import('axe-core') };
    // What is in order, and how to select what is not, would be dear to tell.
    const wanted = { resultTypes: ['violations' as const], selectors: false };
    const { violations } = await axe.run(within, { ...wanted, ...options });
    return violations
      .filter(({ impact }) => !onlySerious || impact === 'serious' || impact === 'critical')
      .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join()}`);
  }, asked);
}
