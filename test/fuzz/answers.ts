/** Answers of the service to every call of the client, valid and not, as the bytes that come over the connection. */
import type { ServiceClient } from '../../src/service/client.ts';
import { mutate } from './mutate.ts';
import type { Random } from './random.ts';

/** Nothing that the client returns or throws may hold it. */
export const fuzzKey = 'fuzz-key-8c1d';

interface ServiceCall {
  /** The `data` of a good answer. */
  readonly data: unknown;
  call(client: ServiceClient): Promise<unknown>;
}

const page = { total: 1, pageNumber: 1, pageSize: 100, totalPages: 1 };
const product = { productId: '1', title: 'A product', source: 'SHOP' } as const;
const all = <T>(entries: AsyncIterable<T>): Promise<T[]> => Array.fromAsync(entries);

export const serviceCalls: Readonly<Record<string, ServiceCall>> = {
  createCreatorPost: {
    data: {
      id: 5,
      postId: 'p1',
      platform: 'SOCIAL_SHOP',
      title: 'Hi',
      videoUrl: 'https://v.example/1',
      status: 'SCHEDULED',
    },
    call: ({ posts }) =>
      posts.create({
        businessId: '7',
        businessType: 'FILE',
        creatorId: 'c1',
        title: 'Hi',
        platform: 'SOCIAL_SHOP',
        mediaType: 'VIDEO',
        socialShop: { productInfo: product },
      } as Parameters<typeof posts.create>[0]),
  },
  createAiGenerationSchedule: {
    data: { scheduleId: 's1', taskIds: ['t1', 't2'] },
    call: ({ generations }) =>
      generations.create({
        type: 'IMAGE_GENERATION',
        params: { prompt: 'A cup', model: 'nano-banana-2', aspectRatio: '9:16' },
        nums: 1,
      }),
  },
  listAiTasksByScheduleId: {
    data: {
      list: [
        {
          taskId: 't1',
          scheduleId: 's1',
          type: 'IMAGE_GENERATION',
          status: 'COMPLETED',
          model: 'nano-banana-2',
          params: { prompt: 'x' },
          result: { url: 'https://a.example/1.png', thumbnailUrl: 'https://a.example/t' },
          customResult: { videoUrl: 'https://a.example/v' },
          createdAt: '2026-12-01T10:00:00Z',
        },
        { taskId: 't2', status: 'PROCESSING' },
      ],
      ...page,
    },
    call: ({ generations }) => generations.list('s1'),
  },
  addSocialShowcaseProducts: {
    data: { errors: [{ code: 16001001, message: 'unavailable', detail: { productId: '1' } }] },
    call: ({ showcase }) => showcase.add({ id: 5, addType: 'PRODUCT_ID', productIds: ['1', '2'] }),
  },
  listCreatorAccounts: {
    data: {
      list: [
        {
          id: 1001,
          creatorId: '7493',
          username: 'demo_anna',
          authSource: 'SOCIAL_SHOP_CREATOR',
          valid: true,
          oauthRegion: 'US',
          permissions: ['CREATOR_VIDEO_PUBLISH'],
          tagNames: ['a'],
          scopes: [],
        },
      ],
      ...page,
    },
    call: ({ creators }) => all(creators.all({})),
  },
  createFileUpload: {
    data: {
      fileId: 5,
      uploadUrl: 'https://s.example/put?sig=1',
      url: 'https://s.example/f',
      isNew: true,
      expiresAt: '2026-12-01T10:00:00Z',
    },
    call: ({ files }) =>
      files.presign({ fileName: 'a.mp4', contentType: 'video/mp4', size: 5, hash: 'ab'.repeat(32) }),
  },
  listSocialShowcaseProducts: {
    data: {
      products: [
        {
          id: '1',
          title: 'P',
          price: { amount: '1.50', currency: 'USD' },
          images: [{ url: 'https://i.example/1', width: 1 }],
        },
      ],
      nextPageToken: 'n1',
      totalCount: 1,
    },
    call: ({ showcase }) => all(showcase.all({ id: 5 })),
  },
  fetchPublicVideoData: {
    data: {
      videoId: 'v1',
      uniqueId: 'anna',
      playCount: 5,
      diggCount: 4,
      commentCount: 3,
      shareCount: 2,
      collectCount: 1,
      coverUrl: 'https://c.example/1',
      videoDesc: 'Hi',
      releaseAt: 1764547200,
    },
    call: ({ videos }) => videos.fetch('https://video.example/1'),
  },
  confirmUpload: { data: { url: 'https://s.example/f' }, call: ({ files }) => files.confirm({ fileId: 12 }) },
  uploadCover: {
    data: { uri: 'cover-1' },
    call: ({ covers }) => covers.upload({ fileId: 12, accountId: 5 }),
  },
  searchMusic: {
    data: { list: [{ id: 'm1', title: 'Calm', author: 'A', duration: '53' }], totalPages: 1 },
    call: ({ music }) => all(music.search('calm')),
  },
  listPosts: {
    data: {
      list: [
        {
          postId: 'p1',
          status: 'PUBLISHED',
          creatorId: 'c1',
          title: 'Hi',
          createdAt: '2026-12-01T10:00:00Z',
          businessIds: ['7'],
        },
      ],
      totalPages: 1,
    },
    call: ({ posts }) => all(posts.list({ creatorId: 'c1' })),
  },
};

