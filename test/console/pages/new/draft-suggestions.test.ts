import { expect, it } from 'vitest';
import { cellsOf, good, lost, openDraft, product } from '../../../support/console/draft-page.ts';
import { videoRow } from '../../../support/sheets/rows.ts';

it('offers one cure beside a problem and the others in its menu; two readings stand side by side', async () => {
  const { checked } = await openDraft([
    videoRow('a', good),
    videoRow('b', lost),
    videoRow('c', { scheduled_at: '12/03/2031 20:00Z' }),
  ]);
  const bands = (await checked()).html.split('<section class="problem"').slice(1);
  const cures = bands.map((band) => {
    const [beside = '', menu = ''] = band
      .split('<details class="menu">')
      .map((part) => part.split('</ul>')[0] ?? '');
    return [beside, menu].map((part) => [...part.matchAll(/<button[^>]*>([^<]+)/g)].map(([, name]) => name));
  });
  expect(cures).toEqual([
    [[`Use ${product} in 1 row`], ['Save the cell', 'Skip 1 row']],
    [
      ['12/03/2031 is 12 March (day first), 1 row', '12/03/2031 is 3 December (month first), 1 row'],
      ['Save the cell', 'Skip 1 row'],
    ],
  ]);
});

it('takes a suggestion for all rows of its band', async () => {
  const { checked, send, ...testDraft } = await openDraft([
    videoRow('a', good),
    videoRow('b', lost),
    videoRow('c', lost),
  ]);
  const use = /name="use" value="([0-9a-f]{12})"/.exec((await checked()).html)?.[1] ?? '';
  const { text } = await send('take', { use });
  expect(text).toContain('2 rows edited. No problems left.');
  expect(text).toContain('Start 3 posts');
  expect(await cellsOf(testDraft, 3)).toContain(product);
});

it('tells rows that were typed into apart from those that a button mends', async () => {
  const rows = [videoRow('a', good), videoRow('b', lost), videoRow('c', { creator: 'demo_nobody' })];
  const { checked, send } = await openDraft(rows);
  const { html } = await checked();
  const use = /name="use" value="([0-9a-f]{12})"/.exec(html)?.[1] ?? '';
  const name = /name="(c\.3\.\d+)"/.exec(html)?.[1] ?? '';
  const { text } = await send('take', { use, [name]: 'demo_anna' });
  expect(text).toContain('1 row edited, and 1 row that you typed into. No problems left.');
});

it('takes all suggestions of a kind as they were shown, and no others', async () => {
  const rows = ['ana', 'bem', 'carl'].map((name) => videoRow(name, { creator: `demo_${name}` }));
  const { checked, send, ...testDraft } = await openDraft(rows);
  const { html, text } = await checked();
  expect(text).toContain('Take all 3 suggestions in 3 rows');
  const use = /name="use" value="(all\.[0-9a-f]{16})"/.exec(html)?.[1] ?? '';
  const other = await send('take', { use: `all.${'0'.repeat(16)}` });
  expect(other.text).toContain('Nothing was changed: the sheet no longer suggests this.');
  const taken = await send('take', { use });
  expect(taken.text).toContain('3 rows edited. No problems left. Lines 2, 3, 4.');
  expect(await cellsOf(testDraft, 2)).toContain('demo_ben');
});

it('never takes one guess for several different names with one press', async () => {
  const rows = ['demo_ana', 'demo_amna', 'demo_bem'].map((creator) => videoRow(creator, { creator }));
  const { checked } = await openDraft(rows);
  const { text } = await checked();
  expect(text.match(/Use demo_anna in 1 row/g)).toHaveLength(2);
  expect(text).toContain('Use demo_ben in 1 row');
  expect(text).not.toContain('Take all');
});

it('takes the numbers of product links, each its own, with one press', async () => {
  const rows = ['1730000417', '1730000425', '1730000417'].map((number, index) =>
    videoRow(String(index), { product_id: `shop.example/view/product/${number}?region=GB` }),
  );
  const { checked, send, ...testDraft } = await openDraft(rows);
  expect((await checked()).text).toContain('3 cells are links: use the number in them');
  const taken = await send('take', { use: 'meant' });
  expect(taken.text).toContain('3 rows edited. No problems left.');
  expect(await cellsOf(testDraft, 2)).toContain('1730000425');
});

it('never takes two cures of one row at once', async () => {
  const { checked, send, ...testDraft } = await openDraft([
    { ...videoRow('a'), Foto: 'a.jpg' },
    { ...videoRow('b'), Foto: 'b.jpg' },
  ]);
  const { text } = await checked();
  expect(text).toContain('Keep the video only, 2 rows');
  expect(text).not.toContain('Take all');
  await send('take', { use: 'IMAGE' });
  expect(((await cellsOf(testDraft, 2)) ?? []).slice(-1)).toEqual(['b.jpg']);
});
