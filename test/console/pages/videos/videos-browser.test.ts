import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openPage } from '../../../support/console/browser.ts';
import { projectRoot } from '../../../support/sheets/manifests.ts';
import { videoRow } from '../../../support/sheets/rows.ts';
import { addVideos, videoUrl } from '../../../support/videos.ts';
import { addPlayed, holdLists } from '../../../support/watched.ts';
import { night, open } from './video-pages.ts';

const onePixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';

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
    await page.goto(`${pages.url}/videos?figure=plays`);
    await page.getByText('The figures are loading.').waitFor();
    release();
    await page.locator('figure.plot svg[aria-label*="Views gained a day"]').waitFor();
    await page.getByText('More…').click();
    expect(await page.getByRole('link', { name: 'Update now…' }).count()).toBe(1);
    expect(complaints).toEqual([]);
  });

  it('all figures of the list are in sight, however long the titles are, and only digits are of one width', async (test) => {
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
    // Digits stand in columns; a hyphen in a key is no wider for that.
    const widthOf = (text: string) =>
      page.evaluate<number>(`(() => {
        const span = document.body.appendChild(document.createElement('span'));
        span.textContent = '${text}'.repeat(100);
        const { width } = span.getBoundingClientRect();
        span.remove();
        return width;
      })()`);
    await page.evaluate('document.fonts.ready.then(() => true)');
    expect(await widthOf('1')).toBe(await widthOf('0'));
    expect(await widthOf('-')).toBeLessThan(0.8 * (await widthOf('0')));
  });

  it('a plot shows the figure under the pointer, a wrong schedule has the focus, and a question opens in a dialog', async (test) => {
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
    const plot = page.locator('figure.plot svg').first();
    const reading = page.locator('.reading');
    const width = await plot.evaluate((svg) => svg.getBoundingClientRect().width);
    await plot.hover({ position: { x: width - 2, y: 20 } });
    expect(await reading.textContent()).toBe('Tue 9 Mar: 3');
    await plot.hover({ position: { x: 1, y: 20 } });
    expect(await reading.textContent()).toBe('Wed 24 Feb: 0');
    await page.getByRole('heading', { level: 1 }).hover();
    await reading.waitFor({ state: 'detached' });
    expect(complaints).toEqual([]);
    await page.getByText('Advanced: cron').click();
    await page.getByLabel('Minute, hour, day, month, weekday').fill('soon');
    await page.getByRole('button', { name: 'Update on this schedule' }).click();
    await page.getByRole('alert').getByText('"soon" is not a schedule').waitFor();
    const focused = page.locator('input[name=cron]:focus');
    await focused.waitFor();
    // The page scrolls to it in a frame of its own.
    await expect
      .poll(async () => (await focused.boundingBox())?.y)
      .toBeLessThan(page.viewportSize()?.height ?? 0);
    // Chromium complains about the status of the page that says why.
    expect(complaints).toEqual([expect.stringContaining('422')]);
    await page.goto(`${pages.url}/videos/${id}`);
    await plot.hover({ position: { x: 1, y: 20 } });
    await reading.getByText(': 5').waitFor();
    await page.getByLabel('More for this video').click();
    await page.getByRole('link', { name: 'Remove…' }).click();
    await page.locator('dialog[open]').getByText('Its 3 snapshots are deleted.').waitFor();
    await page.keyboard.press('Escape');
    await page.locator('dialog[open]').waitFor({ state: 'detached' });
    expect(complaints).toHaveLength(1);
  });

  it('each column of the posts of the report stands below its heading', async (test) => {
    const { page } = await openPage(test);
    const { runner, pages } = await open();
    await addPlayed(runner, 'a', {
      facts: { creator: 'demo_anna' },
      samples: [
        [night(20), 5],
        [night(0), 9],
      ],
    });
    await page.goto(`${pages.url}/videos/report`);
    const list = page.getByRole('table').filter({ hasText: 'Caption' });
    const boxesOf = (cells: string) =>
      list.locator(cells).evaluateAll((all) => all.map((cell) => cell.getBoundingClientRect().toJSON()));
    const [heads, cells] = [await boxesOf('thead th'), await boxesOf('tbody tr:first-child td')];
    expect(heads).toHaveLength(cells.length);
    expect(cells.map(({ x, width }) => [x, width])).toEqual(heads.map(({ x, width }) => [x, width]));
    expect(cells[0]?.y).toBe(heads[0]?.bottom);
  });

  it('the report prints on a few sheets of A4, with pictures of local covers only', async (test) => {
    const { page, complaints } = await openPage(test);
    const { runner, pages } = await open();
    const id = await runner.importRows([videoRow('a', { cover: 'cover.png' })]);
    writeFileSync(join(runner.folder, 'cover.png'), Buffer.from(onePixel, 'base64'));
    for (let index = 0; index < 40; index += 1) {
      const facts = {
        creator: `a.creator_with_long_name_${index}`,
        ...(index === 7 && { campaign: id, key: 'a' }),
      };
      await addPlayed(runner, `v${index}`, {
        facts: {
          ...facts,
          label: `A title that says at some length what the video number ${index} shows, and of which creator`,
        },
        meta: { coverUrl: 'https://elsewhere.example/cover.jpg' },
        samples: [
          [night(75), 800],
          [night(45), 900],
          [night(20), 1000],
          [night(1), 2000 + index],
          [night(0), index === 7 ? 90_000 : 9000 + index],
        ],
      });
    }
    await page.goto(`${pages.url}/videos`);
    await page.getByRole('link', { name: 'Report', exact: true }).click();
    await page.getByRole('link', { name: '30 days' }).click();
    await page.locator('figure.plot svg').hover();
    await page.locator('.reading').waitFor();
    await page.getByRole('button', { name: 'Print…' }).waitFor();
    const isLoaded =
      '[...document.querySelectorAll(".pic img")].filter((image) => image.naturalWidth > 0).length';
    await expect.poll(() => page.evaluate(isLoaded)).toBe(3);
    expect(await page.locator('.movers').getByLabel('Remote file').count()).toBe(10);
    const pdf = await page.pdf({ preferCSSPageSize: true });
    const paper = pdf.toString('latin1');
    expect(paper.match(/\/Type\s*\/Page\b/g)?.length).toBeLessThanOrEqual(5);
    expect(paper).toMatch(/\/MediaBox\s*\[0 0 59[45][.\d]* 84[12][.\d]*\]/);
    // The other server cannot be reached.
    expect(complaints.filter((text) => !text.startsWith('Failed to load resource'))).toEqual([]);
  });

  it('the report is printed when the frames of all its videos are there', async (test) => {
    const { page, complaints } = await openPage(test);
    const { runner, pages } = await open();
    const keys = Array.from({ length: 14 }, (_row, at) => `k${at}`);
    const campaign = await runner.importRows(keys.map((key) => videoRow(key, { media: 'serum.mp4' })));
    copyFileSync(join(projectRoot, 'examples/media/videos/serum.mp4'), join(runner.folder, 'serum.mp4'));
    for (const key of keys)
      await addPlayed(runner, key, { facts: { campaign, key }, samples: [[night(0), 500]] });
    await page.addInitScript(`window.print = () => {
      window.printed = [...document.querySelectorAll('.posts video')].map(({ readyState }) => readyState > 1);
    }`);
    await page.goto(`${pages.url}/videos/report`);
    await page.getByRole('button', { name: 'Print…' }).click();
    await expect.poll(() => page.evaluate('window.printed')).toEqual(keys.map(() => true));
    expect(complaints).toEqual([]);
  });
});
