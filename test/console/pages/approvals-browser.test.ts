/** Approvals in a browser. */
import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { expect, it } from 'vitest';
import { makeShare } from '../../../src/app/approvals/shares.ts';
import { openApprovals } from '../../support/approvals.ts';
import { usual } from '../../support/client-links.ts';
import { axeFindings } from '../../support/console/axe.ts';
import { openPage } from '../../support/console/browser.ts';
import { aiVideoRow, photoRow, videoRow } from '../../support/sheets/rows.ts';

const day = 86_400_000;
const soon = { scheduled_at: new Date(Date.now() + 10 * day).toISOString() };
const later = { approve: 'all', lead: day } as const;
const examples = new URL('../../../examples/media/', import.meta.url).pathname;

/** Name of the post that has the focus. */
const focused = (page: Page) => page.evaluate("document.activeElement?.ariaLabel ?? ''");

it('200 posts by keys alone: one by one, a rejection with its reason, the others at once', async (test) => {
  const { page, complaints } = await openPage(test);
  // In the order of the sheet.
  const at = (index: number) => ({
    scheduled_at: new Date(Date.now() + 10 * day + index * 60_000).toISOString(),
  });
  const rows = Array.from({ length: 200 }, (_row, index) =>
    videoRow(`r${index}`, { ...at(index), media: 'one.mp4' }),
  );
  const { runner, pages, waiting, id, posts } = await openApprovals(rows, later);
  await waiting(200);
  await page.goto(`${pages.url}/approvals`);
  await page.keyboard.press('j');
  await page.keyboard.press('j');
  await page.keyboard.press('k');
  await page.keyboard.press('j');
  expect(await focused(page)).toBe('Select r1 of demo_anna');
  await page.keyboard.press('a');
  await page.getByText('Approved 1 post.').waitFor();
  // It goes on with the next one.
  await expect.poll(() => focused(page)).toBe('Select r2 of demo_anna');
  await page.keyboard.press('r');
  await page.getByRole('dialog').waitFor();
  await page.keyboard.type('Wrong product');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.getByText('Rejected 1 post.').waitFor();
  await expect.poll(() => focused(page)).toBe('Select r3 of demo_anna');
  await page.keyboard.press('Space');
  await page.keyboard.press('j');
  await page.keyboard.press('Space');
  await page.keyboard.press('a');
  await page.getByText('Approved 2 posts.').waitFor();
  for (const left of [196, 148, 100, 52, 4]) {
    await page.getByText(`${left} posts wait for an approval.`).waitFor();
    await page.getByLabel(`all ${Math.min(48, left)} posts`).focus();
    await page.keyboard.press('Space');
    await page.keyboard.press('a');
  }
  await page.getByText('Nothing waits for an approval').waitFor();
  expect(await runner.ledger.campaigns.find(id)).toMatchObject({
    counts: { ready: 199, failed: 1 },
    unapproved: 0,
  });
  expect(posts()).toHaveLength(0);
  expect(complaints).toEqual([]);
});

it('posts that are decided all at once leave no tick above those that come', async (test) => {
  const { page } = await openPage(test);
  const { pages, waiting } = await openApprovals([videoRow('a', soon), videoRow('b', soon)], later);
  await waiting(2);
  await page.goto(`${pages.url}/approvals`);
  // Until its answer is here, the page may get others from its stream.
  await page.route('**/approvals/approve', () => undefined);
  const all = page.getByLabel('all 2 posts');
  await all.focus();
  await page.keyboard.press('Space');
  expect(await all.isChecked()).toBe(true);
  await page.keyboard.press('a');
  await page.locator('.approvals > li[data-sent]').first().waitFor();
  expect(await all.isChecked()).toBe(false);
});

