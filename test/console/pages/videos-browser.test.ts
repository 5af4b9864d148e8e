import { describe, expect, it } from 'vitest';
import { openPage } from '../../support/console/browser.ts';
import { openPages } from '../../support/console/console-pages.ts';
import { openRunner } from '../../support/in-process.ts';
import { addVideos, videoUrl } from '../../support/videos.ts';
import { addPlayed, holdLists } from '../../support/watched.ts';

const now = Date.UTC(2027, 2, 9, 15);
const day = 86_400;
const night = (daysAgo: number) => Date.UTC(2027, 2, 9, 2) / 1000 - daysAgo * day;

async function open() {
  const runner = await openRunner({ now: () => now });
  return { runner, pages: await openPages(runner) };
}

describe('/videos in a browser', () => {
  it('the page of a large list comes at once, and its figures when they are read', async (test) => {
    const { page, complaints } = await openPage(test);
    const { runner, pages } = await open();
    await addPlayed(runner, 'a', {
      samples: [
        [night(1), 5],
        [night(0), 9],
      ],
    });
    await addVideos(
      runner,
      Array.from({ length: 2000 }, (_video, index) => videoUrl(`v${index}`)),
    );
    const release = holdLists(runner);
    await page.goto(`${pages.url}/videos?figure=likes`);
    await page.getByText('The figures are loading.').waitFor();
    release();
    const drawn = page.locator('figure.plot.drawn .canvas[role=img]');
    expect(await drawn.getAttribute('aria-label')).toContain('Likes gained a day');
    expect(await page.getByRole('link', { name: 'Update now: 2,001 calls…' }).count()).toBe(1);
    expect(complaints).toEqual([]);
  });

  it('all figures of the list are in sight, however long the titles are', async (test) => {
    const { page } = await openPage(test);
    const { runner, pages } = await open();
    const facts = {
      creator: 'demo_anna',
      label: 'A title of many words, '.repeat(6),
      campaign: 'c1',
      key: 'spring-0001',
    };
    await addPlayed(runner, 'a', { facts, samples: [[night(0), 12_345_678]] });
    await addPlayed(runner, 'b'.repeat(90), { samples: [[night(0), 1]] });
    await page.setViewportSize({ width: 1280, height: 900 });
    await page.goto(`${pages.url}/videos`);
    const list = `document.querySelector('.scroller[aria-labelledby=list]')`;
    expect(await page.evaluate(`${list}.scrollWidth - ${list}.clientWidth`)).toBe(0);
  });

  it('plots are drawn anew with the same words, and a question opens in a dialog', async (test) => {
    const { page, complaints } = await openPage(test);
    const { runner, pages } = await open();
    const id = await addPlayed(runner, 'a', {
      samples: [
        [night(3), 5],
        [night(1), 9],
        [night(0), 12],
      ],
    });
    await page.goto(`${pages.url}/videos`);
    const drawn = page.locator('figure.plot.drawn .canvas[role=img]');
    expect(await drawn.getAttribute('aria-label')).toContain('Views gained a day');
    expect(await drawn.locator('canvas').count()).toBe(1);
    await page.goto(`${pages.url}/videos/${id}`);
    expect(await page.locator('figure.plot.drawn canvas').count()).toBe(5);
    await page.getByRole('link', { name: 'Remove…' }).click();
    await page.locator('dialog[open]').getByText('Its 3 snapshots are deleted.').waitFor();
    await page.keyboard.press('Escape');
    await page.locator('dialog[open]').waitFor({ state: 'detached' });
    expect(complaints).toEqual([]);
  });
});
