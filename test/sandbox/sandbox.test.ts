import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { checkSettings } from '../../config/load.ts';
import settings from '../../config/sandbox.json' with { type: 'json' };
import { apiOperations } from '../../src/sandbox/description/operations.ts';
import { temporaryFolder } from '../support/folder.ts';
import { callSandbox, testSandbox, uploadTo, videoPost } from '../support/sandbox.ts';

describe('startSandbox', () => {
  it('listens on loopback only, and no more once it is closed', async () => {
    const sandbox = await testSandbox();
    expect(new URL(sandbox.url).hostname).toBe('127.0.0.1');
    expect(new URL(sandbox.adminUrl).hostname).toBe('127.0.0.1');
    await sandbox.close();
    await expect(fetch(sandbox.url)).rejects.toThrow();
    await expect(fetch(sandbox.adminUrl)).rejects.toThrow();
  });

  it('refuses to start on a port that is taken', async () => {
    await using sandbox = await testSandbox();
    const port = Number(new URL(sandbox.url).port);
    await expect(testSandbox({ port })).rejects.toMatchObject({ code: 'EADDRINUSE' });
  });

  it('continues from its file', async () => {
    const data = join(temporaryFolder(), 'sandbox.db');
    const large = Buffer.alloc(400_000, 'x');
    let fileId: number;
    {
      await using sandbox = await testSandbox({ data });
      fileId = await uploadTo(sandbox, large);
      await callSandbox(
        sandbox,
        '/v1/creator/post/create',
        videoPost(fileId, sandbox.creators()[0]?.creatorId ?? ''),
      );
    }
    await using sandbox = await testSandbox({ data });
    const [post] = sandbox.effects().posts;
    expect(post).toMatchObject({ businessId: String(fileId) });
    expect(sandbox.creators()).toHaveLength(60);
    const download = await fetch(`${sandbox.url}/files/${fileId}/clip.mp4`);
    expect((await download.arrayBuffer()).byteLength).toBe(large.length);
    await callSandbox(sandbox, '/v1/creatorAccount/pageList?pageSize=1&pageNumber=1');
    expect(sandbox.calls()[0]?.number).toBeGreaterThan(post?.call ?? Number.POSITIVE_INFINITY);
  });

  it('starts in memory with other file ids, so that a stale id is unknown', async () => {
    const ids = [];
    for (const now of [Date.UTC(2026, 5, 1), Date.UTC(2026, 5, 1, 0, 0, 5)]) {
      await using sandbox = await testSandbox({ clock: { now: () => now } });
      ids.push(await uploadTo(sandbox, Buffer.from('x')));
    }
    expect(ids[0]).not.toBe(ids[1]);
  });

  it('closes open connections at its end, and a waiting call has no effect', async () => {
    const data = join(temporaryFolder(), 'sandbox.db');
    const sandbox = await testSandbox({ data });
    sandbox.faults.add({ kind: 'hold', when: 'before' });
    const file = { fileName: 'a.mp4', contentType: 'video/mp4', size: 1, hash: '0'.repeat(64) };
    const call = callSandbox(sandbox, '/v1/file/presign', file);
    const broken = expect(call).rejects.toThrow();
    await sandbox.whenHeld();
    await sandbox.close();
    await broken;
    await using again = await testSandbox({ data });
    expect(again.effects().files).toEqual([]);
  });
});

