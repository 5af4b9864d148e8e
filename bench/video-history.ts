/** Fills a ledger with videos and nights, as scrapes would, but quickly. */
import type { Redis } from 'ioredis';
import type { Ledger } from '../src/ledger/ledger.ts';
import { keptDays, limitOf } from '../src/ledger/videos/growth.ts';
import {
  knownAfter,
  noneKnown,
  packChunk,
  type Sample,
  samplesPerChunk,
} from '../src/ledger/videos/sample.ts';
import { packSummary } from '../src/ledger/videos/summary.ts';
import { chunkField, packStarts } from '../src/ledger/videos/video.ts';
import { videoIdOf } from '../src/manifest/cells/video-url.ts';

const day = 86_400;
const firstNight = Date.UTC(2026, 0, 1, 2) / 1000;
const atOnce = 500;
const noFall = [false, false, false, false, false];

export function benchUrl(index: number): string {
  return `https://video.example/@creator_${index % 50}/video/73${String(index).padStart(17, '0')}`;
}

/** @returns the time of the last night: Unix epoch, milliseconds. */
export async function fillVideos(
  redis: Redis,
  { videos }: Ledger,
  prefix: string,
  { count, nights }: { readonly count: number; readonly nights: number },
): Promise<number> {
  for (let start = 0; start < count; start += atOnce) {
    const some = Array.from({ length: Math.min(atOnce, count - start) }, (_, index) => start + index);
    await videos.list.add(
      some.map((index) => {
        const url = benchUrl(index);
        const facts = {
          url,
          account: 'default',
          creator: `creator_${index % 50}`,
          product: `p${index % 20}`,
        };
        return { id: videoIdOf(url), facts };
      }),
    );
    if (nights === 0) continue;
    const pipeline = redis.pipeline();
    for (const index of some) {
      pipeline.hset(`${prefix}:v:${videoIdOf(benchUrl(index))}`, historyOf(index, nights));
    }
    await pipeline.exec();
  }
  return (firstNight + Math.max(0, nights - 1) * day) * 1000;
}

function historyOf(index: number, nights: number): Record<string, string | Buffer> {
  const samples: Sample[] = [];
  let views = BigInt(1000 + ((index * 7919) % 1_000_000));
  for (let night = 0; night < nights; night += 1) {
    views += BigInt(50 + ((index * 31 + night * 101) % 20_000));
    samples.push({
      at: firstNight + night * day + ((index * 13 + night * 7) % 900),
      counts: [views, views / 12n, views / 150n, views / 90n, views / 60n],
      caption: `A caption of the video ${index} with #tags and a few more words`,
      fell: noFall,
    });
  }
  const fields: Record<string, string | Buffer> = {};
  const starts: number[] = [];
  for (let start = 0; start < samples.length; start += samplesPerChunk) {
    const chunk = samples.slice(start, start + samplesPerChunk);
    const at = chunk[0]?.at ?? 0;
    starts.push(at);
    fields[chunkField(at)] = packChunk(chunk);
  }
  const latest = samples.at(-1);
  if (!latest) return fields;
  fields.c = packStarts(starts);
  fields.v = String(nights);
  fields.r = '0';
  fields.m = JSON.stringify({
    videoId: `73${index}`,
    author: `creator_${index % 50}`,
    coverUrl: `https://cdn.example/cover/${index}.jpeg?x-expires=1780000000&x-signature=${'a'.repeat(28)}`,
    caption: latest.caption,
    releasedAt: firstNight - day,
  });
  fields.s = packSummary({
    latest: { at: latest.at, counts: latest.counts },
    known: knownAfter(noneKnown, latest.counts),
    before: keptDays.map((days) => samples.findLast(({ at }) => at <= limitOf(latest.at, days))),
    samples: nights,
    inChunk: samples.length % samplesPerChunk || samplesPerChunk,
    firstAt: samples[0]?.at ?? 0,
    releasedAt: firstNight - day,
  });
  return fields;
}