it('ten keys a second decide the posts that had the focus, and no others', async (test) => {
  const { page, complaints } = await openPage(test);
  const rows = Array.from({ length: 60 }, (_row, index) =>
    videoRow(`r${index}`, {
      scheduled_at: new Date(Date.now() + 10 * day + index * 60_000).toISOString(),
      media: 'one.mp4',
    }),
  );
  const { runner, pages, waiting, id } = await openApprovals(rows, later);
  await waiting(60);
  await page.goto(`${pages.url}/approvals`);
  await page.keyboard.press('j');
  const approved: string[] = [];
  // Every third one is passed over.
  for (let at = 0; at < 40; at += 1) {
    const key = String(await focused(page)).split(' ')[1] ?? '';
    expect(key).toBe(`r${at}`);
    if (at % 3 !== 2) approved.push(key);
    await page.keyboard.press(at % 3 === 2 ? 'j' : 'a', { delay: 20 });
  }
  // What is typed before the question is there goes into it.
  await page.keyboard.press('r');
  await page.keyboard.type('Bad caption, a jar');
  await page.getByRole('dialog').waitFor();
  await expect.poll(() => page.locator('dialog textarea').inputValue()).toBe('Bad caption, a jar');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.keyboard.press('a');
  approved.push('r41');
  await page.getByText(`${60 - approved.length - 1} posts wait for an approval.`).waitFor();
  const states = (await runner.rows(id)).map(({ state }, at) => ({ key: `r${at}`, state }));
  const words = await runner.ledger.approvals.of(
    id,
    states.map((_state, at) => at),
  );
  expect(states.filter((_state, at) => words[at]?.is === 'approved').map(({ key }) => key)).toEqual(approved);
  expect(words[40]).toMatchObject({ is: 'rejected', reason: 'Bad caption, a jar' });
  expect(words[3]).toMatchObject({ is: 'approved' });
  expect(complaints).toEqual([]);
}, 90_000);

it('what was decided is sent, also if the page is left at once', async (test) => {
  const { page } = await openPage(test);
  const { runner, pages, waiting, id } = await openApprovals(
    [videoRow('a', soon), videoRow('b', soon)],
    later,
  );
  await waiting(2);
  await page.goto(`${pages.url}/approvals`);
  for (const key of ['j', 'a', 'a']) await page.keyboard.press(key);
  await page.goto(`${pages.url}/campaigns`);
  await expect.poll(async () => (await runner.ledger.campaigns.find(id))?.unapproved).toBe(0);
});

it('of posts decided by keys, one that has changed meanwhile is refused, and gets no focus', async (test) => {
  const { page, complaints } = await openPage(test);
  const keys = ['a', 'b', 'c'];
  const opened = await openApprovals(
    keys.map((key) => videoRow(key, soon)),
    later,
  );
  const { runner, pages, waiting, edit, id } = opened;
  await waiting(3);
  await page.goto(`${pages.url}/approvals`);
  await edit('b', 'caption', 'Another text');
  await edit('c', 'caption', 'A third text');
  await waiting(3);
  for (const key of ['j', 'a', 'a']) await page.keyboard.press(key);
  await page.getByText('b: Changed since it was shown: caption.').waitFor();
  // The post that had the focus is another one now: no key decides it before it was chosen again.
  expect(await focused(page)).toBe('');
  await page.keyboard.press('a');
  expect(await runner.ledger.campaigns.find(id)).toMatchObject({ unapproved: 2 });
  expect(complaints).toEqual([]);
});

