import { describe, expect, it } from 'vitest';
import { nextPlace, range, readBefore } from '../../../src/console/parts/list.ts';

describe('the range that a page of a list shows', () => {
  it.each([
    ['1 to 20 of 1,240', { before: 0, many: 20, total: 1240 }],
    ['51 to 60', { before: 50, many: 10, total: undefined }],
    // Rows have left the list since the first page.
    ['51 to 60', { before: 50, many: 10, total: 55 }],
    ['', { before: 0, many: 0, total: 0 }],
    ['', { before: undefined, many: 10, total: 60 }],
  ])('%s', (text, stretch) => {
    expect(range(stretch)).toBe(text);
  });

  it('goes on in the address of the next page', () => {
    expect(nextPlace({ before: 50, many: 10, total: undefined }, 'a')).toEqual({ from: 'a', before: '60' });
    expect(readBefore(new URLSearchParams('before=60'), false)).toBe(60);
    expect(readBefore(new URLSearchParams('before=60'), true)).toBe(0);
    for (const wrong of ['', 'before=-1', 'before=1e9']) {
      expect(readBefore(new URLSearchParams(wrong), false)).toBeUndefined();
    }
  });
});