describe('hostile input', () => {
  /** A valid call of each operation, and what takes the place of each of its fields in turn. */
  const product = { productId: '1', title: 'One', source: 'SHOP' };
  const post = { businessId: '1', businessType: 'FILE', title: 'A caption', platform: 'SOCIAL_SHOP' };
  const video = { prompt: 'a lamp', model: 'veo3.1-extend', seconds: 8, size: '720x1280' };
  const image = {
    prompt: 'a lamp',
    model: 'gpt-image-2',
    aspectRatio: '1:1',
    inputReferences: ['http://a.a'],
  };
  const valid: readonly (readonly [keyof typeof apiOperations, object])[] = [
    ['createCreatorPost', { ...post, scheduledAt: 1, coverFileId: 1, socialShop: { productInfo: product } }],
    [
      'createCreatorPost',
      { ...post, socialShopPhoto: { postType: '', businessIds: ['1'], productLinks: [product] } },
    ],
    [
      'createAiGenerationSchedule',
      { type: 'VIDEO_GENERATION', params: video, nums: 1, execAt: '2026-06-01T00:00:00Z', taskId: 'a' },
    ],
    ['createAiGenerationSchedule', { type: 'IMAGE_GENERATION', params: image, nums: 1 }],
    ['addSocialShowcaseProducts', { id: 1003, addType: 'PRODUCT_ID', productIds: ['1'] }],
    ['addSocialShowcaseProducts', { id: 1003, addType: 'PRODUCT_LINK', productLink: 'https://a.example/1' }],
    ['createFileUpload', { fileName: 'a.mp4', contentType: 'video/mp4', size: 1, hash: '0'.repeat(64) }],
    ['fetchPublicVideoData', { videoUrl: 'https://a.example/1' }],
    ['confirmUpload', { fileId: 1 }],
    ['uploadCover', { id: 1003, fileId: 1, file: { bytes: [1], name: 'a', contentType: 'image/png' } }],
    ['listAiTasksByScheduleId', { scheduleId: 'x' }],
    ['listCreatorAccounts', { pageSize: 1, pageNumber: 1, usernames: 'demo_anna' }],
    ['listSocialShowcaseProducts', { id: 1001, origin: 'SHOWCASE', pageSize: 1, pageToken: 'MTAwMTox' }],
    ['searchMusic', { keyword: 'a', pageNumber: 1 }],
    ['listPosts', { pageSize: 1, pageNumber: 1, creatorId: 'x', createdFrom: 1 }],
  ];
  const nested = JSON.parse('['.repeat(1000) + ']'.repeat(1000));
  const hostile: readonly unknown[] = [
    ...[
      null,
      '',
      '\0',
      '\ud800',
      '\ud800.mp4',
      'http://',
      'https://a.example:65536/',
      'https://a.example/%C9%CC',
    ],
    ...[-1, 0, 1.5, 1e15, Number.MAX_SAFE_INTEGER, 1e300, '9'.repeat(400), [], [''], {}, nested],
    ...[
      '2026-02-31T00:00:00Z',
      '2026-06-01T24:00:00Z',
      '9999-12-31T23:59:59.999999999-23:59',
      '99999:1',
      '%',
    ],
  ];

  it.each(valid)('in any field of %s is answered, never by a defect', async (operation, request) => {
    await using sandbox = await testSandbox({ strict: false, maxPageSize: 10_000 });
    const { method, path } = apiOperations[operation];
    for (const changed of [request, ...variants(request)]) {
      const target = method === 'GET' ? `${path}?${new URLSearchParams(textsOf(changed))}` : path;
      const reply = await callSandbox(sandbox, target, method === 'GET' ? undefined : changed);
      expect(reply.status, `${reply.message} ${JSON.stringify(changed).slice(0, 500)}`).not.toBe(500);
    }
  });

  /** The value with each of its parts replaced by each hostile value, and with one more field. */
  function* variants(value: unknown): Generator<unknown> {
    if (typeof value !== 'object' || value === null) return yield* hostile;
    for (const [name, part] of Object.entries(value)) {
      for (const other of [undefined, ...(typeof part === 'object' ? hostile : []), ...variants(part)]) {
        yield Array.isArray(value) ? [other] : { ...value, [name]: other };
      }
    }
    if (!Array.isArray(value)) yield { ...value, colour: nested };
  }

  function textsOf(query: unknown): Record<string, string> {
    const textOf = (part: unknown) => (typeof part === 'string' ? part : (JSON.stringify(part) ?? ''));
    return Object.fromEntries(Object.entries(query as object).map(([name, part]) => [name, textOf(part)]));
  }
});

describe("the sandbox's description of itself", () => {
  it('describes every operation, from the schemas that check its requests', async () => {
    await using sandbox = await testSandbox();
    const answer = await fetch(`${sandbox.url}/openapi.json`);
    const { openapi, paths } = (await answer.json()) as {
      openapi: string;
      paths: Record<string, Record<string, Described>>;
    };
    expect(openapi).toBe('3.1.0');
    for (const [operationId, { method, path }] of Object.entries(apiOperations)) {
      expect(paths[path]?.[method.toLowerCase()]).toMatchObject({ operationId });
    }
    expect(paths['/v1/creatorAccount/pageList']?.get?.parameters).toContainEqual(
      expect.objectContaining({ name: 'pageSize', in: 'query', required: true }),
    );
    const presign = paths['/v1/file/presign']?.post?.requestBody?.content['application/json']?.schema;
    expect(presign).toMatchObject({ required: ['fileName', 'contentType', 'size', 'hash'] });
    const post = paths['/v1/creator/post/create']?.post?.requestBody?.content['application/json']?.schema;
    expect(JSON.stringify(post)).not.toMatch(/"required":[^\]]*"mediaType"/);
  });

  it('shows a page to people', async () => {
    await using sandbox = await testSandbox();
    const answer = await fetch(sandbox.url);
    expect(answer.headers.get('content-type')).toContain('text/html');
    expect(await answer.text()).toContain('createCreatorPost');
  });

  it('has its own forms of the operations that the contract does not show in its settings', () => {
    const { api } = checkSettings(settings);
    for (const operation of ['confirmUpload', 'uploadCover', 'searchMusic', 'listPosts'] as const) {
      const { method, path } = apiOperations[operation];
      expect(api[operation]).toMatchObject({ method, path });
    }
  });
});

interface Described {
  readonly operationId: string;
  readonly parameters?: readonly object[];
  readonly requestBody?: { content: Record<string, { schema: object }> };
}
