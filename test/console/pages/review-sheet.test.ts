import { readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openReview, postOf } from '../../campaigns/decisions/review.ts';
import { openPages } from '../../support/console/console-pages.ts';
import { listPostsSetting } from '../../support/processes/scene.ts';

async function open(settings: Parameters<typeof openReview>[0] = {}) {
  const review = await openReview(settings);
  const pages = await openPages(review);
  /** Hands a sheet in. @returns the page that shows what it does, and its form. */
  const importOrUpdate = async (lines: readonly (readonly string[])[]) => {
    const form = new FormData();
    form.set('campaign', review.id);
    form.set('sheet', new File([readFileSync(review.sheet(lines).path)], 'decisions.csv'));
    const page = await pages.post('/review/sheet', form);
    const [, path = ''] = /action="(\/campaigns\/\w+\/decisions\/[0-9a-f]+)"/.exec(page.html) ?? [];
    const [, rows = ''] = /name="rows" value="(\d+)"/.exec(page.html) ?? [];
    const fields = { rows, name: 'decisions.csv' };
    return { ...page, save: (more = {}) => pages.post(path, { ...fields, ...more }) };
  };
  return { review, pages, importOrUpdate };
}

it('leads from the review to the rows of each campaign', async () => {
  const { review, pages } = await open();
  expect((await pages.get('/review')).html).toContain('href="/review/sheet"');
  const { html } = await pages.get('/review/sheet');
  expect(html).toContain(`href="/campaigns/${review.id}/results.xlsx?only=review"`);
});

it('shows what a sheet does before it decides', async () => {
  const { review, importOrUpdate } = await open();
  const { text, save } = await importOrUpdate([
    ['key', 'decision'],
    ['a', `posted ${postOf(review, 'a')}`],
    ['b', 'not-posted'],
    ['c', ''],
    ['d', 'not-posted'],
  ]);
  expect(text).toContain('1 row: marked as posted. Sends nothing');
  expect(text).toContain('1 row without a decision: unchanged');
  expect(text).toContain('1 row no longer in review (posted): unchanged');
  expect(text).toContain('If one of these posts exists after all, this creates a duplicate.');
  expect(text).toContain('Resend or resume 1 row, mark 1 as posted');
  expect(await review.states()).toEqual(['review', 'review', 'review', 'review', 'posted']);
  // Nobody has said that the posts were looked for.
  expect((await save()).text).toContain('Nothing has been decided.');
  expect(await review.states()).toEqual(['review', 'review', 'review', 'review', 'posted']);
  expect((await save({ sure: 'yes' })).text).toContain('Decided 2 rows.');
  expect(await review.states()).toEqual(['posted', 'waiting', 'review', 'review', 'posted']);
  expect(await readdir(join(review.folder, 'sheets'))).toEqual([]);
});

it('names the rows whose post ids nobody looks up', async () => {
  const { review, importOrUpdate } = await open();
  const { text } = await importOrUpdate([
    ['key', 'decision'],
    ['a', `posted ${postOf(review, 'a')}`],
    ['b', 'not-posted'],
    ['c', 'posted 123'],
  ]);
  expect(text).toContain('2 post ids are taken as written: the publishing records cannot be read here');
  expect(text).toContain('for the post id of each row: a, c');
});

it('names none whose post ids are looked up', async () => {
  const { review, importOrUpdate } = await open({ api: { listPosts: listPostsSetting() } });
  const { text } = await importOrUpdate([
    ['key', 'decision'],
    ['a', `posted ${postOf(review, 'a')}`],
  ]);
  expect(text).toContain('1 row: marked as posted. Sends nothing');
  expect(text).not.toContain('taken as written');
});

it('shows the problems of a sheet, and decides nothing', async () => {
  const { review, importOrUpdate } = await open();
  const { text, html } = await importOrUpdate([
    ['key', 'decision'],
    ['a', 'not-posted'],
    ['nobody', 'not-posted'],
    ['b', '<script>'],
  ]);
  expect(text).toContain('2 problems');
  expect(html).toContain('&lt;script&gt;');
  expect(text).not.toContain('Mark ');
  expect(text).not.toContain('Resend');
  expect(new Set(await review.states())).toEqual(new Set(['review', 'posted']));
});
