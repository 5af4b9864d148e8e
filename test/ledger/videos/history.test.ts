import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { chunksNeeded } from '../../../src/ledger/videos/growth.ts';
import { type Look, nextSample, oldChunks, trimHistory } from '../../../src/ledger/videos/next-sample.ts';
import type { Sample } from '../../../src/ledger/videos/sample.ts';
import type { WatchedVideo } from '../../../src/ledger/videos/video.ts';
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
    await list.add([
      { id, facts: { url: read.url, account: 'default', creator: 'anna', campaign: 'c1', key: name } },
    ]);
    return id;
  }
  async function find(id: string): Promise<WatchedVideo> {
    const [video] = await list.read([id]);
    if (!video) throw new Error(`no video ${id}`);
    return video;
  }
  async function append(run: number, id: string, look: Look, video?: WatchedVideo) {
    const read = video ?? (await find(id));
    const [chunks = new Map()] = await history.chunks([{ id, starts: chunksNeeded(read, look.at) }]);
    const [written] = await history.append(run, [{ video: read, next: nextSample(read, chunks, look) }]);
    return written;
  }
  /** One scrape that looks up one video. */
  async function night(id: string, look: Look) {
    const { run } = await scrapes.start('manual');
    const written = await append(run, id, look);
    await scrapes.stop(run, { code: 'test', message: '' });
    return written;
  }
  const samples = async (id: string, from?: number): Promise<readonly Sample[]> => {
    const [found = []] = await history.samples([await find(id)], from);
    return [...found];
  };
  async function trim(id: string, cutoff: number): Promise<boolean> {
    const video = await find(id);
    const [chunks = new Map()] = await history.chunks([{ id, starts: oldChunks(video, cutoff) }]);
    const trimmed = trimHistory(video, chunks, cutoff);
    return trimmed !== undefined && history.trim(video, trimmed);
  }
  return { add, find, append, night, samples, trim, list, history, scrapes };
}

function lookAt(at: number, views: number, more: Partial<Look['meta']> = {}): Look {
  return {
    at,
    counts: [views, ...[10, 100, 200, 150].map((part) => Math.floor(views / part))],
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

  it('takes only a sample that was made of what it is now, and of the scrape that runs', async () => {
    const { add, append, find, night, samples, scrapes } = watched(testLedger());
    const id = await add('1');
    const stale = await find(id);
    await night(id, lookAt(start, 100));
    const { run } = await scrapes.start('manual');
    expect(await append(run, id, lookAt(start + day, 200), stale)).toBe('changed');
    await scrapes.stop(run, { code: 'test', message: '' });
    expect(await append(run, id, lookAt(start + day, 200))).toBe('ended');
    expect(await samples(id)).toHaveLength(1);
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

  it('keeps every digit, marks a counter that falls, and what the service did not tell', async () => {
    const { add, night, samples, find } = watched(testLedger());
    const id = await add('1');
    const huge = 2n ** 70n + 1n;
    await night(id, { at: start, counts: [huge, 10, 5, undefined, 0], meta: {} });
    await night(id, { at: start + day, counts: [huge - 1n, 11, undefined, 7, 0], meta: {} });
    await night(id, { at: start + 2 * day, counts: [huge, 11, 4, 7, 0], meta: {} });
    const [, second, third] = await samples(id);
    expect(second).toMatchObject({
      counts: [huge - 1n, 11, undefined, 7, 0],
      fell: [true, false, false, false, false],
    });
    expect(third).toMatchObject({
      counts: [huge, 11, 4, 7, 0],
      fell: [false, false, true, false, false],
    });
    expect((await find(id)).summary?.latest.counts[0]).toBe(huge);
  });

  it('keeps a caption when it changes, and of the cover only the latest', async () => {
    const { add, night, samples, find } = watched(testLedger());
    const id = await add('1');
    await night(id, lookAt(start, 1, { caption: 'old', coverUrl: 'https://cdn.example/1?sign=a' }));
    await night(id, lookAt(start + day, 2, { caption: 'old', coverUrl: 'https://cdn.example/1?sign=b' }));
    await night(id, lookAt(start + 2 * day, 3, { caption: 'new', coverUrl: 'https://cdn.example/1?sign=c' }));
    expect((await samples(id)).map(({ caption }) => caption)).toEqual(['old', 'old', 'new']);
    expect((await find(id)).meta).toMatchObject({ caption: 'new', coverUrl: 'https://cdn.example/1?sign=c' });
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

  it('drops what is too old, to the sample', async () => {
    const { add, night, samples, find, trim } = watched(testLedger());
    const id = await add('1');
    for (let index = 0; index < 70; index += 1) await night(id, lookAt(start + index * day, index));
    const all = await samples(id);
    expect(await trim(id, start + 40 * day)).toBe(true);
    expect(await samples(id)).toEqual(all.slice(40));
    expect((await find(id)).summary).toMatchObject({ samples: 30, firstAt: start + 40 * day });
    expect(await trim(id, start + 40 * day)).toBe(false);
    await night(id, lookAt(start + 70 * day, 70));
    expect((await samples(id)).map(({ counts: [views] }) => views)).toEqual([
      ...all.slice(40).map(({ counts: [views] }) => views),
      70,
    ]);
    // All of it.
    await trim(id, start + 100 * day);
    expect(await samples(id)).toEqual([]);
    await night(id, lookAt(start + 101 * day, 101));
    expect(await samples(id)).toMatchObject([{ at: start + 101 * day }]);
    expect((await find(id)).summary).toMatchObject({ samples: 1, firstAt: start + 101 * day });
  });

  it('reads only from a time on', async () => {
    const { add, night, samples } = watched(testLedger());
    const id = await add('1');
    for (let index = 0; index < 70; index += 1) await night(id, lookAt(start + index * day, index));
    expect((await samples(id, start + 66 * day)).map(({ counts: [views] }) => views)).toEqual([
      66, 67, 68, 69,
    ]);
  });

  it('takes at most 60 bytes of Redis a sample over a year of nights, with everything', {
    timeout: 60_000,
  }, async () => {
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
    expect((await find(id)).summary?.samples).toBe(365);
    const keys = (await keysOf(test.redis, test.prefix)).filter((key) => !key.includes(':scrape'));
    let bytes = 0;
    for (const key of keys) bytes += Number(await test.redis.memory('USAGE', key, 'SAMPLES', '0'));
    expect(bytes / 365).toBeLessThanOrEqual(60);
  });
});
