/** Rows of a draft that are no posts, such as headings. */
import { expect, it } from 'vitest';
import { openDraft } from '../../../support/console/draft-page.ts';
import { aiVideoRow } from '../../../support/sheets/rows.ts';

const blank = Object.fromEntries(Object.keys(aiVideoRow('a')).map((name) => [name, '']));
const rows = [aiVideoRow('a'), { ...blank, creator: 'MARCH' }, aiVideoRow('b')];

it('are skipped and listed', async () => {
  const { checked, look } = await openDraft(rows);
  expect((await checked()).text).toContain('1 row has only one filled cell');
  expect((await look()).checked).toMatchObject({ accepted: 2, refused: 0, leftOut: 1 });
});

it('are counted as skipped everywhere, together with those that a person skips', async () => {
  const { checked, edit } = await openDraft(rows);
  await edit({ leaveOut: [3] });
  const { text } = await checked();
  const told = [
    /Skipped: (\d+)\./,
    /(\d+) skipped Start/,
    /ready · (\d+) skipped/,
    /(\d+) rows skipped Start/,
  ];
  expect(told.map((each) => each.exec(text)?.[1])).toEqual(['2', '2', '2', '2']);
});

it('are no rows that could be ready', async () => {
  const { checked } = await openDraft(rows);
  expect((await checked()).text).toContain('2 of 2 rows ready · 1 skipped');
  const faulty = await openDraft(rows.with(0, { ...rows[0], caption: '' }));
  expect((await faulty.checked()).text).toContain('1 of 2 rows left');
  expect((await faulty.pages.get('/campaigns')).text).toContain('1 of 2 rows ready, 1 to fix');
});

it('are not among those that its steps count as ready', async () => {
  const steps = async (of: typeof rows) => {
    const { checked } = await openDraft(of);
    return /Start Plan (.*?) (?:Save|Nothing|\d+ rows? to fix)/.exec((await checked()).text)?.[1];
  };
  expect(await steps(rows)).toBe('2 rows ready');
  expect(await steps(rows.map((row) => ({ ...row, caption: '' })))).toBe('No row ready yet');
});

it('are named with their texts before the start', async () => {
  const { checked, edit, send } = await openDraft(rows);
  await edit({ leaveOut: [3] });
  await checked();
  expect((await send('ask', { canary: '' })).text).toContain(
    'Skipped 2 rows line 3: MARCH line 4: b demo_anna',
  );
});

it('are skipped beside a column that was added with one text for all rows', async () => {
  const bare = rows.map(({ product_title: _title, ...row }) => row);
  const { send, look } = await openDraft(bare);
  await send('add-columns', { 'add.product_title': 'Lamp' });
  expect((await look()).checked).toMatchObject({ accepted: 2, refused: 0, leftOut: 1 });
});

it('are marked as skipped in the whole sheet', async () => {
  const { pages, path, checked } = await openDraft(rows);
  await checked();
  const { text } = await pages.get(`${path}?rows=all`);
  expect(text).toContain('3 skipped');
  expect(text).not.toContain('2 skipped');
});

it('are checked with one press', async () => {
  const { checked, send, look } = await openDraft(rows);
  expect((await checked()).text).toContain('Check them, too');
  await send('no-posts', {});
  await checked();
  expect((await look()).checked).toMatchObject({ accepted: 2, refused: 1, leftOut: 0 });
});

it('are posts once somebody fills them in', async () => {
  const { checked, send, look } = await openDraft(rows);
  await checked();
  const filled: Readonly<Record<string, string>> = aiVideoRow('c');
  const { columns } = (await look()).checked ?? { columns: [] };
  await send('cells', Object.fromEntries(columns.map(({ title }, at) => [`c.2.${at}`, filled[title] ?? ''])));
  await checked();
  expect((await look()).checked).toMatchObject({ accepted: 3, refused: 0, leftOut: 0 });
});

it('are not started', async () => {
  const { checked, send, runner } = await openDraft(rows);
  await checked();
  expect((await send('start', { posts: '2' })).text).toContain('Started: 2 posts');
  expect(await runner.ledger.campaigns.list()).toMatchObject([{ rows: 2, leftOut: 0 }]);
});
