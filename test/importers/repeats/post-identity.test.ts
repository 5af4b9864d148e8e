import { expect, test } from 'vitest';
import type { ComparedPost } from '../../../src/importers/repeats/post-identity.ts';
import { check, manifestOf } from '../manifest-source.ts';

type Given = Parameters<typeof manifestOf>[0][number];

async function postsOf(rows: readonly Given[]): Promise<readonly ComparedPost[]> {
  const found: ComparedPost[] = [];
  const find = async (given: readonly ComparedPost[]) => {
    found.push(...given);
    return [];
  };
  await check(manifestOf(rows), { posts: { account: 'default', find } });
  return found;
}

const withoutTime = ({ identity }: ComparedPost | { identity: Buffer }) => identity.toString('hex', 0, 6);

test.each([
  ['the creator', { creator: 'demo_ben' }],
  ['the media', { media: 'b.mp4' }],
  ['the order of the media', { media: 'b.png|a.png' }],
  ['the product', { product_id: '2' }],
  ['the caption', { caption: 'Another' }],
] as readonly (readonly [string, Given])[])('with another %s it is another post', async (_what, other) => {
  const [one, two] = await postsOf([
    { media: other.media?.includes('png') ? 'a.png|b.png' : 'a.mp4' },
    other,
  ]);
  expect(one && two && withoutTime(one) === withoutTime(two)).toBe(false);
});

test('at another time it is the same post, with another whole identity', async () => {
  const [one, two] = await postsOf([{}, { scheduled_at: '2099-01-01T00:00Z' }]);
  expect(one && two && withoutTime(one) === withoutTime(two)).toBe(true);
  expect(one?.identity.equals(two?.identity ?? Buffer.alloc(0))).toBe(false);
});

test.each([
  ['spaces', 'Hi  there', ' Hi there '],
  ['line breaks', 'Hi\r\nthere', 'Hi\nthere'],
  ['accents', 'Cafe\u0301', 'Caf\u00e9'],
])('a program may write %s of a caption in another way', async (_what, one, other) => {
  const [first, second] = await postsOf([{ caption: one }, { caption: other }]);
  expect(first?.identity).toEqual(second?.identity);
});

test('rows with problems are not compared', async () => {
  expect(await postsOf([{ product_id: '' }, {}])).toHaveLength(1);
});
