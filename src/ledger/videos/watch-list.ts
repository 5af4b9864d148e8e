/** The watch list: the videos to look up, with their campaigns and rows. */
import { defined } from '../../manifest/defined.ts';
import type { RowIndex } from '../../manifest/row.ts';
import type { ScriptArgument } from '../../platform/redis/script.ts';
import { chunkSize } from '../keys.ts';
import { batches, LedgerPart } from '../ledger-part.ts';
import { readStored } from '../stored-json.ts';
import {
  parseVideo,
  storedFacts,
  type VideoFacts,
  type VideoFields,
  videosAtOnce,
  type WatchedVideo,
} from './video.ts';

export interface NewVideo {
  readonly id: string;
  readonly facts: Omit<VideoFacts, 'addedAt'>;
}

export interface AddedVideos {
  readonly added: number;
  /** On the list already. */
  readonly known: number;
}

/** Most attempts. An attempt fails only if another process has just changed one of the videos. */
const mostTries = 20;

/** Videos in the order of addition. */
export interface VideoPage {
  readonly videos: readonly WatchedVideo[];
  /** Number of the last one; undefined at the end. */
  readonly last: number | undefined;
}

/** Stays the same until data of the list changes. */
export interface ListStamp {
  /** Changes of the list by imports and removals. */
  readonly changes: string;
  /** The last scrape and its progress. */
  readonly scrapes: string;
}

export class WatchList extends LedgerPart {
  /** How many videos are on the list, or belong to a campaign. */
  size(campaign?: string): Promise<number> {
    return this.redis.zcard(this.keys.videos(campaign));
  }

  async stamp(): Promise<ListStamp> {
    const [changes, last] = await this.redis.mget(this.keys.videoChanges, this.keys.lastScrape);
    const fields = ['state', 'done', 'gone', 'failed'] as const;
    const record = last ? await this.redis.hmget(this.keys.scrape(Number(last)), ...fields) : [];
    return { changes: changes ?? '0', scrapes: [last ?? '', ...record].join(' ') };
  }

  /** Adds videos. New facts of a known video replace its former ones; facts that are not given stay. */
  async add(videos: readonly NewVideo[]): Promise<AddedVideos> {
    const counts = { added: 0, known: 0 };
    for (const batch of batches(videos, videosAtOnce)) {
      let open = [...new Map(batch.map((video) => [video.id, video])).values()];
      for (let tries = 0; open.length > 0; tries += 1) {
        if (tries === mostTries) throw new Error('the watch list changes too fast');
        const replies = await this.#addOnce(open);
        for (const reply of replies) if (reply !== 'changed') counts[reply] += 1;
        open = open.filter((_video, index) => replies[index] === 'changed');
      }
    }
    return counts;
  }

  /** @returns whether it was on the list. */
  async remove(id: string): Promise<boolean> {
    const [video] = await this.read([id]);
    if (!video) return false;
    const { campaign = '', key = '' } = video.facts;
    return (await this.run('videos/remove-video', [id, campaign, key])) === 1;
  }

  /** Videos without their history, in the order of the ids; undefined for one that is not on the list. */
  async read(ids: readonly string[]): Promise<readonly (WatchedVideo | undefined)[]> {
    const reading = Array.from(batches(ids, videosAtOnce), (batch) =>
      this.run<readonly VideoFields[]>('videos/read-videos', batch),
    );
    const found = (await Promise.all(reading)).flat();
    return ids.map((id, index) => parseVideo(id, found[index] ?? []));
  }

  /** All videos in the order of addition, or those of a campaign, in parts. The next part is read while one is worked on. */
  async *all(campaign?: string, atOnce = videosAtOnce): AsyncGenerator<readonly WatchedVideo[]> {
    let next: Promise<VideoPage> | undefined = this.page(campaign, 0, atOnce);
    while (next) {
      const { videos, last }: VideoPage = await next;
      next = last === undefined ? undefined : this.page(campaign, last, atOnce);
      // The caller may stop before it asks for the next part.
      next?.catch(() => undefined);
      yield videos;
    }
  }

  /** The next videos after the one with a number, 0 for the first. @param limit also counts those that cannot be read. */
  async page(campaign: string | undefined, after: number, limit: number): Promise<VideoPage> {
    const key = this.keys.videos(campaign);
    const flat = await this.redis.zrangebyscore(key, `(${after}`, '+inf', 'WITHSCORES', 'LIMIT', 0, limit);
    const found = await this.read(flat.filter((_entry, index) => index % 2 === 0));
    const last = flat.length < 2 * limit ? undefined : Number(flat.at(-1));
    return { videos: found.filter((video) => video !== undefined), last };
  }

  /** One video, as `all` yields it. */
  async *only(id: string): AsyncGenerator<readonly WatchedVideo[]> {
    yield (await this.read([id])).filter((video) => video !== undefined);
  }

  /** Ids of the videos of these rows of a campaign; undefined for a row without one. */
  async ofRows(campaign: string, keys: readonly string[]): Promise<readonly (string | undefined)[]> {
    if (keys.length === 0) return [];
    const ids = await this.redis.hmget(this.keys.videosByRow(campaign), ...keys);
    return ids.map((id) => id ?? undefined);
  }

  /** Whether each row of a chunk has its public URL on the watch list, by its place in the chunk. */
  async rowsWithUrl(campaign: string, chunk: number): Promise<(index: number) => boolean> {
    const first = chunk * chunkSize;
    const [from, to] = [Math.floor(first / 8), Math.floor((first + chunkSize) / 8)];
    const bytes = await this.redis.getrangeBuffer(this.keys.videoRows(campaign), from, to);
    return (index) => {
      const bit = (first % 8) + index;
      return ((bytes[Math.floor(bit / 8)] ?? 0) & (128 >> (bit % 8))) > 0;
    };
  }

  /** Notes whether rows have their public URL on the watch list. */
  async noteUrls(campaign: string, rows: readonly RowIndex[], hasUrl: boolean): Promise<void> {
    if (rows.length === 0) return;
    const pipeline = this.redis.pipeline();
    for (const row of rows) pipeline.setbit(this.keys.videoRows(campaign), row, hasUrl ? 1 : 0);
    await this.exec(pipeline);
  }

  async #addOnce(videos: readonly NewVideo[]): Promise<readonly ('added' | 'known' | 'changed')[]> {
    const pipeline = this.redis.pipeline();
    for (const { id } of videos) pipeline.hget(this.keys.video(id), 'f');
    const found = (await pipeline.exec()) ?? [];
    const args: ScriptArgument[] = [];
    videos.forEach(({ id, facts }, index) => {
      const [error, text] = found[index] ?? [null, null];
      if (error) throw error;
      const before = typeof text === 'string' ? readStored(storedFacts, text) : undefined;
      const merged = { addedAt: this.now(), ...(before && staying(before, facts)), ...defined(facts) };
      args.push(id, typeof text === 'string' ? text : '', JSON.stringify(merged));
      args.push(before?.campaign ?? '', before?.key ?? '', merged.campaign ?? '', merged.key ?? '');
    });
    return this.run('videos/add-videos', args);
  }
}

/**
 * What stays of a video's facts beneath new ones. A video that comes into another campaign leaves its row: the same key names
 * another row there, with a creator and product of its own.
 */
function staying(before: VideoFacts, { campaign }: NewVideo['facts']): VideoFacts {
  if (campaign === undefined || campaign === before.campaign) return before;
  const { key: _key, ...rest } = before;
  if (before.campaign === undefined) return rest;
  const { creator: _creator, product: _product, ...own } = rest;
  return own;
}
