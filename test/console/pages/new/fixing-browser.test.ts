/** Problems of a sheet are fixed in a real browser: in sight on every screen, and without losing one's place. */
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { openPage } from '../../../support/console/browser.ts';
import { good, lost, openDraft } from '../../../support/console/draft-page.ts';
import { videoRow } from '../../../support/sheets/rows.ts';

const widths = [320, 360, 768, 1280, 1440, 1920, 2560];

/** What a person cannot reach without scrolling sideways: controls that stick out of the window, or of a box that scrolls. */
function outOfSight(page: Page): Promise<readonly string[]> {
  return page.evaluate<readonly string[]>(`(() => {
    const found = [];
    if (document.documentElement.scrollWidth > innerWidth) found.push('the page is too wide');
    for (const scroller of document.querySelectorAll('.scroller')) {
      for (const left of [0, scroller.scrollWidth]) {
        scroller.scrollLeft = left;
        const box = scroller.getBoundingClientRect();
        for (const one of scroller.querySelectorAll('.band :is(button, .button, input), .edit :is(input, textarea), .more :is(a, label), select')) {
          const { left: from, right: to, width } = one.getBoundingClientRect();
          if (width > 0 && (from < box.left - 1 || to > box.right + 1 || from < 0 || to > innerWidth))
            found.push([left, Math.round(from), Math.round(to), one.name || one.textContent.trim()].join(' '));
        }
      }
      scroller.scrollLeft = 0;
    }
    for (const one of document.querySelectorAll('main :is(button, .button)')) {
      const { left, right, width } = one.getBoundingClientRect();
      if (width > 1 && (left < 0 || right > innerWidth)) found.push(one.textContent.trim());
    }
    return found;
  })()`);
}

/** Notes and captions that make the sheet much wider than any window. */
const wide = Object.fromEntries(
  Array.from({ length: 24 }, (_, note) => [`_ note ${note}`, `a note of the planner, number ${note}`]),
);

it('every cure is in the picture, from 320 to 2,560 px', { timeout: 60_000 }, async (test) => {
  const many = ['p', 'q', 'r', 's', 't'].map((key) => videoRow(key, { media: 'none.mov', ...wide }));
  const { pages, path, checked } = await openDraft([
    videoRow('a', { ...good, ...wide }),
    videoRow('b', { ...lost, ...wide }),
    videoRow('c', { creator: 'demo_ana', ...wide, scheduled_at: '12/03/2031 20:00' }),
    videoRow('d', { ...wide, is_ai_generated: 'maybe' }),
    videoRow('e', { ...wide, caption: 'One more swipe, and the mug is gone. '.repeat(130) }),
    ...many,
  ]);
  await checked();
  const { page } = await openPage(test);
  await page.goto(`${pages.url}${path}`);
  for (const width of widths) {
    await page.setViewportSize({ width, height: 900 });
    expect([width, ...(await outOfSight(page))]).toEqual([width]);
    const caption = await page.getByLabel('caption, line 6').boundingBox();
    expect(caption?.width).toBeGreaterThan(Math.min(500, width - 150));
  }
});
