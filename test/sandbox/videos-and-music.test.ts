import { describe, expect, it } from 'vitest';
import { fetchPublicVideoDataResponse } from '../../src/service/contract/posts.ts';
import { testClient } from '../support/client.ts';
import { callSandbox, testSandbox, uploadTo, videoPost } from '../support/sandbox.ts';

const videoUrl = 'https://video.example/@someone/video/42';

describe('fetchPublicVideoData', () => {
  it('answers metrics that are the same at one time and never fall', async () => {
    await using sandbox = await testSandbox({ clock: { now: () => Date.UTC(2026, 5, 1) } });
    const read = async () => {
      const { data } = await callSandbox(sandbox, '/v1/material/fetch', { videoUrl });
      return fetchPublicVideoDataResponse.parse(data);
    };
    const first = await read();
    expect(await read()).toEqual(first);
    expect(first).toMatchObject({ uniqueId: 'someone', releaseAt: expect.any(Number) });
    sandbox.clock.advance(30 * 86_400_000);
    const later = await read();
    expect(later.playCount).toBeGreaterThan(first.playCount ?? Number.POSITIVE_INFINITY);
    expect(later.releaseAt).toBe(first.releaseAt);
  });

  it('answers 404 for a video that is gone', async () => {
    await using sandbox = await testSandbox();
    const reply = await callSandbox(sandbox, '/v1/material/fetch', {
      videoUrl: 'https://video.example/gone/1',
    });
    expect(reply.status).toBe(404);
  });

  it.each([['https://www.tiktok.com/@dragone/video/1'], ['https://notexample/gone/1']])(
    'knows that a video of a real site exists, whatever its path: %s',
    async (videoUrl) => {
      await using sandbox = await testSandbox();
      expect(await callSandbox(sandbox, '/v1/material/fetch', { videoUrl })).toMatchObject({
        status: 200,
        code: 0,
      });
    },
  );

  it('answers 404 for its own address, too', async () => {
    await using sandbox = await testSandbox();
    const videoUrl = `${sandbox.url}/@anna/video/gone`;
    expect((await callSandbox(sandbox, '/v1/material/fetch', { videoUrl })).status).toBe(404);
  });

  it('names the field when it is not an http URL', async () => {
    await using sandbox = await testSandbox();
    const reply = await callSandbox(sandbox, '/v1/material/fetch', { videoUrl: 'ftp://video.example/1' });
    expect(reply).toMatchObject({ status: 400, data: { field: 'videoUrl' } });
  });
});

describe('the video of a post', () => {
  it('has the age of its post, also of one that was made older', async () => {
    const now = Date.UTC(2026, 5, 1);
    await using sandbox = await testSandbox({ clock: { now: () => now } });
    const file = await uploadTo(sandbox, Buffer.from('a video'));
    const { creatorId = '' } = sandbox.creators()[0] ?? {};
    await callSandbox(sandbox, '/v1/creator/post/create', videoPost(file, creatorId));
    const postId = sandbox.effects().posts[0]?.postId ?? '';
    sandbox.backdate([postId], 8 * 86_400_000);
    const videoUrl = `${sandbox.url}/@anna/video/${postId.replace('post_', '')}`;
    const { data } = await callSandbox(sandbox, '/v1/material/fetch', { videoUrl });
    const { releaseAt, playCount } = fetchPublicVideoDataResponse.parse(data);
    expect(Math.round((now / 1000 - (releaseAt ?? 0)) / 86_400)).toBe(8);
    expect(playCount).toBeGreaterThan(0);
  });
});

describe('a video over simulated days', () => {
  const day = 86_400_000;

  /** Views on days 0 to 3; null while it does not exist. */
  async function viewsOf(name: string): Promise<readonly (bigint | null)[]> {
    await using sandbox = await testSandbox({ clock: { now: () => Date.UTC(2026, 5, 1) } });
    const views = [];
    for (let night = 0; night < 4; night += 1) {
      const url = `https://video.example/@someone/${name}/42`;
      const { status, data } = await callSandbox(sandbox, '/v1/material/fetch', { videoUrl: url });
      const { playCount } = fetchPublicVideoDataResponse.parse(data);
      views.push(status === 404 ? null : BigInt(playCount ?? 0));
      sandbox.clock.advance(day);
    }
    return views;
  }

  it.each([
    ['vanishes', [true, false, false, false]],
    ['returns', [true, false, false, true]],
    ['late', [false, true, true, true]],
    ['video', [true, true, true, true]],
  ])('named %s exists on %j', async (name, existing) => {
    expect((await viewsOf(name)).map((views) => views !== null)).toEqual(existing);
  });

  it('named falls has fewer views on the second day than before, then more again', async () => {
    const [, first, second, third] = (await viewsOf('falls')).map((views) => views ?? 0n);
    expect(second).toBeLessThan(first ?? 0n);
    expect(third).toBeGreaterThan(second ?? 0n);
  });

  it('named huge has figures beyond 2^53, as integers', async () => {
    await using sandbox = await testSandbox();
    const client = testClient(sandbox.url, { apiKey: sandbox.apiKey });
    const { playCount } = await client.videos.fetch('https://video.example/huge/1');
    expect(playCount).toBeGreaterThan(BigInt(Number.MAX_SAFE_INTEGER));
  });
});

describe('searchMusic', () => {
  it('finds by title and author, whatever the case, page by page', async () => {
    await using sandbox = await testSandbox();
    const path = '/v1/creator/socialshop/searchMusic?keyword=OCEAN&pageSize=4';
    const { data } = await callSandbox(sandbox, `${path}&pageNumber=2`);
    expect(data).toMatchObject({ total: 6, totalPages: 2 });
    expect(data.list).toEqual([
      expect.objectContaining({ title: expect.stringContaining('Ocean'), id: expect.any(String) }),
      expect.objectContaining({ title: expect.stringContaining('Ocean'), duration: expect.any(String) }),
    ]);
  });
});
