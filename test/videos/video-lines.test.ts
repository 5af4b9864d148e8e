import { describe, expect, it } from 'vitest';
import { videoIdOf } from '../../src/manifest/cells/video-url.ts';
import { VideoLines } from '../../src/videos/import/check.ts';

describe('the lines of the videos of a sheet', () => {
  it('are told of each video that comes again, and of no other', () => {
    const lines = new VideoLines();
    const ids = Array.from({ length: 5000 }, (_, index) => videoIdOf(`https://video.example/${index}`));
    expect(ids.map((id, index) => lines.note(id, index + 2)).filter(Boolean)).toEqual([]);
    expect(ids.map((id) => lines.note(id, 9999))).toEqual(ids.map((_id, index) => index + 2));
  });

  it('tell videos apart whose ids begin alike', () => {
    const lines = new VideoLines();
    expect(lines.note('AAAAAAAAAAAAAAAB', 2)).toBeUndefined();
    expect(lines.note('AAAAAAAAAAAAAAAC', 3)).toBeUndefined();
    expect(lines.note('AAAAAAAAAAAAAAAC', 4)).toBe(3);
    // All bits are zero.
    expect(lines.note('AAAAAAAAAAAAAAAA', 5)).toBeUndefined();
    expect(lines.note('AAAAAAAAAAAAAAAA', 6)).toBe(5);
  });
});
