import { describe, expect, it } from 'vitest';
import { fetchPublicVideoDataResponse } from '../../src/api/contract/videos.ts';
import { callSandbox, testSandbox } from '../support/sandbox.ts';

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

  it('names the field when it is not an http URL', async () => {
    await using sandbox = await testSandbox();
    const reply = await callSandbox(sandbox, '/v1/material/fetch', { videoUrl: 'ftp://video.example/1' });
    expect(reply).toMatchObject({ status: 400, data: { field: 'videoUrl' } });
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
