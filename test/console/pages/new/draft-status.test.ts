/** Rows of a draft that a column of the planner's own says are posted, cancelled or not ready. */
import { expect, it } from 'vitest';
import { openDraft } from '../../../support/console/draft-page.ts';
import { aiVideoRow } from '../../../support/sheets/rows.ts';

const rows = [
  aiVideoRow('a', { State: 'ready' }),
  aiVideoRow('b', { State: 'Publié' }),
  aiVideoRow('c', { State: 'DRAFT' }),
];

it('are skipped with one press', async () => {
  const { checked, send, look } = await openDraft(rows);
  const { text, html } = await checked();
  expect(text).toContain('2 State says that these rows are posted, cancelled or not ready.');
  const [, press = ''] = /formaction="[^"]*\/(leave-out\?[^"]*)"[^>]*>Skip 2 rows/.exec(html) ?? [];
  expect((await send(press.replaceAll('&amp;', '&'), {})).text).toContain('2 rows skipped.');
  expect((await look()).checked).toMatchObject({ accepted: 1, refused: 0, leftOut: 2 });
});

it('ids that all end in zeros are kept with one press', async () => {
  const ids = ['1730000000000010000', '1730000000000020000'];
  const { checked, send, look } = await openDraft(ids.map((id) => aiVideoRow(id, { product_id: id })));
  expect((await checked()).text).toContain('Keep the IDs: they are right');
  await send('trust-ids', {});
  await checked();
  expect((await look()).checked).toMatchObject({ accepted: 2, refused: 0, warned: 0 });
});

it('are posted with another one', async () => {
  const { checked, send, look, runner } = await openDraft(rows);
  expect((await checked()).text).toContain('Post 2 rows anyway');
  expect((await send('own-status', {})).text).toContain('whatever their own status says');
  await checked();
  expect((await look()).checked).toMatchObject({ accepted: 3, refused: 0 });
  expect((await send('start', { posts: '3' })).text).toContain('Started: 3 posts');
  expect(await runner.ledger.campaigns.list()).toHaveLength(1);
});
