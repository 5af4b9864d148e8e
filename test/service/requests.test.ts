/** What the client sends. */
import { expect, test } from 'vitest';
import { InvalidRequestError } from '../../src/service/errors.ts';
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
  await testClient(`${server.origin}/gateway/eu/`).generations.list('s 1');

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
  for (let i = 0; i < 20; i += 1) await client.generations.list('s1');

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

const generation = {
  type: 'IMAGE_GENERATION',
  params: { prompt: 'A bottle', model: 'gpt-image-2', aspectRatio: '9:16' },
  nums: 1,
} as const;

test('a media type that is left out is that of the options', async () => {
  const server = await wireServer((_, socket) => socket.write(envelopeAnswer({ postId: 'p1' })));
  const { posts } = testClient(server.origin);
  const { mediaType: _, socialShop, ...common } = video;
  const unused = { mediaType: undefined, socialShopPhoto: undefined } as object;
  await posts.create({ ...common, socialShop, ...unused });
  await posts.create({
    ...common,
    socialShopPhoto: {
      postType: 'MULTI_PHOTO_ONE_ANCHOR',
      businessIds: [common.businessId],
      productLinks: [socialShop.productInfo],
    },
  });

  const bodies = server.requests.map(({ body }) => JSON.parse(String(body)));
  expect(bodies).toMatchObject([{ mediaType: 'VIDEO' }, { mediaType: 'PHOTO' }]);
});

test.each([
  '2026-12-01T10:00:00.5Z',
  '2026-12-01T10:00Z',
  '2026-12-01T10:00+08:00',
  '2026-12-01T10:00:00+0800',
  '2026-12-01T10:00:00+08',
  '20261201T100000Z',
  '20261201T1000+0800',
])('a generation at %s is sent as written', async (execAt) => {
  const server = await wireServer((_, socket) => socket.write(envelopeAnswer({ scheduleId: 's1' })));
  await testClient(server.origin).generations.create({ ...generation, execAt });

  expect(JSON.parse(String(server.requests[0]?.body))).toMatchObject({ execAt });
});

test.each([
  ['2026-12-01T10:00:00', 'without an offset'],
  ['2026-12-01', 'without a time of day'],
  ['2026-02-30T10:00Z', 'on a day that does not exist'],
  ['2026-12-01T10:00+08:00[Asia/Shanghai]', 'with a zone'],
  ['1 Dec 2026 10:00 GMT', 'in words'],
])('a generation at %s (%s) is not sent', async (execAt) => {
  const server = await wireServer((_, socket) => socket.write(envelopeAnswer({ scheduleId: 's1' })));
  const error = await rejection(testClient(server.origin).generations.create({ ...generation, execAt }));

  expect(error).toMatchObject({ code: 'invalid_request', field: 'execAt' });
  expect(server.connections()).toBe(0);
});

test('images may be asked for without a watermark, but not with one', async () => {
  const server = await wireServer((_, socket) => socket.write(envelopeAnswer({ scheduleId: 's1' })));
  const { generations } = testClient(server.origin);
  const marked = (watermark: boolean) => ({ ...generation, params: { ...generation.params, watermark } });
  await generations.create(marked(false));

  expect(JSON.parse(String(server.requests[0]?.body))).toMatchObject({ params: { watermark: false } });
  expect(await rejection(generations.create(marked(true)))).toMatchObject({ field: 'params.watermark' });
});

test.each([
  'video/mp4; codecs="avc1.42E01E, mp4a.40.2"',
  'video/mp4;codecs=avc1',
  'application/vnd.a!b+json',
])('a file of type %s is announced', async (contentType) => {
  const answer = { fileId: 1, isNew: false };
  const server = await wireServer((_, socket) => socket.write(envelopeAnswer(answer)));
  const file = { fileName: 'a.mp4', contentType, size: 1, hash: '0'.repeat(64) };
  await testClient(server.origin).files.presign(file);

  expect(JSON.parse(String(server.requests[0]?.body))).toEqual(file);
});

test.each([
  'video',
  'video/',
  'video/mp4;',
  'video/mp4 codecs',
  'video/mp4; a=b\r\nx-api-key: k',
  'video/mp4; a=b ',
])('a file of type %j is not announced', async (contentType) => {
  const server = await wireServer((_, socket) => socket.write(envelopeAnswer({ fileId: 1, isNew: false })));
  const file = { fileName: 'a.mp4', contentType, size: 1, hash: '0'.repeat(64) };

  expect(await rejection(testClient(server.origin).files.presign(file))).toMatchObject({
    field: 'contentType',
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