const words = [
  ...[
    '{',
    '}',
    '[',
    ']',
    '"',
    ':',
    ',',
    '\\',
    '\\u0000',
    '\\u001b',
    '\\ud800',
    'null',
    'true',
    '1e999',
    '-0',
    '\u202e',
    '\u009b31m',
  ],
  ...[
    '\r\n',
    '\n',
    'HTTP/1.1 200 OK\r\n\r\n',
    'content-encoding: gzip\r\n',
    'transfer-encoding: chunked\r\n',
    '0\r\n\r\n',
    'ffffffff\r\n',
  ],
  ...[
    'retry-after: 99999999999\r\n',
    'retry-after: x\r\n',
    'location: http://127.0.0.1:1/\r\n',
    'content-length: 5\r\n',
    '<html>',
    '\\',
  ],
  ...[
    '"code":',
    '"message":',
    '"data":',
    '"list":',
    '"total":',
    '"totalPages":9',
    '"nextPageToken":"n2"',
    '"__proto__":',
    '40101',
    '16001001',
  ],
  ...[
    '"url":"file:///etc/passwd"',
    '"url":"secret.png"',
    '"url":',
    '"postId":',
    '"status":',
    '"errors":',
    'data:text/html,x',
  ],
];

/** What a hostile service may echo. */
const echoes = [
  fuzzKey,
  fuzzKey.replaceAll('-', '\\u002d'),
  fuzzKey.replaceAll('-', '%2d'),
  fuzzKey.replaceAll('-', '&#45;'),
  `x-api-key: ${fuzzKey}`,
];

const statuses = [
  200, 200, 200, 200, 201, 204, 301, 400, 401, 403, 404, 408, 409, 422, 429, 500, 502, 503, 599,
];

/** The bytes of an answer, head and body; most have something wrong. */
export function makeAnswer(operation: string, random: Random): Buffer {
  const envelope = {
    code: random.once(4) ? random.pick([1, 40101, 429, 500, 16001001, '0', null]) : 0,
    message: random.once(4) ? random.pick(echoes) : 'ok',
    data: serviceCalls[operation]?.data,
    timestamp: 1764547200000,
  };
  const good = Buffer.from(JSON.stringify(envelope));
  const body = random.once(5) ? good : mutate(random, good, [...words, ...echoes]);
  const head = [
    `HTTP/1.1 ${random.pick(statuses)} Status`,
    'content-type: application/json',
    ...(random.once(2) ? [`content-length: ${body.length}`] : []),
    ...(random.once(8)
      ? [`retry-after: ${random.pick(['1', '-1', '1e9', 'Wed, 21 Oct 2099 07:28:00 GMT'])}`]
      : []),
    'connection: close',
  ];
  const answer = Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), body]);
  return random.once(6) ? mutate(random, answer, words) : answer;
}
