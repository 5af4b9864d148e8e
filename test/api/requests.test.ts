/** What the client sends. */
import { expect, test } from 'vitest';
import { InvalidRequestError } from '../../src/api/errors.ts';
import { rejection, somePost, testClient, testKey } from '../support/client.ts';
import { envelopeAnswer, wireServer } from '../support/wire-server.ts';

const video = { ...somePost, title: 'Ein Titel \u{1F3A5}' } as const;

test('a call carries the key and its JSON, with a length', async () => {
  const server = await wireServer((_, socket) => socket.write(envelopeAnswer({ postId: 'p1' })));
  const post = await testClient(server.origin).posts.create(video);

  expect(post.postId).toBe('p1');
  const [request] = server.requests;
  expect(request?.method).toBe('POST');
  expect(request?.target).toBe('/v1/creator/post/create');
  expect(request?.headers['x-api-key']).toBe(testKey);
  expect(request?.headers['content-type']).toBe('application/json');
  expect(request?.headers['transfer-encoding']).toBeUndefined();
  expect(JSON.parse(String(request?.body))).toEqual(video);
});

test('the prefix of the base URL comes before the path', async () => {
  const server = await wireServer((_, socket) => socket.write(envelopeAnswer({ list: [] })));
  await testClient(`${server.origin}/gateway/eu/`).generations.tasks('s 1');

  expect(server.requests[0]?.target).toBe('/gateway/eu/v1/ai/task/listByScheduleId?scheduleId=s+1');
});

test('a list repeats its parameter, and fields without a value are left out', async () => {
  const server = await wireServer((_, socket) => socket.write(envelopeAnswer({ list: [] })));
  await testClient(server.origin).creators.list({
    pageSize: 20,
    pageNumber: 1,
    valid: true,
    usernames: ['anna', 'b&c'],
    selectionRegion: undefined,
  });

  expect(server.requests[0]?.target).toBe(
    '/v1/creatorAccount/pageList?pageSize=20&pageNumber=1&valid=true&usernames=anna&usernames=b%26c',
  );
});

test('the showcase is always asked for by its origin', async () => {
  const server = await wireServer((_, socket) => socket.write(envelopeAnswer({ products: [] })));
  await testClient(server.origin).showcase.list({ id: 5, pageSize: 10 });

  expect(server.requests[0]?.target).toContain('origin=SHOWCASE');
});

test('connections are kept and used again', async () => {
  const server = await wireServer((_, socket) => socket.write(envelopeAnswer({ list: [] })));
  const client = testClient(server.origin);
  for (let i = 0; i < 20; i += 1) await client.generations.tasks('s1');

  expect(server.requests).toHaveLength(20);
  // undici frees a connection a moment after its answer is there: a second one may serve the next call.
  expect(server.connections()).toBeLessThanOrEqual(2);
});

test.each(['+08:00', 'Nowhere/Land', 'CST', ''])('the zone %j is not sent', async (scheduledTz) => {
  const server = await wireServer((_, socket) => socket.write(envelopeAnswer({ postId: 'p1' })));
  const error = await rejection(testClient(server.origin).posts.create({ ...video, scheduledTz }));

  expect(error).toMatchObject({ code: 'invalid_request', field: 'scheduledTz' });
  expect(server.connections()).toBe(0);
});

test.each(['Asia/Shanghai', 'America/Argentina/Ushuaia', 'UTC'])(
  'the zone %s is sent',
  async (scheduledTz) => {
    const server = await wireServer((_, socket) => socket.write(envelopeAnswer({ postId: 'p1' })));
    await testClient(server.origin).posts.create({ ...video, scheduledTz });

    expect(JSON.parse(String(server.requests[0]?.body))).toMatchObject({ scheduledTz });
  },
);

test('a title of emoji is measured in characters', async () => {
  const server = await wireServer((_, socket) => socket.write(envelopeAnswer({ postId: 'p1' })));
  const { posts } = testClient(server.origin);
  const titled = (count: number) => ({
    ...video,
    socialShop: { productInfo: { ...video.socialShop.productInfo, title: '😀'.repeat(count) } },
  });
  await posts.create(titled(30));

  expect(await rejection(posts.create(titled(31)))).toMatchObject({
    field: 'socialShop.productInfo.title',
  });
});

test('a request that breaks a rule of the contract is not sent, and its field is named', async () => {
  const server = await wireServer((_, socket) => socket.write(envelopeAnswer({ postId: 'p1' })));
  const productInfo = { ...video.socialShop.productInfo, title: 'x'.repeat(31) };
  const error = await rejection(
    testClient(server.origin).posts.create({ ...video, socialShop: { productInfo } }),
  );

  expect(error).toBeInstanceOf(InvalidRequestError);
  expect(error).toMatchObject({ code: 'invalid_request', field: 'socialShop.productInfo.title' });
  expect(server.connections()).toBe(0);
});
