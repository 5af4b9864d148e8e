import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { findDraft } from '../../../../src/app/drafts/drafts.ts';
import { apiPath } from '../../../../src/console/app.ts';
import { columnWords } from '../../../../src/console/pages/new/draft/columns.ts';
import { columns } from '../../../../src/manifest/columns.ts';
import { encoded } from '../../../importers/manifest-source.ts';
import { openDraft } from '../../../support/console/draft-page.ts';
import { openDrop } from '../../../support/console/uploads.ts';
import { agencyWorkbook } from '../../../support/sheets/agency-sheet.ts';
import { aiVideoRow, videoRow } from '../../../support/sheets/rows.ts';
import { type Cells, sheetText } from '../../../support/sheets/sheet.ts';
import { filteredWorkbook, worksheetOf, writeWorkbook } from '../../../support/sheets/workbook.ts';

it('reports an unknown header, and plans nothing', async () => {
  const { creator: _none, ...row } = videoRow('a');
  const { checked } = await openDraft([{ ...row, Wer: 'demo_anna' }]);
  const { text } = await checked();
  expect(text).toContain('The columns are not clear yet');
  expect(text).toContain('6 columns, its rows are read after the columns are matched');
  expect(text).toContain('1 column is not clear: Wer; missing: creator. Say below what each column is.');
  expect(text).not.toContain('posts go out as soon as they are ready');
});

