import { describe, expect, it } from 'vitest';
import { SheetEvidence } from '../../../../src/app/drafts/suggestions/evidence.ts';
import { suggest } from '../../../../src/app/drafts/suggestions/suggest.ts';
import { header, indexes, suggestFor } from './suggest-for.ts';

describe('two of what a row may have once', () => {
  it('are a video and pictures: either is kept', () => {
    const rows = [{ media: 'a.jpg|b.mp4 | c.jpg' }];
    const found = suggestFor({ code: 'mixed_media', column: 'media', rows });
    expect(found.map(({ label, edits }) => [label, edits[0]?.text])).toEqual([
      ['Keep the video only, 1 row', 'b.mp4'],
      ['Keep the pictures only, 1 row', 'a.jpg|c.jpg'],
    ]);
    const [two] = suggestFor({
      code: 'mixed_media',
      column: 'media',
      rows: [{ media: 'a.mp4|b.mp4|c.jpg' }],
    });
    expect(two?.edits[0]?.text).toBe('c.jpg');
  });

  it('are a video and pictures in columns of their own: the others are cleared', () => {
    const cells = ['anna', 'a.mp4', 'b.jpg', 'c.jpg'];
    const faulty = { row: 1, position: 1, value: 'a.mp4|b.jpg|c.jpg', cells };
    const found = suggest(
      { code: 'mixed_media', column: 'media', cells: [faulty] },
      { evidence: new SheetEvidence(indexes), indexes, media: [1, 2, 3] },
    );
    expect(found.map(({ edits }) => edits.map(({ position, text }) => [position, text]))).toEqual([
      [
        [2, ''],
        [3, ''],
      ],
      [[1, '']],
    ]);
  });

  it('are media and a prompt: either is cleared, a prompt with all that belongs to it', () => {
    const rows = [{ media: 'a.mp4', ai_model: 'seedance2.0', ai_seconds: '8' }];
    const found = suggestFor({ code: 'media_and_prompt', column: 'ai_seconds', rows });
    expect(found.map(({ edits }) => edits.map(({ position, text }) => [header[position], text]))).toEqual([
      [
        ['ai_model', ''],
        ['ai_seconds', ''],
      ],
      [['media', '']],
    ]);
  });

  it('are rows with one key: the later one can have its number', () => {
    const twice = { code: 'duplicate_key', column: 'creator', rows: [{ creator: '1' }] } as const;
    const [found] = suggestFor(twice);
    expect(found).toMatchObject({ label: 'Use the row number, 1 row', edits: [{ row: 1, text: '' }] });
    // An update finds its rows by their keys.
    expect(suggestFor({ ...twice, isUpdate: true })).toEqual([]);
  });
});

it('clears a link that is none where the id of the product is known', () => {
  const rows = [{ product_link: 'shop link', product_id: '1730000417' }, { product_link: 'shop link' }];
  expect(suggestFor({ code: 'invalid_url', column: 'product_link', rows })).toMatchObject([
    { label: 'Clear it in 1 row', edits: [{ row: 1, text: '' }] },
  ]);
});

it('offers the next shorter and the next longer duration of the model', () => {
  const rows = [{ ai_model: 'seedance2.0', ai_seconds: '9' }];
  const found = suggestFor({ code: 'seconds_not_allowed', column: 'ai_seconds', rows });
  expect(found.map(({ edits }) => edits[0]?.text)).toEqual(['8', '10']);
});
