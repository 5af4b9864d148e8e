import { describe, expect, it } from 'vitest';
import { suggestFor } from './suggest-for.ts';

describe('text that may have been meant', () => {
  it('is the file of the same name with another ending', () => {
    const [found] = suggestFor({
      code: 'media_missing',
      column: 'media',
      rows: [{ media: 'honey/a.mov' }, { media: 'honey/b.mov' }],
      meant: ['honey/a.mp4', 'honey/b.mp4'],
    });
    expect(found).toMatchObject({
      label: 'Use the .mp4 in 2 rows',
      evidence: 'There are files with the same names that end in .mp4.',
      edits: [{ text: 'honey/a.mp4' }, { text: 'honey/b.mp4' }],
    });
  });

  it('is a suggestion of its own if only the name is similar, and names each file', () => {
    const found = suggestFor({
      code: 'media_missing',
      column: 'media',
      rows: [
        { media: 'a/TAKE.mp4' },
        { media: 'a/creem.mp4' },
        { media: 'b/take2.mp4' },
        { media: 'tea set.mp4' },
      ],
      meant: ['a/take.mp4', 'a/cream.mp4', 'c/take2.mp4', 'a/tea_set (1).mp4'],
    });
    expect(found).toMatchObject([
      {
        label: 'Use the files with the same name in 2 rows',
        evidence:
          'There are files with the same names: a/TAKE.mp4 may be a/take.mp4; tea set.mp4 may be a/tea_set (1).mp4.',
        confidence: 'sure',
      },
      {
        label: 'Use a/cream.mp4 in 1 row',
        evidence: 'The nearest file: a/creem.mp4 may be a/cream.mp4.',
        confidence: undefined,
      },
      { label: 'Use c/take2.mp4 in 1 row', confidence: undefined },
    ]);
    expect(new Set(found.map(({ id }) => id)).size).toBe(3);
  });

  it.each([
    ['candle.mp4', 'candle.MP4', 'sure'],
    ['reel_grwm.mp4', 'reel_grwm_9x16.mp4', 'sure'],
    ['reel_grwm.mp4', 'reel_grwm_v2_final.mp4', 'sure'],
    // As Notion exports the paths of its files.
    ['Content%20Plan%2012ab/reel%20caf%C3%A9.mp4', 'reel café.mp4', 'sure'],
    ['reel%2.mp4', 'reel.mp4', undefined],
    ['reel_grwm (1).mp4', 'reel-grwm.mov', 'sure'],
    ['reel_grwm_v2.mp4', 'reel_grwm.mp4', undefined],
    ['reel_grwm_v1.mp4', 'reel_grwm_v2.mp4', undefined],
    ['reel_grwm_9x16.mp4', 'reel_grwm_16x9.mp4', undefined],
    ['reel_grwm.mp4', 'reel_grwn.mp4', undefined],
    ['sofa_1-2.jpg', 'sofa_1.jpg|sofa_2.jpg', undefined],
  ])('%s is %s: %s', (media, meant, confidence) => {
    const [found] = suggestFor({ code: 'media_missing', column: 'media', rows: [{ media }], meant: [meant] });
    expect(found?.confidence).toBe(confidence);
  });

  it('is sure by its case, also if another row may mean the file', () => {
    const found = suggestFor({
      code: 'media_missing',
      column: 'media',
      rows: [{ media: 'candle_box.mp4' }, { media: 'candel_box.mp4' }],
      meant: ['candle_box.MP4', 'candle_box.MP4'],
    });
    expect(found.map(({ confidence, guessFor }) => [confidence, guessFor])).toEqual([
      ['sure', undefined],
      [undefined, 'candel_box.mp4'],
    ]);
  });

  it('separates links in all rows with one press', () => {
    const [found] = suggestFor({
      code: 'media_separator',
      column: 'media',
      rows: [
        { media: 'https://a.example/1.jpg,https://a.example/2.jpg' },
        { media: 'https://a.example/3.jpg' },
      ],
      meant: [
        'https://a.example/1.jpg|https://a.example/2.jpg',
        'https://a.example/3.jpg|https://a.example/4.jpg',
      ],
    });
    expect(found).toMatchObject({
      label: 'Write | between the items in 2 rows',
      evidence: 'Each link becomes a separate item.',
    });
  });

  it('takes the place of one item of a list', () => {
    const [found] = suggestFor({
      code: 'media_missing',
      column: 'media',
      rows: [{ media: 'a.jpg | b.jpeg|c.jpg' }],
      value: 'b.jpeg',
      meant: ['b.jpg'],
    });
    expect(found?.edits).toEqual([{ row: 1, position: 1, text: 'a.jpg|b.jpg|c.jpg' }]);
  });

  it('is nothing where the check found nothing', () => {
    const rows = [{ creator: 'nobody' }];
    expect(suggestFor({ code: 'creator_unknown', column: 'creator', rows })).toEqual([]);
  });
});

describe('one text for several different ones', () => {
  it('is a guess for each of its own', () => {
    const found = suggestFor({
      code: 'media_missing',
      column: 'media',
      rows: [{ media: 'a/mug1.mp4' }, { media: 'a/mug2.mp4' }, { media: 'a/candel.mp4' }],
      meant: ['a/mug3.mp4', 'a/mug3.mp4', 'a/candle.mp4'],
    });
    expect(found.map(({ label, guessFor, edits }) => [label, guessFor, edits.length])).toEqual([
      ['Use a/mug3.mp4 in 1 row', 'a/mug1.mp4', 1],
      ['Use a/mug3.mp4 in 1 row', 'a/mug2.mp4', 1],
      ['Use a/candle.mp4 in 1 row', 'a/candel.mp4', 1],
    ]);
  });

  it('is one suggestion where the wrong text is one', () => {
    const found = suggestFor({
      code: 'unknown_zone',
      column: 'creator',
      rows: [{ creator: 'Asia/Shangai' }, { creator: 'Asia/Shangai' }],
      meant: ['Asia/Shanghai', 'Asia/Shanghai'],
    });
    expect(found).toMatchObject([{ label: 'Use Asia/Shanghai in 2 rows', guessFor: 'Asia/Shangai' }]);
  });
});