it('reports a sheet without rows, and a text file with the extension of a workbook', async () => {
  const { pages } = await openDraft([videoRow('a')]);
  const drop = await openDrop(pages);
  await drop.send('Spring.xlsx', Buffer.from(`${Object.keys(videoRow('a')).join(',')}\n`));
  const page = () => pages.get(`/campaigns/new/${drop.draft}`);
  await expect.poll(async () => (await page()).text).toContain('the file has a header but no rows');
  expect((await page()).text).toContain(
    'Spring.xlsx 6 columns, a text file, although its name is that of a workbook',
  );
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

it('shows how a sheet of few Korean words would read, and reads it as somebody says', async () => {
  const { pages } = await openDraft([videoRow('a')]);
  const drop = await openDrop(pages);
  await drop.send('Korean.csv', encoded(sheetText([videoRow('a', { caption: '한국어' })]), 'euc-kr'));
  const path = `/campaigns/new/${drop.draft}`;
  const page = () => pages.get(path);
  await expect.poll(async () => (await page()).text).toContain('With gb18030 it reads: "茄惫绢".');
  const { text, html } = await page();
  expect(text).toContain(
    'choose its encoding above, under "Read the file differently", such as euc-kr (a guess). The text then reads: "한국어".',
  );
  expect(text).not.toContain('Start 1 post');
  const [, version = ''] = /name="version" value="(\d+)"/.exec(html) ?? [];
  await pages.post(`${path}/reading`, { version, encoding: 'euc-kr' });
  await expect.poll(async () => (await page()).text).toContain('read as CSV in EUC-KR');
  expect((await pages.get(`${path}?rows=all`)).html).toContain('한국어');
});

/** Drops a workbook of two rows, the second of which is hidden. */
async function dropFiltered() {
  const { pages } = await openDraft([videoRow('a')]);
  const media = 'https://cdn.example/a.mp4';
  const workbook = await filteredWorkbook([videoRow('a', { media })], [videoRow('b', { media })]);
  const drop = await openDrop(pages);
  await drop.send('Filtered.xlsx', readFileSync(workbook));
  const path = `/campaigns/new/${drop.draft}`;
  const page = () => pages.get(path);
  await expect.poll(async () => (await page()).text).toContain('1 row: This row is hidden in the workbook');
  /** Presses the button with this label. */
  const press = async (label: string) => {
    const { html } = await page();
    const [, to = ''] = new RegExp(`formaction="([^"]+)"[^>]*>${label}<`).exec(html) ?? [];
    const [, version = ''] = /name="version" value="(\d+)"/.exec(html) ?? [];
    await pages.post(to.replaceAll('&amp;', '&'), { version });
  };
  return { page, press };
}

it('skips hidden rows with one press', async () => {
  const { page, press } = await dropFiltered();
  await press('Skip 1 row');
  await expect.poll(async () => (await page()).text).toContain('1 skipped');
});

it('posts hidden rows with another one', async () => {
  const { page, press } = await dropFiltered();
  await press('Post 1 row all the same');
  await expect.poll(async () => (await page()).text).toContain('Start 2 posts');
});

it('offers worksheets with the same headers, reads them as one, and names the worksheet of each row', async () => {
  const { pages, runner } = await openDraft([videoRow('a')]);
  const media = 'https://cdn.example/a.mp4';
  const weeks = [
    [videoRow('a', { media })],
    [videoRow('b', { media, caption: 'Two' }), videoRow('c', { media, caption: '' })],
  ].map((rows, index) =>
    worksheetOf(
      `Week ${index + 1}`,
      rows.map(({ creator = '', ...row }) => ({ ...row, Wer: creator })),
    ),
  );
  const drop = await openDrop(pages);
  await drop.send('Weeks.xlsx', readFileSync(await writeWorkbook({ sheets: weeks })));
  const path = `/campaigns/new/${drop.draft}`;
  const show = (what: string) =>
    runner.until(async () => {
      const page = await pages.get(path);
      return page.text.includes(what) && page;
    }, what);
  const version = (page: string) => /name="version" value="(\d+)"/.exec(page)?.[1] ?? '';
  const position =
    /name="(col\.\d+)" aria-label="Wer is"/.exec((await show('not clear: Wer')).html)?.[1] ?? '';
  await pages.post(`${path}/columns`, {
    version: version((await pages.get(path)).html),
    [position]: 'creator',
  });
  const { html } = await show('Also read Week 2');
  const [, query = ''] = /\/reading(\?sheet=[^"]+)"[^>]*>Also read Week 2</.exec(html) ?? [];
  await pages.post(`${path}/reading${query.replaceAll('&amp;', '&')}`, { version: version(html) });
  const both = await show('3 rows, 6 columns, sheets Week 1, Week 2');
  expect(both.html).toContain('aria-label="caption, Week 2, line 3"');
  expect(both.text).not.toContain('Also read');
  expect((await pages.get(`${path}/rows/3`)).text).toContain('Week 2, line 3');
  expect((await findDraft(pages.runtime, drop.draft)).reading).toEqual({
    sheet: ['Week 1', 'Week 2'],
    map: { Wer: 'creator' },
  });

  await pages.post(`${path}/reading`, { version: version(both.html), sheet: 'Week 1' });
  expect((await show('1 row, 6 columns')).text).toContain('Also read Week 2');
  expect((await findDraft(pages.runtime, drop.draft)).reading.sheet).toBeUndefined();
});

it('knows chosen worksheets of which another import made a campaign, whose rows are no repeats', async () => {
  const { pages, runner } = await openDraft([videoRow('a')]);
  const weeks = ['b', 'c'].map((key, index) => worksheetOf(`Week ${index + 1}`, [aiVideoRow(key)]));
  const body = readFileSync(await writeWorkbook({ sheets: weeks }));
  const imported = await fetch(`${pages.url}${apiPath}/campaigns?sheet=Week%201&sheet=Week%202`, {
    method: 'POST',
    headers: { 'content-type': 'application/octet-stream' },
    body,
  });
  expect(imported.status).toBe(201);
  const drop = await openDrop(pages);
  await drop.send('Weeks.xlsx', body);
  const show = async (what: string) => {
    const page = await pages.get(`/campaigns/new/${drop.draft}`);
    return page.text.includes(what) && page;
  };
  const first = await runner.until(() => show('1 row to fix'), 'a repeat');
  const [, version = ''] = /name="version" value="(\d+)"/.exec(first.html) ?? [];
  await pages.post(`/campaigns/new/${drop.draft}/reading?sheet=Week+1&sheet=Week+2`, { version });
  await runner.until(() => show('2 of 2 rows ready'), 'no repeat');
});

it('describes texts of different excess length in words that are true for all', async () => {
  const title = (length: number) => ({ product_title: 'x'.repeat(length) });
  const { checked } = await openDraft([videoRow('a', title(31)), videoRow('b', title(40))]);
  expect((await checked()).text).toContain('2 rows: product_title has more than 30 characters.');
});

it('lets a person match unknown headers', async () => {
  const rows = [{ ...videoRow('a'), Wer: 'demo_anna', creator: '' }].map(
    ({ creator: _none, ...rest }) => rest,
  );
  const { checked, send } = await openDraft(rows as unknown as readonly Cells[]);
  const before = await checked();
  expect(before.text).toContain('1 column is not clear: Wer');
  const position = /name="(col\.\d+)" aria-label="Wer is"/.exec(before.html)?.[1] ?? '';
  const { text } = await send('columns', { [position]: 'creator' });
  expect(text).toContain('Start 1 post…');
});

it('shows the time of a post in the region of its creator', async () => {
  const time = { scheduled_at: '2031-03-12 18:00', scheduled_tz: 'Asia/Shanghai', creator: 'demo_ben' };
  const { checked, pages, path } = await openDraft([videoRow('a', time)]);
  const here = 'Wed 12 Mar 2031, 10:00 in United Kingdom';
  expect((await checked()).text).toContain(`In the creator's region: ${here}`);
  expect((await pages.get(`${path}/rows/1`)).text).toContain(`In the creator's region: ${here}`);
  expect((await pages.get(`${path}?rows=all`)).html).toContain(`${here}"`);
});

it('says what a time means in the zone that was chosen', async () => {
  const { checked, send } = await openDraft([videoRow('a', { scheduled_at: '2031-03-12 18:00' })]);
  expect((await checked()).text).toContain('The time has no time zone.');
  const { text } = await send('zone', { zone: 'Asia/Shanghai' });
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
  const { checked, send } = await openDraft([videoRow('a', time), videoRow('b', time)]);
  const list = /<select name="(text\.[^"]+)"[^>]*>[\s\S]*?<option[^>]*>choose<[\s\S]*?Asia\/Shanghai/.exec(
    (await checked()).html,
  );
  expect(list).not.toBeNull();
  const { text } = await send('cells', { [list?.[1] ?? '']: 'Asia/Shanghai' });
  expect(text).toContain('2 rows edited. No problems left.');
});

it('reads another sheet with the same headers as somebody said before', async () => {
  const { creator: _none, ...row } = videoRow('a');
  const { checked, pages, send } = await openDraft([{ ...row, Wer: 'demo_anna' }]);
  const position = /name="(col\.\d+)" aria-label="Wer is"/.exec((await checked()).html)?.[1] ?? '';
  await send('columns', { [position]: 'creator', remember: 'yes' });
  const drop = await openDrop(pages);
  const next: Cells = { Wer: 'demo_ben', ...row };
  await drop.send('next.csv', Buffer.from(sheetText([next])));
  expect((await pages.get(`/campaigns/new/${drop.draft}`)).text).toContain('6 of 6 matched');
});

it('shows the caption with what is appended to it, in the row and in its campaign', async () => {
  const row = aiVideoRow('a', { Tags: '#glow', caption: 'Two' });
  const { checked, pages, path, send } = await openDraft([row]);
  const [, column = ''] = /name="(col\.\d+)" aria-label="Tags/.exec((await checked()).html) ?? [];
  await send('columns', { [column]: '+caption' });
  await checked();
  expect((await pages.get(`${path}/rows/1`)).html).toContain('<dt>Caption</dt><dd>Two #glow</dd>');
  const { text } = await send('start', { posts: '1' });
  expect(text).toContain('Two #glow');
  expect((await pages.get('/campaigns/c1/rows/a')).html).toContain('<p>Two #glow</p>');
});

it('shows the media of all columns of a row as those of its post', async () => {
  const { media: _none, ...row } = videoRow('a');
  const pictures = { 'Image 1': 'https://cdn.example/one.jpg', 'Image 2': 'https://cdn.example/two.jpg' };
  const { checked, pages, path } = await openDraft([{ ...row, ...pictures } as unknown as Cells]);
  await checked();
  expect((await pages.get(`${path}/rows/1`)).text).toMatch(/Media .*one\.jpg .*two\.jpg Creator/);
});

it('appends all columns to the caption that somebody appended before, in another sheet, too', async () => {
  const tags = { Schlagwörter: '#glow', Links: '#tea' };
  const { checked, pages, send } = await openDraft([aiVideoRow('a', tags)]);
  const [one, other] = [
    ...(await checked()).html.matchAll(/name="(col\.\d+)" aria-label="(?:Schlag|Links)/g),
  ];
  await send('columns', { [one?.[1] ?? '']: '+caption', [other?.[1] ?? '']: '+caption', remember: 'yes' });
  const drop = await openDrop(pages);
  await drop.send('next.csv', Buffer.from(sheetText([aiVideoRow('b', { ...tags, _Team: 'North' })])));
  const map = { Schlagwörter: '+caption', Links: '+caption' };
  expect((await findDraft(pages.runtime, drop.draft)).reading).toEqual({ map });
});

it('every button saves the columns and the zone that were chosen, and Start comes after them', async () => {
  const rows = [videoRow('a'), videoRow('b', { creator: 'demo_nobody' })].map(
    ({ product_title, ...row }) => ({
      ...row,
      Artikel: product_title,
      Notiz: '',
    }),
  );
  const { checked, send, look, pages } = await openDraft(rows as unknown as readonly Cells[]);
  const { html } = await checked();
  const of = (title: string) =>
    new RegExp(`name="(col\\.\\d+)" aria-label="${title} is"`).exec(html)?.[1] ?? '';
  const columns = { [of('Artikel')]: 'product_title', [of('Notiz')]: '_', remember: 'yes' };
  // As offered by the page: nobody has chosen it.
  await send('options', { ...columns, zone: 'UTC', 'zone-offered': 'UTC' });
  const { draft, checked: now } = await look();
  expect(draft.reading).toEqual({ map: { Artikel: 'product_title', Notiz: '_' } });
  expect(now).toMatchObject({ blocking: [], accepted: 1, refused: 1 });
  const late = await send('start', { skip: 'yes', posts: '1', zone: 'Asia/Tokyo', 'zone-offered': 'UTC' });
  expect(late.text).toContain('The sheet is read as you chose. Nothing was started yet');
  expect((await look()).draft.reading.timezone).toBe('Asia/Tokyo');

  const again = await openDrop(pages);
  await again.send('Summer.csv', Buffer.from(sheetText(rows.slice(0, 1) as unknown as readonly Cells[])));
  const path = `/campaigns/new/${again.draft}`;
  await expect.poll(async () => (await pages.get(path)).text).toContain('7 columns');
  expect((await findDraft(pages.runtime, again.draft)).reading).toEqual({
    map: draft.reading.map,
    timezone: 'Asia/Tokyo',
  });
  const other = await openDrop(pages);
  const others = rows.slice(0, 1).map(({ Notiz: _none, ...row }) => ({ ...row, Wunsch: '' }));
  await other.send('Autumn.csv', Buffer.from(sheetText(others as unknown as readonly Cells[])));
  expect((await findDraft(pages.runtime, other.draft)).reading).toEqual({
    map: { Artikel: 'product_title' },
  });
});

it('reads the workbook of an agency: headers below a title, columns proposed and taken at once', async () => {
  const { pages, runner } = await openDraft([videoRow('a')]);
  const drop = await openDrop(pages);
  await drop.send('Glow.xlsx', readFileSync(await agencyWorkbook()));
  const path = `/campaigns/new/${drop.draft}`;
  const show = (what: string) =>
    runner.until(async () => {
      const page = await pages.get(path);
      return page.text.includes(what) && page;
    }, what);
  const { text, html } = await show('9 of 12 matched, 3 not known');
  expect(text).toContain('read as an Excel workbook (headers in line 2)');
  expect(text).toContain('3 columns are not clear: Produkt, Freigabe, Bemerkung; missing: product_title.');
  expect(text).toContain('Use product_title its 40 cells have 5 names, not ids');
  expect(html).toContain('<optgroup label="Product"><option value="product_id">product_id: number</option>');
  const version = (page: string) => /name="version" value="(\d+)"/.exec(page)?.[1] ?? '';
  await pages.post(`${path}/columns`, { version: version(html), take: 'all' });
  const taken = await show('10 of 12 matched, 2 notes');
  expect(taken.text).toContain('rows to fix');
  await pages.post(`${path}/reading`, { version: version(taken.html), headerLine: '1' });
  expect((await show('not clear: Glow Cosmetics')).html).toContain('name="headerLine" min="1" value="1"');
});

it('groups every column under a word', () => {
  const grouped = Object.values(columnWords).flatMap(Object.keys);
  expect(grouped.toSorted()).toEqual(columns.map(({ name }) => name as string).toSorted());
});
