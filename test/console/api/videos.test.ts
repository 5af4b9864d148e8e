/** Videos in sheets, and the figures of the whole list. */
import { expect, it } from 'vitest';
import { callApi } from '../../support/api.ts';
import { openPages } from '../../support/console/console-pages.ts';
import { openRunner } from '../../support/in-process.ts';
import { videoUrl } from '../../support/videos.ts';

it('adds the videos of a sheet, all or none, and shows them at once', async () => {
  const runner = await openRunner({ queues: [] });
  const { url } = await openPages(runner);
  const add = (...urls: string[]) =>
    callApi(url, '/videos', { method: 'POST', body: ['video_url', ...urls, ''].join('\n') });
  const listed = async () => (await callApi(url, '/video-overview')).body.videos;

  expect(await listed()).toBe(0);
  expect((await add(videoUrl('one'), 'nonsense')).body).toMatchObject({
    status: 422,
    code: 'sheet_refused',
    check: { problems: [{ column: 'video_url' }], added: 0 },
  });
  expect(await listed()).toBe(0);
  expect((await add(videoUrl('one'), videoUrl('two'))).body).toMatchObject({ added: 2, known: 0, videos: 2 });
  expect(await listed()).toBe(2);
});

it('refuses an export before it begins', async () => {
  const { url } = await openPages(await openRunner({ queues: [] }));
  for (const [query, code] of [
    ['since=never', 'date_invalid'],
    ['video=none', 'video_not_found'],
  ] as const) {
    const answer = await callApi(url, `/video-export?${query}`);
    expect([answer.type, answer.body.code]).toEqual(['application/problem+json', code]);
  }
});
