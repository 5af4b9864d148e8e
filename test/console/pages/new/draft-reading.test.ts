import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { encoded } from '../../../importers/manifest-source.ts';
import { openDraft } from '../../../support/console/draft-page.ts';
import { openDrop } from '../../../support/console/uploads.ts';
import { videoRow } from '../../../support/sheets/rows.ts';
import { sheetText } from '../../../support/sheets/sheet.ts';
import { textRow, writeWorkbook } from '../../../support/sheets/workbook.ts';

it('reports an unknown header, and plans nothing', async () => {
  const { creator: _none, ...row } = videoRow('a');
  const { checked } = await openDraft([{ ...row, Wer: 'demo_anna' }]);
  const { text } = await checked();
  expect(text).toContain('The columns are not clear yet');
  expect(text).toContain('rows are read once the columns are matched');
  expect(text).toContain('1 column is not clear: Wer; missing: creator. Say below what each column is.');
  expect(text).not.toContain('posts go out as soon as they are ready');
});

it('leads from a results sheet to what it would change in its campaign', async () => {
  const { pages, runner } = await openDraft([videoRow('a')]);
  const id = await runner.importRows([{ key: 'b', ...videoRow('b') }]);
  const drop = await openDrop(pages);
  const ledger = await runner.ledger.format.id();
  const row = { ...videoRow('b', { caption: 'Better' }), ledger, campaign: id, status: 'waiting' };
  await drop.send('results.csv', Buffer.from(sheetText([row])));
  const path = `/campaigns/new/${drop.draft}`;
  await expect.poll(async () => (await pages.get(path)).text).toContain('See what it would change in its');
  expect((await pages.get(`${path}/files`)).text).toContain('This is the results sheet of a campaign');
  await pages.post(`${path}/files/done`, {});
  await expect.poll(async () => (await pages.get(path)).text).toContain('Update 1 row');
});

it('finds the campaign of a results workbook also behind another worksheet', async () => {
  const { pages, runner } = await openDraft([videoRow('a')]);
  const id = await runner.importRows([{ key: 'b', ...videoRow('b') }]);
  const drop = await openDrop(pages);
  const ledger = await runner.ledger.format.id();
  const row = { ...videoRow('b', { caption: 'Better' }), ledger, campaign: id, status: 'waiting' };
  const sheets = [
    { name: 'Cover', rows: textRow(['Spring', 'Plan of May']) },
    { name: 'Plan', rows: [Object.keys(row), Object.values(row)].map((cells) => textRow(cells)).join('') },
  ];
  await drop.send('results.xlsx', readFileSync(await writeWorkbook({ sheets })));
  await pages.post(`/campaigns/new/${drop.draft}/files/done`, {});
  await expect
    .poll(async () => (await pages.get(`/campaigns/new/${drop.draft}`)).text)
    .toContain('Update 1 row');
});

it('reads a file in the encoding that it guesses, with one press', async () => {
  const { drop, pages, path, checked, send } = await openDraft([]);
  await drop(encoded(sheetText([videoRow('a', { caption: 'Schöne Grüße, ein Fünfer' })]), 'windows-1252'));
  const { html, text } = await checked();
  expect(text).toContain('Read it as windows-1252');
  expect(html).toContain('/reading?encoding=windows-1252');
  await send('reading?encoding=windows-1252', { encoding: '' });
  await checked();
  expect((await pages.get(`${path}?rows=all`)).text).toContain('Schöne Grüße');
});

it('describes texts of different excess length in words that are true for all', async () => {
  const title = (length: number) => ({ product_title: 'x'.repeat(length) });
  const { checked } = await openDraft([videoRow('a', title(31)), videoRow('b', title(40))]);
  expect((await checked()).text).toContain('2 product_title has more than 30 characters.');
});

it('asks for the line of the headers where a title was read as them', async () => {
  const long = (name: string) => `${name} ${'x'.repeat(60)}`;
  const { pages } = await openDraft([videoRow('a')]);
  const drop = await openDrop(pages);
  await drop.send('plan.csv', Buffer.from(`Plan\n${['A', 'B', 'C', 'D'].map(long).join()}\n1,2,3,4\n`));
  const path = `/campaigns/new/${drop.draft}`;
  const asked = 'Choose the line of the headers, such as 2, above, under';
  await expect.poll(async () => (await pages.get(path)).text).toContain(asked);
});

it('shows the time of a post in the region of its creator', async () => {
  const time = { scheduled_at: '2031-03-12 18:00', scheduled_tz: 'Asia/Shanghai', creator: 'demo_ben' };
  const { checked, pages, path } = await openDraft([videoRow('a', time)]);
  const here = 'Wed 12 Mar 2031, 10:00 in United Kingdom';
  expect((await checked()).text).toContain(`In the creator's region: ${here}`);
  expect((await pages.get(`${path}/rows/1`)).text).toContain(`In the creator's region: ${here}`);
  expect((await pages.get(`${path}?rows=all`)).html).toContain(`${here}"`);
});

