import { describe, expect, test } from 'vitest';
import type { ComparedPost } from '../../../src/importers/repeats/post-identity.ts';
import { check, manifestOf } from '../manifest-source.ts';

type Given = Parameters<typeof manifestOf>[0][number];

async function postsOf(rows: readonly Given[]): Promise<readonly ComparedPost[]> {
  const found: ComparedPost[] = [];
  const find = async (given: readonly ComparedPost[]) => {
    found.push(...given);
    return [];
  };
  await check(manifestOf(rows), { posts: { find } });
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

describe('a link', () => {
  const identities = async (...links: readonly string[]) => {
    const posts = await postsOf(links.map((media) => ({ media, media_type: 'VIDEO' })));
    expect(posts).toHaveLength(2);
    return posts.map(({ identity }) => identity.toString('hex'));
  };

  test.each([
    [
      'to a file',
      'https://media.example/v3/mug.mp4?X-Expires=1&X-Signature=a',
      'https://media.example/v3/mug.mp4?X-Expires=2',
    ],
    [
      'without a name of a file',
      'https://api.example/get?id=7&token=a',
      'https://api.example/get?token=b&id=7#t=1',
    ],
  ])('%s is the same with another signature', async (_what, one, other) => {
    const [first, second] = await identities(one, other);
    expect(first).toBe(second);
  });

  test.each([
    ['path', 'https://media.example/a/mug.mp4?s=1', 'https://media.example/b/mug.mp4?s=1'],
    ['host', 'https://media.example/mug.mp4', 'https://other.example/mug.mp4'],
    [
      'id',
      'https://drive.example/uc?export=download&id=A1',
      'https://drive.example/uc?export=download&id=B2',
    ],
  ])('with another %s is another', async (_what, one, other) => {
    const [first, second] = await identities(one, other);
    expect(first).not.toBe(second);
  });
});

test('rows with problems are not compared', async () => {
  expect(await postsOf([{ product_id: '' }, {}])).toHaveLength(1);
});
