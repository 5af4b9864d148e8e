/** Small versions of images that attack the decoder, or that crash the process that makes them. */
import sharp from 'sharp';
import { beforeAll, expect, it } from 'vitest';
import { Shrinker } from '../../../src/service/media/shrinker.ts';
import { photo } from '../../support/photo.ts';

let image: Buffer;
beforeAll(async () => {
  image = await photo(600, 800);
});

const sizes = ['240x427 jpeg', '96x171 jpeg'];
const sizesOf = async (shrinker: Shrinker, bytes: Buffer) => {
  const { small, tiny } = await shrinker.shrink(async () => bytes);
  const found = await Promise.all([small, tiny].map((each) => sharp(each).metadata()));
  return found.map(({ width, height, format }) => `${width}x${height} ${format}`);
};

it('makes two JPEGs of JPEG, PNG, WebP, GIF and AVIF', async () => {
  const shrinker = new Shrinker();
  for (const format of ['jpeg', 'png', 'webp', 'gif', 'avif'] as const)
    expect(await sizesOf(shrinker, await sharp(image).toFormat(format).toBuffer())).toEqual(sizes);
});

it.each([
  ['a script', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')],
  ['a PDF', Buffer.from('%PDF-1.7 nothing')],
  ['no bytes', Buffer.alloc(0)],
])('makes none of %s, and goes on', async (_what, bytes) => {
  const shrinker = new Shrinker();
  await expect(shrinker.shrink(async () => bytes)).rejects.toThrow();
  expect(await sizesOf(shrinker, image)).toEqual(sizes);
});

it('makes none of an image of more than 100 million pixels, whatever its bytes', async () => {
  const create = { width: 20_000, height: 6000, channels: 3, background: '#888' } as const;
  const bomb = await sharp({ create, limitInputPixels: false }).png().toBuffer();
  expect(bomb.length).toBeLessThan(2_000_000);
  await expect(new Shrinker().shrink(async () => bomb)).rejects.toThrow(/pixel limit/);
});

it.each(['crash', 'hang'])('fails for the image alone that makes its process %s', async (what) => {
  const program = new URL('./crash-program.ts', import.meta.url);
  // A process takes seconds to start on a busy machine.
  const shrinker = new Shrinker({ program, longestMs: what === 'hang' ? 6000 : 60_000 });
  const shrink = (text: string) =>
    shrinker.shrink(async () => Buffer.from(text)).then(({ tiny }) => String(tiny));
  expect(await shrink('a')).toBe('tiny a');
  const [bad, next] = [shrink(what), shrink('b')];
  await expect(bad).rejects.toThrow('has ended');
  expect(await next).toBe('tiny b');
});
