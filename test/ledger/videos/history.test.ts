import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { VideoReading } from '../../../src/ledger/videos/history.ts';
import { mostCount } from '../../../src/ledger/videos/sample.ts';
import { captionAt, stateOf, type WatchedVideo } from '../../../src/ledger/videos/video.ts';
import { readVideoUrl, videoIdOf } from '../../../src/manifest/cells/video-url.ts';
import { type TestLedger, testLedger } from '../../support/ledger.ts';
import { keysOf } from '../../support/redis/redis.ts';

const day = 86_400;
const start = Date.UTC(2026, 0, 1, 2) / 1000;

// Appends wait a moment for others to join them. Hundreds of nights here come one by one.
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  vi.setTimerTickMode('nextTimerAsync');
});
afterEach(() => {
  vi.useRealTimers();
});

function watched({ ledger }: TestLedger) {
  const { list, history, scrapes } = ledger.videos;
  async function add(name: string): Promise<string> {
    const read = readVideoUrl(`https://video.example/@anna/video/${name}`);
    if (!('url' in read)) throw new Error(name);
    const id = videoIdOf(read.url);
    await list.add([{ id, facts: { url: read.url, creator: 'anna', campaign: 'c1', key: name } }]);
    return id;
  }
  async function find(id: string): Promise<WatchedVideo> {
    const [video] = await list.read([id]);
    if (!video) throw new Error(`no video ${id}`);
    return video;
  }
  const append = async (run: number, id: string, look: VideoReading, video?: WatchedVideo) =>
    history.append(run, video ?? (await find(id)), look);
  /** One scrape that looks up one video. */
  async function night(id: string, look: VideoReading) {
    const { run } = await scrapes.start('manual');
    const written = await append(run, id, look);
    await scrapes.stop(run, { code: 'test', message: '' });
    return written;
  }
  const samples = async (id: string, from?: number) => {
    const [found = []] = await history.samples([await find(id)], from);
    return found;
  };
  const trim = async (id: string, before: number) => history.trim([await find(id)], before);
  return { add, find, append, night, samples, trim, list, history, scrapes };
}

function lookAt(at: number, views: number, more: Partial<VideoReading['meta']> = {}): VideoReading {
  return {
    at,
    figures: [views, ...[10, 100, 200, 150].map((part) => Math.floor(views / part))],
    meta: { caption: 'A caption', ...more },
  };
}

