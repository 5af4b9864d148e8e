import { expect, test } from 'vitest';
import { CellAlignment } from '../../../src/importers/update/cell-alignment.ts';
import { createColumnMap } from '../../../src/manifest/headers/column-map.ts';
import { matchHeader, textIn } from '../../../src/manifest/headers/header.ts';
import { createImportedRowReader } from '../../../src/manifest/reader.ts';

const required = ['creator', 'caption', 'product_id', 'product_title', 'media'];
const campaign = { header: [...required, '_note'], map: new Map(), timezone: null };

function sheetOf(names: readonly string[], map = createColumnMap([])) {
  return matchHeader(names, { map });
}

test('columns are matched by meaning, in any order and under any name', () => {
  const sheet = sheetOf(
    ['Product No.', 'Title', 'media', 'username', 'product_title', '_note'],
    createColumnMap([['Product No.', 'product_id']]),
  );
  const alignment = new CellAlignment(campaign, sheet);
  expect(alignment.header).toEqual(campaign.header);
  expect(alignment.align(['p-1', 'Hello', 'a.mp4', 'anna', 'Cup', 'mine'])).toEqual([
    ...['anna', 'Hello', 'p-1', 'Cup', 'a.mp4', 'mine'],
  ]);
});

test('columns of media are kept apart where the campaign has them, and joined where it has one', () => {
  const read = (names: readonly string[]) => matchHeader(names);
  const two = [...required, 'Foto'];
  const photo = ['anna', 'Hello', 'p', 'Cup', '', 'b.jpg'];
  const apart = new CellAlignment({ ...campaign, header: two }, read(two));
  expect([apart.header, apart.align(photo)]).toEqual([two, photo]);
  const joined = new CellAlignment({ ...campaign, header: required }, read(two));
  expect([joined.header, joined.align(photo)]).toEqual([required, [...photo.slice(0, 4), 'b.jpg']]);
  const both = [...photo.slice(0, 4), 'a.jpg', 'b.jpg'];
  expect(joined.align(both)).toEqual([...photo.slice(0, 4), 'a.jpg|b.jpg']);
  const toTwo = new CellAlignment({ ...campaign, header: two }, read(required));
  const aligned = toTwo.align([...photo.slice(0, 4), 'c.jpg']);
  expect(toTwo.withNotesOf(aligned, photo)).toEqual([...photo.slice(0, 4), 'c.jpg', '']);
});

test('columns that are joined keep the text of each, without the mark that CSV puts before one like a formula', () => {
  const map = createColumnMap([['Mentions', '+caption']]);
  const alignment = new CellAlignment(campaign, sheetOf([...required, 'Mentions'], map));
  const captionOf = (caption: string, mentions: string) => {
    const cells = alignment.align(['anna', caption, 'p', 'Cup', 'a.mp4', mentions]);
    const { header } = createImportedRowReader({ ...campaign, header: alignment.header });
    return textIn(header, 'caption', cells);
  };
  expect(captionOf('Hello', "'@ben")).toBe('Hello @ben');
  expect(captionOf("'@ben", "'@cleo")).toBe('@ben @cleo');
  expect(captionOf("''@ben", "'@cleo")).toBe("'@ben @cleo");
});

test('a new column of the sheet comes after those of the campaign', () => {
  const alignment = new CellAlignment(campaign, sheetOf([...required, 'key', 'music_id', '_by']));
  expect(alignment.header).toEqual([...campaign.header, 'key', 'music_id', '_by']);
  expect(alignment.align(['anna', 'Hello', 'p', 'Cup', 'a.mp4', 'k', 'm', 'me'])).toEqual([
    ...['anna', 'Hello', 'p', 'Cup', 'a.mp4', '', 'k', 'm', 'me'],
  ]);
});

test('columns written by the runner are not copied', () => {
  const alignment = new CellAlignment(
    campaign,
    sheetOf([...required, 'ledger', 'campaign', 'status', 'post_id', 'problem', 'fix', '']),
  );
  expect(alignment.header).toEqual(campaign.header);
});

test('a note that the sheet lacks is kept; a column of the catalogue that it lacks is cleared', () => {
  const alignment = new CellAlignment(
    { ...campaign, header: [...campaign.header, 'music_id'] },
    sheetOf(required),
  );
  const aligned = alignment.align(['anna', 'New', 'p', 'Cup', 'a.mp4']);
  expect(alignment.withNotesOf(aligned, ['anna', 'Old', 'p', 'Cup', 'a.mp4', 'ask', 'm'])).toEqual([
    ...['anna', 'New', 'p', 'Cup', 'a.mp4', 'ask', ''],
  ]);
});

test('a name that means something else in the campaign becomes a note there', () => {
  const mapped = { ...campaign, map: createColumnMap([['Extra', 'music_id']]) };
  const { header, map } = new CellAlignment(mapped, sheetOf([...required, 'Extra']));
  expect(header.at(-1)).toBe('_Extra (2)');
  expect(createImportedRowReader({ header, map, timezone: null }).header.indexes.music_id).toBe(-1);
});

test('a column whose name means something else in the campaign gets another name', () => {
  const mapped = { ...campaign, map: createColumnMap([['music_id', 'music_title']]) };
  const { header, map } = new CellAlignment(mapped, sheetOf([...required, 'music_id']));
  const { indexes } = createImportedRowReader({ header, map, timezone: null }).header;
  expect(indexes.music_id).toBe(header.length - 1);
});

test('a note with the name of a column stays a note', () => {
  const { header, map } = new CellAlignment(
    campaign,
    sheetOf([...required, 'Title'], createColumnMap([['Title', '_']])),
  );
  expect(header.at(-1)).toBe('Title');
  expect(createImportedRowReader({ header, map, timezone: null }).header.indexes.caption).toBe(1);
});

test('what is appended to the caption goes into the caption of the campaign', () => {
  const names = [...required, 'Tags'];
  const alignment = new CellAlignment(campaign, sheetOf(names, createColumnMap([['Tags', '+caption']])));
  const cells = alignment.align(names.map((name) => (name === 'Tags' ? '#tea' : name)));
  expect(cells[campaign.header.indexOf('caption')]).toBe('caption #tea');
});