it('generates again after its cost was shown, and refuses what changed between look and click', async (test) => {
  const { page, complaints } = await openPage(test);
  const { runner, pages, waiting, edit, posts } = await openApprovals([aiVideoRow('x'), videoRow('a')]);
  await waiting(2);
  await page.goto(`${pages.url}/approvals`);
  await page.locator('.approvals > li', { hasText: 'Caption x' }).locator('.menu summary').click();
  await page.getByRole('button', { name: 'Generate again… (1 output)' }).click();
  await page.getByRole('dialog').getByText('This pays for 1 AI output again.').waitFor();
  await page.getByRole('button', { name: 'Generate 1 post again' }).click();
  await page.getByText('Making media again: 1 post.').waitFor();
  await waiting(2);
  await page.goto(`${pages.url}/approvals`);
  await edit('a', 'caption', 'Another text');
  await waiting(2);
  const card = page.locator('.approvals > li', { hasText: 'Caption a' });
  await card.getByRole('button', { name: 'Approve' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Approve 1 post' }).click();
  await page.getByText('Changed since it was shown: caption.').waitFor();
  expect(posts()).toHaveLength(0);
  // Shown anew, it is approved.
  await page
    .locator('.approvals > li', { hasText: 'Another text' })
    .getByRole('button', { name: 'Approve' })
    .click();
  await page.getByRole('dialog').getByRole('button', { name: 'Approve 1 post' }).click();
  await page.getByText('Approved 1 post.').waitFor();
  await runner.until(() => posts().length === 1, 'the post');
  expect(complaints).toEqual([]);
});

it('on a phone, what was refused is in sight at its post', async (test) => {
  const { page, complaints } = await openPage(test);
  await page.setViewportSize({ width: 390, height: 844 });
  const keys = ['a', 'b', 'c', 'd', 'e'];
  const { pages, waiting, edit } = await openApprovals(
    keys.map((key) => videoRow(key, soon)),
    later,
  );
  await waiting(5);
  await page.goto(`${pages.url}/approvals`);
  await edit('d', 'caption', 'Another text');
  await waiting(5);
  await page
    .locator('.approvals > li', { hasText: 'Caption d' })
    .getByRole('button', { name: 'Approve' })
    .click();
  const refused = page.getByText('d: Changed since it was shown: caption.');
  await refused.waitFor();
  const boxes = [refused, page.locator('.approvals > li', { hasText: 'Another text' })];
  for (const each of boxes) {
    const box = await each.boundingBox();
    expect(box?.y).toBeGreaterThan(0);
    expect(box?.y).toBeLessThan(600);
  }
  expect(complaints).toEqual([]);
});

it('posts stand side by side as they will look, in two columns on a phone', async (test) => {
  const { page, complaints } = await openPage(test);
  const names = ['candle', 'lamp', 'mug', 'notebook', 'plant', 'serum'];
  const long = `Slow mornings need slow light. ${'Hand-poured in small batches, with a wick that never smokes. '.repeat(4)}`;
  const rows = names.map((name, index) =>
    videoRow(name, { ...soon, caption: index % 2 === 0 ? long : `The ${name} you will keep` }),
  );
  const { pages, waiting } = await openApprovals([...rows, photoRow('set', 4, soon)], later, (folder) => {
    for (const name of names) copyFileSync(join(examples, `videos/${name}.mp4`), join(folder, `${name}.mp4`));
  });
  await waiting(7);
  for (const [width, columns] of [
    [1440, 5],
    [390, 2],
  ] as const) {
    await page.setViewportSize({ width, height: 900 });
    await page.goto(`${pages.url}/approvals`);
    const lefts = await page
      .locator('.approvals > li')
      .evaluateAll(
        (all) => new Set(all.map((each) => (each as unknown as { offsetLeft: number }).offsetLeft)).size,
      );
    expect(lefts).toBe(columns);
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    expect(await axeFindings(page)).toEqual([]);
  }
  expect(complaints).toEqual([]);
});

interface Video {
  readonly readyState: number;
  readonly seeking: boolean;
}

it('the cover is what is seen of a video, but while it plays', async (test) => {
  const { page, complaints } = await openPage(test);
  const cover = await sharp({ create: { width: 720, height: 1280, channels: 3, background: '#f0f' } })
    .jpeg()
    .toBuffer();
  const { runtime, pages, waiting, id } = await openApprovals(
    [videoRow('a', { ...soon, cover: 'cover.jpg' })],
    later,
    (folder) => {
      copyFileSync(join(examples, 'videos/mug.mp4'), join(folder, 'a.mp4'));
      writeFileSync(join(folder, 'cover.jpg'), cover);
    },
  );
  await waiting(1);
  const { path } = await makeShare(runtime, { campaign: id }, usual, 'anna');
  const video = page.locator('.screen video[src]');
  const isLoaded = () => video.evaluate(({ readyState, seeking }: Video) => readyState > 0 && !seeking);
  const isCover = async () => {
    const shot = sharp(await page.locator('.screen').screenshot());
    const { channels } = await sharp(
      await shot.extract({ left: 60, top: 40, width: 40, height: 40 }).toBuffer(),
    ).stats();
    const [red = 0, green = 0, blue = 0] = channels.map(({ mean }) => mean);
    return red > 200 && green < 50 && blue > 200;
  };
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  for (const [width, address] of [
    [1440, '/approvals'],
    [390, '/approvals'],
    [390, path],
  ] as const) {
    await page.setViewportSize({ width, height: 900 });
    await page.goto(`${pages.url}${address}`);
    await expect.poll(isLoaded).toBe(true);
    expect([address, width, await isCover()]).toEqual([address, width, true]);
    await page.locator('.screen').hover();
    await expect.poll(isCover).toBe(false);
    await page.mouse.move(0, 0);
    await expect.poll(isCover).toBe(true);
  }
  expect(complaints).toEqual([]);
});