describe('the history of a video', () => {
  it('has one sample for each scrape, however often it is written', async () => {
    const { add, append, find, samples, scrapes } = watched(testLedger());
    const id = await add('1');
    const { run } = await scrapes.start('manual');
    const before = await find(id);
    expect(await append(run, id, lookAt(start, 100), before)).toBe('stored');
    expect(await append(run, id, lookAt(start, 100), before)).toBe('known');
    expect(await append(run, id, lookAt(start + 9, 109))).toBe('known');
    expect(await samples(id)).toHaveLength(1);
    expect(await scrapes.find(run)).toMatchObject({ done: 1 });
  });

  it('takes no sample of a scrape that is over', async () => {
    const { add, append, samples, scrapes } = watched(testLedger());
    const id = await add('1');
    const { run } = await scrapes.start('manual');
    await scrapes.stop(run, { code: 'test', message: '' });
    expect(await append(run, id, lookAt(start, 200))).toBe('ended');
    expect(await samples(id)).toEqual([]);
  });

  it('does not bring back a video that was removed meanwhile', async () => {
    const test = testLedger();
    const { add, append, find, list, scrapes } = watched(test);
    const id = await add('1');
    const read = await find(id);
    const { run } = await scrapes.start('manual');
    await list.remove(id);
    expect(await append(run, id, lookAt(start, 1), read)).toBe('removed');
    expect((await keysOf(test.redis, test.prefix)).filter((key) => key.includes(id))).toEqual([]);
  });

  it('marks a counter that falls, and what the service did not tell', async () => {
    const { add, night, samples, find } = watched(testLedger());
    const id = await add('1');
    await night(id, { at: start, figures: [900, 10, 5, undefined, 0], meta: {} });
    await night(id, { at: start + day, figures: [899, 11, undefined, 7, 0], meta: {} });
    await night(id, { at: start + 2 * day, figures: [900, 11, 4, 7, 0], meta: {} });
    expect((await samples(id)).slice(1)).toEqual([
      { at: start + day, counts: [899, 11, undefined, 7, 0], flags: 'play_count_fell' },
      { at: start + 2 * day, counts: [900, 11, 4, 7, 0], flags: 'comment_count_fell' },
    ]);
    expect((await find(id)).summary).toMatchObject({ known: [900, 11, 4, 7, 0] });
  });

  it('keeps a figure beyond 2^53 as 2^53 - 1, with a flag', async () => {
    const { add, night, samples } = watched(testLedger());
    const id = await add('1');
    await night(id, { at: start, figures: [2n ** 70n, mostCount, 3n, 2 ** 53, 0], meta: {} });
    expect(await samples(id)).toEqual([
      {
        at: start,
        counts: [mostCount, mostCount, 3, mostCount, 0],
        flags: 'play_count_capped|share_count_capped',
      },
    ]);
  });

  it('is rows of JSON', async () => {
    const test = testLedger();
    const { add, night } = watched(test);
    const id = await add('1');
    await night(id, { at: start, figures: [900, 10, 5, undefined, 0], meta: {} });
    expect(await test.redis.lrange(`${test.prefix}:v:${id}:h`, 0, -1)).toEqual([
      `[${start},900,10,5,null,0]`,
    ]);
  });

  it('that something else stands in is an error with the name of its key', async () => {
    const test = testLedger();
    const { add, samples } = watched(test);
    const id = await add('1');
    await test.redis.rpush(`${test.prefix}:v:${id}:h`, 'soon');
    await expect(samples(id)).rejects.toThrow(`:v:${id}:h`);
  });

  it('keeps the time of the sample before where a clock is behind', async () => {
    const { add, night, samples } = watched(testLedger());
    const id = await add('1');
    await night(id, lookAt(start, 1));
    await night(id, lookAt(start - 60, 2));
    expect((await samples(id)).map(({ at }) => at)).toEqual([start, start]);
  });

  it('keeps a caption when it changes, and of the cover only the latest', async () => {
    const { add, night, samples, find } = watched(testLedger());
    const id = await add('1');
    await night(id, lookAt(start, 1, { caption: 'old', coverUrl: 'https://cdn.example/1?sign=a' }));
    await night(id, lookAt(start + day, 2, { caption: 'old', coverUrl: 'https://cdn.example/1?sign=b' }));
    await night(id, lookAt(start + 2 * day, 3, { caption: 'new', coverUrl: 'https://cdn.example/1?sign=c' }));
    const video = await find(id);
    expect((await samples(id)).map(({ at }) => captionAt(video, at))).toEqual(['old', 'old', 'new']);
    expect(video.meta).toMatchObject({ caption: 'new', coverUrl: 'https://cdn.example/1?sign=c' });
  });

  it('keeps a hundred former captions of a video whose caption always changes', async () => {
    const { add, night, find } = watched(testLedger());
    const id = await add('1');
    for (let index = 0; index <= 101; index += 1)
      await night(id, lookAt(start + index * day, index, { caption: `${index}` }));
    const { captions } = await find(id);
    expect([captions.length, captions[0], captions.at(-1)]).toEqual([
      100,
      [start + day, '1'],
      [start + 100 * day, '100'],
    ]);
  });

  it('keeps what the service did not tell this time, and takes what is new', async () => {
    const { add, night, find } = watched(testLedger());
    const id = await add('1');
    const told = {
      videoId: 'v1',
      author: 'anna',
      caption: 'A',
      coverUrl: 'https://cdn.example/1',
      releasedAt: start - day,
    };
    await night(id, { at: start, figures: [1], meta: told });
    await night(id, { at: start + day, figures: [2], meta: {} });
    expect((await find(id)).meta).toEqual(told);
    await night(id, { at: start + 2 * day, figures: [3], meta: { author: 'ben' } });
    expect((await find(id)).meta).toEqual({ ...told, author: 'ben' });
  });

  it('measures growth against the newest sample that is old enough, with half a day of tolerance', async () => {
    const { add, night, find } = watched(testLedger());
    const id = await add('1');
    // Nights that are minutes early or late, and one that was missed.
    const nights = Array.from({ length: 45 }, (_, index) => index).filter((index) => index !== 37);
    for (const index of nights) {
      await night(id, lookAt(start + index * day + ((index * 7) % 11) * 60 - 300, index * 1000));
    }
    const before = (await find(id)).summary?.before;
    // The 44th is the latest: 43, then 36 as the night of the 37th is missing, then 14.
    expect(before?.map((snapshot) => snapshot?.counts[0])).toEqual([43_000, 36_000, 14_000]);
  });

  it('counts as a day older up to half a day early', async () => {
    const { add, night, find } = watched(testLedger());
    const id = await add('1');
    await night(id, lookAt(start, 100));
    await night(id, lookAt(start + day / 2 - 1, 200));
    expect((await find(id)).summary?.before[0]).toBeUndefined();
    await night(id, lookAt(start + day / 2, 300));
    expect((await find(id)).summary?.before[0]?.counts[0]).toBe(100);
  });

  it('drops what is too old, to the sample, and keeps the latest figures', async () => {
    const { add, night, samples, find, trim } = watched(testLedger());
    const id = await add('1');
    for (let index = 0; index < 50; index += 1) await night(id, lookAt(start + index * day, index));
    const all = await samples(id);
    await trim(id, start + 40 * day);
    expect(await samples(id)).toEqual(all.slice(40));
    expect(await find(id)).toMatchObject({ samples: 10, firstAt: start + 40 * day });
    const { summary } = await find(id);
    await trim(id, start + 100 * day);
    expect(await find(id)).toMatchObject({ samples: 0, firstAt: undefined, summary });
    await night(id, lookAt(start + 101 * day, 101));
    expect(await find(id)).toMatchObject({ samples: 1, firstAt: start + 101 * day });
  });

  it('reads only from a time on', async () => {
    const { add, night, samples } = watched(testLedger());
    const id = await add('1');
    for (let index = 0; index < 70; index += 1) await night(id, lookAt(start + index * day, index));
    const times = (await samples(id, start + 66 * day)).map(({ at }) => (at - start) / day);
    expect(times.slice(-4)).toEqual([66, 67, 68, 69]);
    expect(times.length).toBeLessThan(70);
  });

  it('takes at most 80 bytes of Redis a sample over a year of nights, with everything', async () => {
    const test = testLedger();
    const { add, find, night } = watched(test);
    const id = await add('7350000000000000001');
    let views = 1_000_000;
    for (let index = 0; index < 365; index += 1) {
      views += 200_000 + ((index * 7919) % 100_000);
      const meta = {
        caption: `Caption ${Math.floor(index / 90)} ${'x'.repeat(150)}`,
        coverUrl: `https://cdn.example/${'y'.repeat(200)}?${index}`,
      };
      await night(id, lookAt(start + index * day + ((index * 31) % 600), views, meta));
    }
    expect((await find(id)).samples).toBe(365);
    const keys = (await keysOf(test.redis, test.prefix)).filter((key) => !key.includes(':scrape'));
    let bytes = 0;
    for (const key of keys) bytes += Number(await test.redis.memory('USAGE', key, 'SAMPLES', '0'));
    expect(bytes / 365).toBeLessThanOrEqual(80);
  });
});

it('a video that is gone stays so while later look-ups fail', async () => {
  const { add, find } = watched(testLedger());
  const video = await find(await add('1'));
  const failure = { code: 'server_error', message: 'HTTP 500', at: 0 };
  const gone = { answers: 1, since: 0, askAgainAt: 0 };
  expect([stateOf(video), stateOf({ ...video, failure }), stateOf({ ...video, failure, gone })]).toEqual([
    'new',
    'failing',
    'gone',
  ]);
});
