import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openReview, postOf } from '../../../campaigns/decisions/review.ts';
import { openPages } from '../../../support/console/console-pages.ts';

const header = ['key', 'campaign', 'status', 'post_id', 'decision'] as const;

it('a sheet of decisions that is dropped as a new campaign shows its plan, and decides by one button', async () => {
  const review = await openReview();
  const pages = await openPages(review);
  const row = (key: string, decision: string) => [key, review.id, 'review', '', decision];
  const sheet = review.sheet([
    header,
    row('a', `posted ${postOf(review, 'a')}`),
    row('b', ''),
    row('d', 'not-posted'),
  ]);
  const drop = async () => {
    const form = new FormData();
    form.set('_csrf', '');
    form.set('sheet', new File([readFileSync(sheet.path)], 'decisions.csv'));
    return pages.post('/campaigns/new', form);
  };
  const planned = await drop();
  expect(planned.text).toContain('1 row: marked as posted. Sends nothing');
  expect(planned.text).toContain('1 row no longer in review (posted): unchanged');
  expect(planned.text).toContain('1 row without a decision: unchanged');
  expect((await review.states())[0]).toBe('review');

  const [, path = ''] = /action="([^"]*\/decisions\/[^"]*)"/.exec(planned.html) ?? [];
  const other = await pages.post(path, { name: 'decisions.csv', rows: '2' });
  expect(other.text).toContain('Rows in review have changed since the plan was made.');
  expect((await review.states())[0]).toBe('review');

  expect((await pages.post(path, { name: 'decisions.csv', rows: '1' })).text).toContain('Decided 1 row.');
  expect((await review.states())[0]).toBe('posted');
  expect(readdirSync(join(review.folder, 'sheets'))).toEqual([]);
});
