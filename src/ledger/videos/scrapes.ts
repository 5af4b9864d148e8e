/** Scrapes: each looks up all videos of the list, or of a campaign, once. The record of a scrape has its progress and its result. */
import { z } from 'zod';
import { LedgerPart, pairs } from '../ledger-part.ts';
import { readStored } from '../stored-json.ts';
import { parseVideo, storedFailure, type VideoFields, type WatchedVideo } from './video.ts';

const storedReason = z.object({ code: z.string(), message: z.string(), fix: z.string().optional() });
export type StopReason = Readonly<z.infer<typeof storedReason>>;

/** One pass that looks up all videos: how far it is, or how it ended. */
export interface Scrape {
  readonly run: number;
  /** `stopped`: it could not go on. */
  readonly state: 'running' | 'ended' | 'stopped';
  readonly kind: 'manual' | 'scheduled';
  /** Undefined: the whole list. */
  readonly campaign: string | undefined;
  /** Unix epoch, milliseconds. */
  readonly startedAt: number;
  readonly endedAt: number | undefined;
  /** Videos on the list at its start. */
  readonly total: number;
  /** Videos with a new sample. */
  readonly done: number;
  readonly failed: number;
  readonly gone: number;
  /** Gone videos that were not looked up. */
  readonly skipped: number;
  /** Scheduled scrapes that were skipped because this one was still running. */
  readonly overlaps: number;
  readonly reason: StopReason | undefined;
}

/** Videos of a scrape that one job looks up: those with numbers from `from` to `to`. */
interface ScrapePart {
  readonly from: number;
  readonly to: number;
}

/** Parts that were just taken. `hasEnded`: there was nothing left to do, and the scrape ended. */
export interface TakenParts {
  readonly parts: readonly ScrapePart[];
  readonly hasEnded: boolean;
}

/** Videos that failed for the same reason. */
export interface ScrapeCause {
  readonly code: string;
  readonly videos: number;
  /** Message of the first video. */
  readonly message: string;
  readonly fix: string | undefined;
  /** URLs of the first few. */
  readonly examples: readonly string[];
}

export const videosPerPart = 100;
/** Parts in the queue at once: ten thousand videos. */
const partsAtOnce = 100;
const keptRecords = 100;

export class ScrapeLedger extends LedgerPart {
  /** @param options.origin id of the job, which may start it twice after a crash. @returns its number, or that of the running one. */
  async start(
    kind: Scrape['kind'],
    { campaign = '', origin = '' }: { campaign?: string | undefined; origin?: string | undefined } = {},
  ): Promise<{ readonly run: number; readonly isNew: boolean }> {
    const args = [kind, campaign, this.clock, keptRecords, origin];
    const [run, isNew] = await this.run<string[]>('videos/start-scrape', args);
    return { run: Number(run), isNew: isNew === '1' };
  }

  /** Takes the next parts, as many as the window has room for. */
  takeParts(run: number): Promise<TakenParts> {
    return this.finishPart(run, '', 0);
  }

  /** Parts that were taken and are not done. */
  async openParts(run: number): Promise<readonly ScrapePart[]> {
    const open = await this.redis.hgetall(this.keys.openParts(run));
    return Object.entries(open).map(([from, to]) => ({ from: Number(from), to: Number(to) }));
  }

  /** A scrape, and the videos of a part of it: none if it does not run. @returns undefined if there is no such scrape. */
  async readPart(
    run: number,
    { from, to }: ScrapePart,
  ): Promise<{ readonly scrape: Scrape; readonly videos: readonly WatchedVideo[] } | undefined> {
    type Reply = readonly [record: readonly string[], ids: readonly string[], fields: readonly VideoFields[]];
    const [record, ids, fields] = await this.run<Reply>('videos/read-part', [run, from, to]);
    if (record.length === 0) return undefined;
    const found = Object.fromEntries(pairs(record));
    const videos = ids.flatMap((id, index) => parseVideo(id, fields[index] ?? []) ?? []);
    return { scrape: parseScrape(run, found), videos };
  }

  /** Ends a part, and takes the next ones. @param skipped number of videos that were not looked up. */
  async finishPart(run: number, from: number | '', skipped: number): Promise<TakenParts> {
    const args = [run, from, skipped, partsAtOnce, videosPerPart, this.clock];
    const [ended, ...flat] = await this.run<string[]>('videos/finish-part', args);
    const parts = Array.from(pairs(flat), ([from, to]) => ({ from: Number(from), to: Number(to) }));
    return { parts, hasEnded: ended === '1' };
  }

  /** @returns false if it does not run. */
  async stop(run: number, reason: StopReason): Promise<boolean> {
    return (await this.run('videos/stop-scrape', [run, JSON.stringify(reason), this.clock])) === 1;
  }

  async find(run: number): Promise<Scrape | undefined> {
    const fields: Record<string, string> = await this.redis.hgetall(this.keys.scrape(run));
    return fields.state === undefined ? undefined : parseScrape(run, fields);
  }

  async running(): Promise<Scrape | undefined> {
    const run = await this.redis.get(this.keys.runningScrape);
    return run === null ? undefined : this.find(Number(run));
  }

  /** The last scrapes, newest first. */
  async list(count: number): Promise<readonly Scrape[]> {
    const runs = await this.redis.zrevrange(this.keys.scrapes, '0', String(count - 1));
    const found = await Promise.all(runs.map((run) => this.find(Number(run))));
    return found.filter((scrape) => scrape !== undefined);
  }

  /** Why videos failed, the reason with the most videos first. */
  async causes(run: number): Promise<readonly ScrapeCause[]> {
    const fields = await this.redis.hgetall(this.keys.scrapeCauses(run));
    const codes = Object.keys(fields).flatMap((name) => (name.startsWith('n:') ? [name.slice(2)] : []));
    return codes
      .map((code): ScrapeCause => {
        const { message = '', fix } = readStored(storedFailure, fields[`e:${code}`]) ?? {};
        const examples = (fields[`x:${code}`] ?? '').split('\n');
        return { code, videos: Number(fields[`n:${code}`]), message, fix, examples };
      })
      .sort((one, other) => other.videos - one.videos);
  }
}

function parseScrape(run: number, fields: Readonly<Record<string, string>>): Scrape {
  const number = (name: string) => Number(fields[name] ?? 0);
  return {
    run,
    state: fields.state as Scrape['state'],
    kind: fields.kind as Scrape['kind'],
    campaign: fields.campaign || undefined,
    startedAt: number('started'),
    endedAt: fields.ended === undefined ? undefined : Number(fields.ended),
    total: number('total'),
    done: number('done'),
    failed: number('failed'),
    gone: number('gone'),
    skipped: number('skipped'),
    overlaps: number('overlaps'),
    reason: readStored(storedReason, fields.reason),
  };
}
