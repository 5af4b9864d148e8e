/** Which worksheet of a dropped workbook is that of the posts. */
import { expect, it } from 'vitest';
import { rememberedReadingOf } from '../../../src/app/drafts/remembered-columns.ts';
import { findPostSheet } from '../../../src/sheets/other-worksheets.ts';
import { fileSource } from '../../../src/sheets/sheet.ts';
import { textRow, writeWorkbook } from '../../support/sheets/workbook.ts';
import { openTestDraft } from './test-draft.ts';

const notes = { name: 'Read me', rows: textRow(['Spring at the lake']) + textRow(['All times in CET']) };
const products = {
  name: 'Shop',
  rows: textRow(['Product title', 'Product ID', 'Product link']) + textRow(['Tent', '1', 'x']),
};
const posts = (name: string) => ({
  name,
  rows: textRow(['No', 'Creator', 'Product ID', 'Text of the post']) + textRow(['1', 'demo_anna', '1', 'Hi']),
});

async function found(...sheets: Parameters<typeof writeWorkbook>[0]['sheets'] & object) {
  return findPostSheet(fileSource(await writeWorkbook({ sheets })));
}

it('is the one whose headers say the most of posts', async () => {
  expect(await found(notes, products, posts('Plan'))).toBe('Plan');
});

it('is never hidden', async () => {
  expect(await found(notes, { ...posts('Old'), state: 'hidden' }, posts('Plan'))).toBe('Plan');
});

it('is the first one where no other says more', async () => {
  expect(await found(notes, products)).toBeUndefined();
  expect(await found(posts('May'), posts('June'))).toBeUndefined();
});

it('is chosen for a draft', async (test) => {
  const { runtime } = await openTestDraft([], { queues: [] }, test);
  const path = await writeWorkbook({ sheets: [notes, posts('Plan')] });
  expect(await rememberedReadingOf(runtime, path, 'ann')).toEqual({ sheet: 'Plan' });
});
