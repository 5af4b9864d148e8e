/** Small files that once took minutes or more. Each is read in a moment, or refused early: what counts is that these tests end. */
import { describe, expect, test } from 'vitest';
import type { CampaignIndex } from '../../src/importers/update/campaign-index.ts';
import { SheetMatcher } from '../../src/importers/update/match-rows.ts';
import { nearest } from '../../src/manifest/edit-distance.ts';
import { createRowReader, HeaderError } from '../../src/manifest/reader.ts';
import { findSeparatorHint } from '../../src/sheets/csv/delimiter.ts';
import { fileSource } from '../../src/sheets/sheet.ts';
import { check, manifestOf } from '../importers/manifest-source.ts';
import { textAttacks } from './support/texts.ts';
import { writeAttack } from './support/workbooks.ts';

const requiredNames = ['creator', 'media', 'caption', 'product_id', 'product_title'];

interface Outcome {
  readonly rows: number;
  readonly accepted: number;
  /** Number of problems by code. */
  readonly problems: Readonly<Record<string, number>>;
}

const texts: Readonly<Record<string, Outcome>> = {
  'a separator line of blanks.csv': { rows: 1, accepted: 1, problems: {} },
  'blank lines.csv': { rows: 2, accepted: 2, problems: {} },
  'blank lines.jsonl': { rows: 1, accepted: 1, problems: {} },
  'unknown columns.csv': { rows: 0, accepted: 0, problems: { too_many_columns: 1 } },
  'rows with a stray quote.csv': { rows: 1, accepted: 1, problems: { stray_quote: 1 } },
  'a cell of stray quotes.csv': { rows: 1, accepted: 1, problems: { stray_quote: 1 } },
  'lists of nothing.csv': { rows: 159, accepted: 0, problems: { too_many_items: 159, empty_item: 159 } },
  'one long line.csv': { rows: 0, accepted: 0, problems: { row_too_long: 1 } },
  'broken rows.jsonl': { rows: 0, accepted: 0, problems: { too_many_problems: 1 } },
  'deep nesting.json': { rows: 1, accepted: 1, problems: { row_too_long: 1 } },
  'members beside the rows.json': { rows: 1, accepted: 1, problems: { too_much_beside_rows: 1 } },
  'many keys for short rows.jsonl': { rows: 1367, accepted: 1367, problems: {} },
};

test.each(Object.entries(texts))('%s', async (name, expected) => {
  const source = textAttacks.find((attack) => attack.name === name);
  if (source === undefined) throw new RangeError(`there is no attack ${name}`);
  const { rows, accepted, problems } = await check(source, { allowUnknownColumns: true });
  expect({ rows, accepted, problems: Object.fromEntries(problems.byCode) }).toEqual(expected);
});

const workbooks: Readonly<Record<string, readonly [accepted: number, code: string | undefined]>> = {
  'spaces around a text': [0, 'broken_workbook'],
  'spaces within a text': [1, undefined],
  'a format code for many styles': [0, 'workbook_too_large'],
  'many sheets and relationships': [0, 'workbook_too_large'],
  'covers before large sheets': [0, 'missing_column'],
  'sixteen thousand columns': [0, 'too_many_columns'],
  'cells far outside the header': [0, 'cell_without_header'],
  'a text in rows of one cell': [0, 'workbook_too_large'],
};

test.each(Object.entries(workbooks))('%s.xlsx', async (name, [accepted, code]) => {
  const checked = await check(fileSource(await writeAttack(name)));
  expect([checked.accepted, checked.problems.kept.map((problem) => problem.code).at(code ? -1 : 0)]).toEqual([
    accepted,
    code,
  ]);
});

describe('a long word', () => {
  test('is not compared with others letter by letter', () => {
    const letters = 'ab'.repeat(20_000);
    expect(nearest(letters, [`${letters}c`])).toBeUndefined();
    expect(nearest('captoin', ['caption'])).toBe('caption');
  });

  test('is no line that names a separator', () => {
    expect(findSeparatorHint(`sep=;${' '.repeat(65_000)}x`)).toBeUndefined();
    expect(findSeparatorHint(`sep= ${' '.repeat(200)}x`)).toBeUndefined();
    expect(findSeparatorHint('"sep=;";;\r\na;b')).toBe(';');
  });
});

test('the files of a list that is far too long are not looked for', async () => {
  const looked: string[] = [];
  const media = async (source: string) => {
    looked.push(source);
    return { bytes: 1 };
  };
  const { found } = await check(manifestOf([{ media: 'a.mp4|'.repeat(5000) }]), { media });
  expect(found).toEqual(['2 media too_many_items']);
  expect(new Set(looked).size).toBeLessThanOrEqual(1);
});

test('a campaign does not take a sheet that would make it too wide', async () => {
  const names = (from: number) => Array.from({ length: 600 }, (_, index) => `_${from + index}`);
  const campaign = {
    id: 'c1',
    ledger: 'here',
    header: [...requiredNames, ...names(0)],
    map: new Map(),
    timezone: null,
  };
  const matcher = () => new SheetMatcher(campaign, {} as CampaignIndex, async () => []);
  const sheet = (notes: readonly string[]) =>
    createRowReader([...requiredNames, ...notes], { timezone: null }).header;
  expect(() => matcher().begin(sheet(names(0)))).not.toThrow();
  expect(() => matcher().begin(sheet(names(600)))).toThrow(HeaderError);
});
