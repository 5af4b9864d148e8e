/** Videos of the watch list in tests: added without a sheet, and scraped by a runner's workers. */
import type { Scrape } from '../../src/ledger/videos/scrapes.ts';
import type { VideoFacts, WatchedVideo } from '../../src/ledger/videos/video.ts';
import { readVideoUrl, videoIdOf } from '../../src/manifest/cells/video-url.ts';
import type { TestRunner } from './in-process.ts';

export function videoUrl(name: string): string {
  return `https://video.example/@anna/video/${name}`;
}

export function idOf(url: string): string {
  const read = readVideoUrl(url);
  if (!('url' in read)) throw new Error(`${url}: ${read.fault}`);
  return videoIdOf(read.url);
}

type Videos = Pick<TestRunner, 'ledger'>;

/** @returns the ids, in order. */
export async function addVideos(
  { ledger }: Videos,
  urls: readonly string[],
  facts: Partial<VideoFacts> = {},
): Promise<readonly string[]> {
  const videos = urls.map((url) => ({ id: idOf(url), facts: { url, ...facts } }));
  await ledger.videos.list.add(videos);
  return videos.map(({ id }) => id);
}

export async function readVideo({ ledger }: Videos, url: string): Promise<WatchedVideo> {
  const [video] = await ledger.videos.list.read([idOf(url)]);
  if (!video) throw new Error(`${url} is not on the list`);
  return video;
}

/** Starts a scrape. The workers of a runner work it off. @returns its number. */
export async function startScrape(
  { ledger, queues }: Pick<TestRunner, 'ledger' | 'queues'>,
  kind: Scrape['kind'] = 'manual',
  campaign?: string,
): Promise<number> {
  const { run } = await ledger.videos.scrapes.start(kind, { campaign });
  await (await queues.scrapes()).wake(run);
  return run;
}

/** Waits for the end of a scrape. */
export function scrapeEnded(
  { ledger, until }: Pick<TestRunner, 'ledger' | 'until'>,
  run: number,
): Promise<Scrape> {
  return until(async () => {
    const scrape = await ledger.videos.scrapes.find(run);
    return scrape?.state !== 'running' && scrape;
  }, `scrape ${run} to end`) as Promise<Scrape>;
}

/** Scrapes everything, with workers that run already. */
export async function scrape(runner: TestRunner, kind: Scrape['kind'] = 'manual'): Promise<Scrape> {
  return scrapeEnded(runner, await startScrape(runner, kind));
}
