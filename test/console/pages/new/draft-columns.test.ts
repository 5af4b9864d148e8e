import { expect, it } from 'vitest';
import { findDraft } from '../../../../src/app/drafts/drafts.ts';
import { columnWords } from '../../../../src/console/pages/new/draft/columns.ts';
import { columns } from '../../../../src/manifest/columns.ts';
import { openDraft } from '../../../support/console/draft-page.ts';
import { openDrop } from '../../../support/console/uploads.ts';
import { aiVideoRow, videoRow } from '../../../support/sheets/rows.ts';
import { type Cells, sheetText } from '../../../support/sheets/sheet.ts';

it('lets a person match unknown headers', async () => {
  const rows = [{ ...videoRow('a'), Wer: 'demo_anna', creator: '' }].map(
    ({ creator: _none, ...rest }) => rest,
  );
  const { checked, send } = await openDraft(rows as unknown as readonly Cells[]);
  const before = await checked();
  expect(before.text).toContain('1 column is not clear: Wer');
  const position = /name="(col\.\d+)" aria-label="Wer is"/.exec(before.html)?.[1] ?? '';
  await send('columns', { [position]: 'creator' });
  expect((await checked()).text).toContain('Start 1 post…');
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
  expect(html).toContain('Use all 6 column suggestions');
  const { html: after, text } = await send('columns', { ...asShown, take: 'all' });
  expect(text).toContain('7 of 11 matched, 4 notes');
  expect(after).not.toContain('name="take"');
});

it('proposes a time whose header names a zone, where the zone is asked anyway', async () => {
  const { creator: _creator, ...row } = videoRow('a');
  const own = { Wer: '@demo_anna', Datum: '2031-01-12', 'Uhrzeit (CET)': '18:00' };
  const { checked, send } = await openDraft([{ ...row, ...own } as unknown as Cells]);
  expect((await checked()).html).toContain('Use all 2 column suggestions');
  const { text } = await send('columns', {
    'column.Wer': 'creator',
    'column.Uhrzeit (CET)': 'scheduled_time',
    take: 'all',
  });
  expect(text).toContain('No time zone');
});

it('takes the zone that the button of all proposals names, or the one that was chosen', async () => {
  const { creator: _creator, ...row } = videoRow('a');
  const own = { Wer: '@demo_anna', Datum: '2031-01-12', 'Uhrzeit (Paris)': '18:00' };
  const press = async (zone: string) => {
    const { checked, send, look } = await openDraft([{ ...row, ...own } as unknown as Cells]);
    const take = /name="take" value="(all [^"]+)"/.exec((await checked()).html)?.[1] ?? '';
    await send('columns', { take, zone, 'zone-offered': 'Europe/Paris' });
    return (await look()).draft.reading.timezone;
  };
  expect([await press('Europe/Paris'), await press('Asia/Tokyo')]).toEqual(['Europe/Paris', 'Asia/Tokyo']);
});

it('takes no zone along that neither the sheet nor a person names', async () => {
  const { creator: _creator, ...row } = videoRow('a');
  const own = { Wer: '@demo_anna', Datum: '2031-01-12', Uhrzeit: '18:00' };
  const { checked, send, look } = await openDraft([{ ...row, ...own } as unknown as Cells]);
  const { html, text } = await checked();
  expect(html).not.toContain('with times in');
  expect(text).toContain('The sheet names none: your browser’s zone is selected.');
  const [, take = ''] = /name="take" value="(all[^"]*)"/.exec(html) ?? [];
  await send('columns', { take, zone: 'UTC', 'zone-offered': 'UTC' });
  expect((await look()).draft.reading).not.toHaveProperty('timezone');
});

it.each([
  ['Uhrzeit (GMT+7)', 'Asia/Bangkok'],
  ['Uhrzeit JST', 'Asia/Tokyo'],
  ['Uhrzeit (Europe/Berlin)', 'Europe/Berlin'],
  ['Uhrzeit (CET)', 'Europe/Berlin'],
  ['Uhrzeit (CT)', 'America/Chicago'],
  ['Uhrzeit (GMT)', 'UTC'],
])('offers the zone that a header means: %s', async (time, zone) => {
  const { creator: _creator, ...row } = videoRow('a');
  const own = { Wer: '@demo_anna', Datum: '2031-01-12', [time]: '18:00' };
  const { checked } = await openDraft([{ ...row, ...own } as unknown as Cells]);
  expect((await checked()).html).toContain(`with times in ${zone}`);
});

it('proposes a column whose header names the zone that was chosen', async () => {
  const { creator: _creator, ...row } = videoRow('a');
  const own = { Wer: '@demo_anna', Datum: '2031-01-12', 'Uhrzeit (CT)': '18:00' };
  const { checked, send } = await openDraft([{ ...row, ...own } as unknown as Cells]);
  await checked();
  const proposed = async (zone: string) =>
    (await send('zone', { zone })).html.includes('Use scheduled_time for Uhrzeit (CT)');
  expect([await proposed('Asia/Tokyo'), await proposed('America/Chicago')]).toEqual([false, true]);
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
  expect(after).toContain('Use the column suggestion');
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

it('reads another sheet with the same headers as somebody said before', async () => {
  const { creator: _none, ...row } = videoRow('a');
  const { checked, pages, send } = await openDraft([{ ...row, Wer: 'demo_anna' }]);
  const position = /name="(col\.\d+)" aria-label="Wer is"/.exec((await checked()).html)?.[1] ?? '';
  await send('columns', { [position]: 'creator', remember: 'yes' });
  const drop = await openDrop(pages);
  await drop.send('next.csv', Buffer.from(sheetText([{ Wer: 'demo_ben', ...row }])));
  const next = async () => (await pages.get(`/campaigns/new/${drop.draft}`)).text;
  await expect.poll(next).toContain('6 of 6 matched');
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
  await expect.poll(async () => (await pages.get(path)).text).toContain('of 7 matched');
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
