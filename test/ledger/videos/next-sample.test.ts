import { describe, expect, it } from 'vitest';
import { chunksNeeded } from '../../../src/ledger/videos/growth.ts';
import { type Look, nextSample, oldChunks, trimHistory } from '../../../src/ledger/videos/next-sample.ts';
import { readChunk, samplesPerChunk } from '../../../src/ledger/videos/sample.ts';
import { readSummary } from '../../../src/ledger/videos/summary.ts';
import { stateOf, type WatchedVideo } from '../../../src/ledger/videos/video.ts';

const day = 86_400;
const start = Date.UTC(2026, 0, 1, 2) / 1000;
const halfDay = 43_200;

/** A video whose history is in memory, written as the scripts of the ledger write it. */
function remembered() {
  const chunks = new Map<number, Buffer>();
  let video: WatchedVideo = {
    id: 'v',
    version: 0,
    facts: { url: 'https://video.example/1', account: 'default', addedAt: 0 },
    scrape: 0,
    meta: {},
    summary: undefined,
    chunks: [],
    failure: undefined,
    gone: undefined,
  };
  const take = (summary: Buffer, changed: Partial<WatchedVideo>) => {
    video = { ...video, ...changed, summary: readSummary(summary) };
  };
  return {
    video: () => video,
    samples: () => video.chunks.flatMap((from) => [...readChunk(chunks.get(from) ?? Buffer.alloc(1))]),
    look(at: number, views: number, meta: Look['meta'] = {}) {
      const next = nextSample(video, chunks, { at, counts: [views, 0, 0, 0, 0], meta });
      const before = (next.chunks ? undefined : chunks.get(next.start)) ?? Buffer.alloc(1);
      const count = (before[0] ?? 0) + 1;
      chunks.set(next.start, Buffer.concat([Buffer.of(count), before.subarray(1), next.record]));
      take(next.summary, { chunks: next.chunks ?? video.chunks, meta: next.meta ?? video.meta });
      return next;
    },
    trim(cutoff: number) {
      for (const from of oldChunks(video, cutoff)) expect(chunks.has(from)).toBe(true);
      const trimmed = trimHistory(video, chunks, cutoff);
      if (!trimmed) return;
      for (const from of trimmed.removed) chunks.delete(from);
      if (trimmed.rest) chunks.set(trimmed.rest.start, trimmed.rest.chunk);
      take(trimmed.summary, { chunks: trimmed.chunks });
    },
  };
}

describe('the next sample of a video', () => {
  it('is complete where it begins a chunk, with a caption that has not changed', () => {
    const { look, samples, video } = remembered();
    for (let night = 0; night <= samplesPerChunk; night += 1)
      look(start + night * day, night, { caption: 'A' });
    expect(video().chunks).toEqual([start, start + samplesPerChunk * day]);
    expect(samples().map(({ caption }) => caption)).toEqual(Array(samplesPerChunk + 1).fill('A'));
  });

  it('keeps the time of the one before where a clock is behind', () => {
    const { look, samples } = remembered();
    look(start, 1);
    look(start - 60, 2);
    expect(samples().map(({ at }) => at)).toEqual([start, start]);
  });

  it('begins no second chunk in the same second, by which chunks are named', () => {
    const { look, samples, video } = remembered();
    for (let each = 0; each <= samplesPerChunk; each += 1) look(start, each);
    expect(video().chunks).toEqual([start]);
    expect(samples()).toHaveLength(samplesPerChunk + 1);
    look(start + day, 0);
    expect(video().chunks).toEqual([start, start + day]);
  });

  it('stays, when a trim leaves of the chunk before only what is of the second that its chunk begins in', () => {
    const { look, trim, samples, video } = remembered();
    const behind = start + (samplesPerChunk - 1) * day;
    for (let night = 0; night < samplesPerChunk; night += 1) look(start + night * day, night);
    for (let night = 0; night < 3; night += 1) look(behind - 60, samplesPerChunk + night);
    expect(video().chunks).toEqual([start, behind]);
    trim(behind);
    expect(video().chunks).toEqual([behind]);
    expect(samples().map(({ counts: [views] }) => views)).toEqual([32, 33, 34]);
    expect(video().summary).toMatchObject({ samples: 3, inChunk: 3, firstAt: behind });
  });

  it('counts as a day older up to half a day early, and needs no chunk for its latest sample', () => {
    const { look, video } = remembered();
    look(start, 100);
    expect(chunksNeeded(video(), start + halfDay)).toEqual([]);
    look(start + halfDay - 1, 200);
    expect(video().summary?.before[0]).toBeUndefined();
    look(start + halfDay, 300);
    expect(video().summary?.before[0]?.counts[0]).toBe(100);
    expect(chunksNeeded(video(), start + day - 1)).toEqual([start]);
  });

  it('keeps what the service did not tell this time, and stores what changed', () => {
    const { look, video } = remembered();
    const told = {
      videoId: 'v1',
      author: 'anna',
      caption: 'A',
      coverUrl: 'https://cdn.example/1',
      releasedAt: start - day,
    };
    look(start, 1, told);
    expect(look(start + day, 2).meta).toBeUndefined();
    expect(video().meta).toEqual(told);
    expect(video().summary?.releasedAt).toBe(start - day);
    for (const changed of [
      { videoId: 'v2' },
      { author: 'ben' },
      { caption: 'B' },
      { coverUrl: 'https://cdn.example/2' },
      { releasedAt: start - 2 * day },
    ]) {
      expect(look(start + 2 * day, 3, changed).meta).toMatchObject(changed);
    }
  });

  it('goes into what a trim has left, until that chunk is full', () => {
    const { look, trim, samples, video } = remembered();
    for (let night = 0; night < samplesPerChunk; night += 1) look(start + night * day, night);
    trim(start + 12 * day);
    expect(video().summary).toMatchObject({ samples: 20, inChunk: 20, firstAt: start + 12 * day });
    for (let night = 0; night < 13; night += 1) look(start + (samplesPerChunk + night) * day, night);
    expect(video().chunks).toEqual([start + 12 * day, start + (samplesPerChunk + 12) * day]);
    expect(samples()).toHaveLength(33);
  });
});

it('a video that is gone stays so while later look-ups fail', () => {
  const failure = { code: 'server_error', message: 'HTTP 500', at: 0 };
  const gone = { answers: 1, since: 0, askAgainAt: 0 };
  const video = remembered().video();
  expect([stateOf(video), stateOf({ ...video, failure }), stateOf({ ...video, failure, gone })]).toEqual([
    'new',
    'failing',
    'gone',
  ]);
});