it.each([
  ['one post', '', true],
  ['no post', 'soon', false],
] as const)('says when posts without a time go out: with %s', async (_many, time, isSaid) => {
  const { checked } = await openDraft([videoRow('a', { scheduled_at: time })]);
  expect((await checked()).text.includes('All posts go out as soon as they are ready.')).toBe(isSaid);
});

it('says what a time means in the zone that was chosen', async () => {
  const { checked, send } = await openDraft([videoRow('a', { scheduled_at: '2031-03-12 18:00' })]);
  expect((await checked()).text).toContain('1 No time zone 2031-03-12 18:00');
  await send('zone', { zone: 'Asia/Shanghai' });
  const { text, html } = await checked();
  // All times of the page are in it, also when the draft was saved.
  expect(html).toContain('data-zone="Asia/Shanghai"');
  expect(text).toContain('Wed 12 Mar 2031, 18:00 in Asia/Shanghai');
  expect(text).toContain('Wed 12 Mar 2031, 10:00 UTC');
  expect(text).toContain("In the creator's region: United States, several time zones");
});

it('suggests the reading of a time with names, and does not say that no row has a time', async () => {
  const { checked, send } = await openDraft([
    videoRow('a', { scheduled_at: '12 März 2031 18:00', scheduled_tz: 'Asia/Shanghai' }),
  ]);
  const { text } = await checked();
  expect(text).toContain('Read 12 März 2031 18:00 as 12 March 2031, 18:00, 1 row');
  expect(text).toContain('1 row has a time with a problem: see above.');
  const edited = await send('take', { use: 'as-written' });
  expect(edited.text).toContain('No problems left.');
});

it('a zone that does not exist is chosen from a list, for all its rows', async () => {
  const time = { scheduled_at: '2031-03-12 18:00', scheduled_tz: 'Asia/Schanghai' };
  const { kind, send } = await openDraft([videoRow('a', time), videoRow('b', time)]);
  const list = /<select name="(text\.[^"]+)"[^>]*>[\s\S]*?<option[^>]*>choose<[\s\S]*?Asia\/Shanghai/.exec(
    (await kind()).html,
  );
  expect(list).not.toBeNull();
  const { text } = await send('cells', { [list?.[1] ?? '']: 'Asia/Shanghai' });
  expect(text).toContain('2 rows edited. No problems left.');
});

it('reads headers below a title as before: once their line is named, and in the next sheet at once', async () => {
  const { pages } = await openDraft([videoRow('a')]);
  const { creator: _none, ...row } = videoRow('a');
  // With so many notes the headers are not found below a title that looks like headers.
  const notes = Object.fromEntries(Array.from('abcdefghi', (name) => [`_${name}`, 'x']));
  const sheetOf = (caption: string) => {
    const text = sheetText([{ ...row, caption, Wer: 'demo_anna', ...notes }]);
    return Buffer.from(`${Array.from('ABCDEFGHI', (name) => `Plan ${name}`).join()}\n${text}`);
  };
  const open = async (caption: string) => {
    const drop = await openDrop(pages);
    await drop.send('plan.csv', sheetOf(caption));
    const path = `/campaigns/new/${drop.draft}`;
    const show = async (text: string) => {
      await expect.poll(async () => (await pages.get(path)).text).toContain(text);
      return pages.get(path);
    };
    const send = async (action: string, fields: Readonly<Record<string, string>>) => {
      const version = /name="version" value="(\d+)"/.exec((await pages.get(path)).html)?.[1] ?? '';
      await pages.post(`${path}/${action}`, { version, ...fields });
    };
    return { show, send };
  };
  const [title, before, after] = ['0 of 9 matched', '1 not known', '6 of 15 matched, 9 notes'];
  const first = await open('One');
  await first.show(title);
  await first.send('reading', { headerLine: '2' });
  const { html } = await first.show(before);
  const position = /name="(col\.\d+)" aria-label="Wer is"/.exec(html)?.[1] ?? '';
  await first.send('columns', { [position]: 'creator', remember: 'yes' });
  await first.show(after);
  await first.send('zone', { zone: 'Asia/Shanghai' });
  const next = await open('Two');
  const { text } = await next.show(after);
  expect(text).toContain('Change times Asia/Shanghai');
  await next.send('reading', { headerLine: '1' });
  await next.show(title);
  await next.send('reading', { headerLine: '2' });
  await next.show(after);
});

it.each([
  ['2031-05-06', '7pm'],
  ['2031-05-06 00:00:00', '19h'],
])('a row says when %s and %s is', async (scheduled_at, scheduled_time) => {
  const rows = [videoRow('a', { scheduled_at, scheduled_time, scheduled_tz: 'Europe/Paris' })];
  const { pages, path, checked } = await openDraft(rows);
  await checked();
  expect((await pages.get(`${path}/rows/1`)).text).toContain('Tue 6 May 2031, 19:00 in Europe/Paris');
});
