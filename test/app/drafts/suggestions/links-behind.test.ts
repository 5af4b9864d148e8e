/** Links behind the texts of a workbook: to profiles, products and files. */
import { describe, expect, it } from 'vitest';
import { videoRow } from '../../../support/sheets/rows.ts';
import type { Cells } from '../../../support/sheets/sheet.ts';
import { openTestDraft } from '../test-draft.ts';
import { allSuggestionsOf, dropWorkbook, foam, foamOld, titled } from './listed-names.ts';

describe('a link behind a text', () => {
  const foundFor = async (rows: readonly Cells[], linked: Cells, lists = {}, ...added: readonly string[]) => {
    const draft = await openTestDraft([]);
    await draft.store(...added);
    const columns = Object.keys(rows[0] ?? {});
    const cell = (name: string) => `${String.fromCharCode(65 + columns.indexOf(name))}2`;
    const links = Object.entries(linked).map(([name, link]) => [cell(name), link as string]);
    await dropWorkbook(draft, rows, lists, Object.fromEntries(links));
    const found = await allSuggestionsOf(draft);
    return {
      draft,
      found: found.map(({ edits, confidence }) => [edits.map(({ text }) => text), confidence]),
    };
  };

  it('to a profile that the service has is the account of a display name', async () => {
    const rows = [videoRow('a', { creator: 'Benny from Kyoto' })];
    const { found } = await foundFor(rows, { creator: 'https://www.tiktok.com/@demo_ben?lang=en' });
    expect(found).toEqual([[['demo_ben'], 'sure']]);
  });

  it('to a profile that the service lacks is a guess', async () => {
    const rows = [videoRow('a', { creator: 'Benny from Kyoto' })];
    const { found } = await foundFor(rows, { creator: 'https://www.tiktok.com/@kyotoben' });
    expect(found).toEqual([[['kyotoben'], undefined]]);
  });

  it('to one of the videos of a profile says nothing of the account', async () => {
    const rows = [videoRow('a', { creator: 'Benny from Kyoto' })];
    const { found } = await foundFor(rows, { creator: 'https://www.tiktok.com/@demo_ben/video/73' });
    expect(found).toEqual([]);
  });

  it.each(['product_id', 'product_title'])('in %s to the page of a product has its id', async (column) => {
    const rows = [titled('a', column === 'product_id' ? 'Foam cleanser' : '')];
    const { found } = await foundFor(rows, { [column]: `https://shop.example.com/product/${foam}?a=1&b=2` });
    expect(found).toEqual([[[foam], 'sure']]);
  });

  it('to another product than a list has is not sure, and neither is the list', async () => {
    const list = {
      Products: [
        ['Product', 'Product ID'],
        ['Foam', foamOld],
      ],
    };
    const link = { product_id: `https://shop.example.com/product/${foam}` };
    const { found } = await foundFor([titled('a', 'Foam', { product_title: 'Foam' })], link, list);
    expect(found.slice(0, 2)).toEqual([
      [[foam], undefined],
      [[foamOld], undefined],
    ]);
  });

  it('to a shared file is the file, in its direct form', async () => {
    const rows = [videoRow('a', { media: 'Ben unboxing v2.mp4' })];
    const { found } = await foundFor(rows, {
      media: 'https://drive.google.com/file/d/1aBcDeF_9/view?usp=sharing',
    });
    expect(found).toEqual([[['https://drive.google.com/uc?export=download&id=1aBcDeF_9'], 'sure']]);
  });

  it('to a shared file leaves a file that was added under the same name as sure as it is', async () => {
    const rows = [videoRow('a', { media: 'Ben unboxing.mp4' })];
    const link = 'https://drive.google.com/file/d/1aBcDeF_9/view';
    const { found } = await foundFor(rows, { media: link }, {}, 'ben_unboxing.mp4');
    expect(found).toEqual([
      [['ben_unboxing.mp4'], 'sure'],
      [['https://drive.google.com/uc?export=download&id=1aBcDeF_9'], undefined],
    ]);
  });

  it('to a page of a drive that has no direct form is no file', async () => {
    const rows = [videoRow('a', { media: 'Ben unboxing v2.mp4' })];
    const { found } = await foundFor(rows, { media: 'https://we.tl/t-1aBcDeF9' });
    expect(found).toEqual([]);
  });

  it('that is no address of the web is left alone', async () => {
    const rows = [videoRow('a', { creator: 'Benny from Kyoto' })];
    const { found } = await foundFor(rows, { creator: 'mailto:demo_ben@example.com' });
    expect(found).toEqual([]);
  });
});
