import { expect, it } from 'vitest';
import { findDraft } from '../../../../src/app/drafts/drafts.ts';
import { columnWords } from '../../../../src/console/pages/new/draft/columns.ts';
import { columns } from '../../../../src/manifest/columns.ts';
import { encoded } from '../../../importers/manifest-source.ts';
import { openDraft } from '../../../support/console/draft-page.ts';
import { openDrop } from '../../../support/console/uploads.ts';
import { aiVideoRow, videoRow } from '../../../support/sheets/rows.ts';
import { type Cells, sheetText } from '../../../support/sheets/sheet.ts';

it('reports an unknown header, and plans nothing', async () => {
  const { creator: _none, ...row } = videoRow('a');
  const { checked } = await openDraft([{ ...row, Wer: 'demo_anna' }]);
  const { text } = await checked();
  expect(text).toContain('The columns are not clear yet');
  expect(text).toContain('6 columns, its rows are read after the columns are matched');
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

it('asks for the line of the headers where a title was read as them', async () => {
  const long = (name: string) => `${name} ${'x'.repeat(60)}`;
  const { pages } = await openDraft([videoRow('a')]);
  const drop = await openDrop(pages);
  await drop.send('plan.csv', Buffer.from(`Plan\n${['A', 'B', 'C', 'D'].map(long).join()}\n1,2,3,4\n`));
  const path = `/campaigns/new/${drop.draft}`;
  const asked = 'Choose the line of the headers, such as 2, above, under';
  await expect.poll(async () => (await pages.get(path)).text).toContain(asked);
});

it('takes exactly the proposals that it counts, notes and further media too', async () => {
  const { media, creator: _none, ...row } = videoRow('a');
  const own = { Wer: '@demo_anna', 'Bild A': media, 'Bild B': media, Team: 'North', Fee: '150', Chef: 'Mia' };
  const { checked, send } = await openDraft([{ ...row, _Remark: 'x', ...own } as unknown as Cells]);
  const { html } = await checked();
  const names = [...html.matchAll(/<select name="(col\.\d+)"/g)].map(([, name = '']) => name);
  const asShown = Object.fromEntries(
    names.map((name) => [
      name,
      new RegExp(`name="${name}"[\\s\\S]*?<option value="([^"]*)" selected`).exec(html)?.[1] ?? '',
    ]),
  );
  expect(html).toContain('Use all 6 proposals');
  const { html: after, text } = await send('columns', { ...asShown, take: 'all' });
  expect(text).toContain('7 of 11 matched, 4 notes');
  expect(after).not.toContain('name="take"');
});

it('proposes a time whose header names a zone, where the zone is asked anyway', async () => {
  const { creator: _creator, ...row } = videoRow('a');
  const own = { Wer: '@demo_anna', Datum: '2031-01-12', 'Uhrzeit (CET)': '18:00' };
  const { checked, send } = await openDraft([{ ...row, ...own } as unknown as Cells]);
  expect((await checked()).html).toContain('Use all 2 proposals');
  const { text } = await send('columns', {
    'column.Wer': 'creator',
    'column.Uhrzeit (CET)': 'scheduled_time',
    take: 'all',
  });
  expect(text).toContain('No time zone');
});

it('takes the zone that the button of all proposals names, or the one that was chosen', async () => {
  const { creator: _creator, ...row } = videoRow('a');
  const own = { Wer: '@demo_anna', Datum: '2031-01-12', Uhrzeit: '18:00' };
  const press = async (zone: string) => {
    const { checked, send } = await openDraft([{ ...row, ...own } as unknown as Cells]);
    const { html } = await checked();
    expect(html).toContain('with times in UTC');
    const take = /name="take" value="(all [^"]+)"/.exec(html)?.[1] ?? '';
    return (await send('columns', { take, zone, 'zone-offered': 'UTC' })).text;
  };
  expect(await press('UTC')).not.toContain('No time zone');
  const chosen = await press('Asia/Tokyo');
  expect(chosen).toContain('Tokyo');
  expect(chosen).not.toContain('No time zone');
});

it('takes no proposal that the press has made possible for a column that was chosen', async () => {
  const { creator: _creator, caption: _caption, product_title: _title, ...row } = videoRow('a');
  const own = { Wer: '@demo_anna', Title: 'Lamp', Beitrag: 'So bright, so warm', Team: 'North' };
  const { checked, send } = await openDraft([{ ...row, ...own } as unknown as Cells]);
  const { html } = await checked();
  const position = /name="(col\.\d+)" aria-label="Beitrag is"/.exec(html)?.[1] ?? '';
  const { html: after } = await send('columns', { [position]: 'caption', take: 'all' });
  const chosen = (name: string) =>
    new RegExp(`aria-label="${name} is"[\\s\\S]*?<option value="([^"]*)" selected`).exec(after)?.[1];
  expect(chosen('Beitrag')).toBe('');
  expect(chosen('Wer')).toBe('creator');
  expect(after).toContain('Use the proposal');
});

it('takes the notes that are left with the column that was missing', async () => {
  const { product_id: _id, product_title: _title, ...row } = videoRow('a');
  const { checked, send } = await openDraft([{ ...row, Team: 'North', Fee: '150' }] as unknown as Cells[]);
  expect((await checked()).html).not.toContain('name="take"');
  const { text, html } = await send('add-columns', {
    'add.product_id': '1730000417',
    'add.product_title': 'Mug',
  });
  expect(text).toContain('2 notes');
  expect(text).toContain('Start 1 post');
  expect(html).not.toContain('name="take"');
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
  const { text, html } = await send('zone', { zone: 'Asia/Shanghai' });
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

it('groups every column under a word', () => {
  const grouped = Object.values(columnWords).flatMap(Object.keys);
  expect(grouped.toSorted()).toEqual(columns.map(({ name }) => name as string).toSorted());
});
