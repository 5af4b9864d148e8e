/**
 * The index of planned posts: which rows of all campaigns are one post, to tell a planner that a row is posted already or will be.
 *
 * A row has two hashes, without its time and with it. They are truncated: whoever finds a row compares it with the row that it has.
 * The state of a row is not stored: it is read when a row is found. So a post costs nothing here.
 *
 * A row takes eleven bytes in one of the 4,096 byte strings of the year of its import (`lua/planned-posts/planned-posts.lua`). They are kept for
 * `keptMs` after the end of the year, even if the campaign is deleted: `deleted` then knows which of its rows were posted, and when.
 */
import type { ScriptArgument } from '../../redis/script.ts';
import { chunkSize } from '../keys.ts';
import { type LedgerContext, LedgerPart } from '../part.ts';
import { parts } from '../parts.ts';
import { lineOf } from '../rows/stored-rows.ts';

/** Bytes of an identity: number of the bucket (2), hash of the post without its time (4), with it (3). */
export const identityBytes = 9;
export const bucketCount = 4096;

/** How long posts are remembered, at the least. */
export const usualKeptMs = 366 * 24 * 3_600_000;
const dayMs = 24 * 3_600_000;
/** Of rows of one chunk: places in a block. */
const blockSize = 512;
const lookedUpAtOnce = 500;

/** A row that may be the same post. */
export interface FoundPost {
  readonly campaign: string;
  /** Position in the campaign, from 0. */
  readonly row: number;
  /** Whether its time is the same too. */
  readonly isSameTime: boolean;
}

/** Chunks of a campaign that entries of the index name by numbers of their own. */
export interface PostBlocks {
  readonly first: number;
  readonly chunk: number;
  readonly count: number;
}

/** Where posts are added: the segment of this year, and how long it is kept from now on, in milliseconds. */
export interface PostSegment {
  readonly name: string;
  readonly keptMs: number;
}

/** The post of a row of a chunk. */
export interface RowPost {
  /** Position in the campaign, from 0. */
  readonly row: number;
  /** `identityBytes` long. */
  readonly post: Buffer;
}

/** What is left of a row of a deleted campaign that was posted. */
export interface DeletedPost {
  /** Its line in the file of the manifest, from 1. */
  readonly line: number;
  /** Day of its post, in milliseconds since the epoch. Undefined for a row that was in review. */
  readonly postedAt: number | undefined;
}

export class PlannedPosts extends LedgerPart {
  readonly #keptMs: number;

  constructor(context: LedgerContext, keptMs = usualKeptMs) {
    super(context);
    this.#keptMs = Math.max(usualKeptMs, keptMs);
  }

  /** Rises with each import that adds posts. An import that was checked against an older version has to be checked again. */
  async version(): Promise<string> {
    return (await this.redis.get(this.keys.plannedVersion)) ?? '0';
  }

  /**
   * Finds rows that may be the same posts, for each post; those at the same time first, the newest of them first.
   * @param options.since only rows that were added after this version.
   */
  async find(
    posts: readonly Buffer[],
    { since = '0' }: { readonly since?: string | undefined } = {},
  ): Promise<readonly (readonly FoundPost[])[]> {
    const found: FoundPost[][] = posts.map(() => []);
    const segments = this.#segments();
    let first = 0;
    for (const batch of parts(posts, lookedUpAtOnce)) {
      const reply = await this.run<readonly (string | number)[]>('planned-posts/find-posts', [
        ...[since, segments.length, ...segments],
        ...batch,
      ]);
      for (let at = 0; at + 4 < reply.length; at += 5) {
        const [index, same, campaign, chunk, place] = reply.slice(at, at + 5);
        found[first + Number(index)]?.push({
          campaign: String(campaign),
          row: Number(chunk) * chunkSize + Number(place),
          isSameTime: same === '1',
        });
      }
      first += batch.length;
    }
    return found;
  }

  /** Segments of the years that are remembered, the newest first. */
  #segments(): readonly string[] {
    const now = this.now();
    const first = yearOf(now - this.#keptMs);
    return Array.from({ length: yearOf(now) - first + 1 }, (_, index) => String(first + index)).reverse();
  }

  get segment(): PostSegment {
    const now = this.now();
    const year = yearOf(now);
    return { name: String(year), keptMs: Date.UTC(year + 1, 0, 1) + this.#keptMs - now };
  }

  /** Takes numbers of blocks that nobody else has. @returns the first one. */
  async reserve(segment: PostSegment, count: number): Promise<number> {
    const key = this.keys.planned(segment.name, 'blocks');
    const replies = await this.exec(this.redis.pipeline().incrby(key, count).pexpire(key, segment.keptMs));
    return Number(replies[0]) - count;
  }

  /** Arguments of a script that adds posts of rows of one chunk. */
  async chunkArguments(posts: readonly RowPost[]): Promise<readonly ScriptArgument[]> {
    const { segment } = this;
    if (posts.length === 0) return [segment.name, segment.keptMs, 0, 0];
    const block = await this.reserve(segment, 1);
    return [
      ...[segment.name, segment.keptMs, block, posts.length],
      ...posts.flatMap(({ row, post }) => {
        const entry = Buffer.alloc(entryBytes);
        writeEntry(entry, 0, post, block, row % chunkSize);
        return [bucketOf(post), entry];
      }),
    ];
  }

  /** What is left of rows of a deleted campaign. @returns undefined for a row that was not posted. */
  async deleted(campaign: string, rows: readonly number[]): Promise<readonly (DeletedPost | undefined)[]> {
    const pipeline = this.redis.pipeline();
    const key = this.keys.postedDays(campaign);
    for (const row of rows) pipeline.getrangeBuffer(key, row * pastBytes, (row + 1) * pastBytes - 1);
    const past = (await this.exec(pipeline)) as Buffer[];
    // While its keys are being removed, the campaign still has its states.
    const tombstones = await this.statusesAt(this.keys.tombstoneStates(campaign), rows);
    return past.map((bytes, index) => {
      const isKept = bytes.length === pastBytes;
      const day = isKept ? bytes.readUInt16BE(0) : 0;
      const line = (isKept && bytes.readUInt32BE(2)) || lineOf({ number: (rows[index] ?? 0) + 1 });
      if (day > unknownDay) return { line, postedAt: day * dayMs };
      const { state } = tombstones[index] ?? {};
      return day === unknownDay || state === 'posted' || state === 'review'
        ? { line, postedAt: undefined }
        : undefined;
    });
  }

  /**
   * Remembers which rows of a campaign were posted, before it is removed.
   * @param first position of the first row. @param posts of each row: its line, and its day (milliseconds since the epoch) or `unknown`.
   */
  async rememberDeleted(
    campaign: string,
    first: number,
    posts: readonly ({ readonly line: number; readonly day: number | 'unknown' } | undefined)[],
  ): Promise<void> {
    if (posts.every((post) => post === undefined)) return;
    const bytes = Buffer.alloc(posts.length * pastBytes);
    posts.forEach((post, index) => {
      if (post === undefined) return;
      const { line, day } = post;
      const stored = day === 'unknown' ? unknownDay : Math.min(65_535, Math.floor(day / dayMs));
      bytes.writeUInt32BE(line, bytes.writeUInt16BE(stored, index * pastBytes));
    });
    const key = this.keys.postedDays(campaign);
    await this.exec(
      this.redis
        .pipeline()
        .setrange(key, first * pastBytes, bytes)
        .pexpire(key, this.segment.keptMs),
    );
  }
}

/** Stands for the day of a row that was in review. */
const unknownDay = 1;
/** Of a row of a deleted campaign: its day (2), its line (4). */
const pastBytes = 6;

/** Tail of both hashes (7), number of the row (4). */
export const entryBytes = 11;

export function bucketOf(post: Buffer): number {
  return post.readUInt16BE(0);
}

/** @param at where to write it. @param place of the row in its chunk. */
export function writeEntry(into: Buffer, at: number, post: Buffer, block: number, place: number): void {
  post.copy(into, at, 2, identityBytes);
  into.writeUInt32BE((block * blockSize + place) % 2 ** 32, at + identityBytes - 2);
}

function yearOf(time: number): number {
  return new Date(time).getUTCFullYear();
}

const atOnce = 5000;

export class PostList {
  #bytes = Buffer.alloc(64 * identityBytes);
  length = 0;

  /** Appends one; undefined for none. */
  push(post: Buffer | undefined): void {
    if (this.length * identityBytes === this.#bytes.length) {
      const larger = Buffer.alloc(this.#bytes.length * 2);
      this.#bytes.copy(larger);
      this.#bytes = larger;
    }
    post?.copy(this.#bytes, this.length * identityBytes);
    this.length += 1;
  }

  at(index: number): Buffer | undefined {
    const post = this.#bytes.subarray(index * identityBytes, (index + 1) * identityBytes);
    return index < this.length && post.some((byte) => byte !== 0) ? post : undefined;
  }

  /** Those that there are, in parts. */
  *parts(): Generator<readonly Buffer[]> {
    for (let first = 0; first < this.length; first += atOnce) {
      const batch = Array.from({ length: Math.min(atOnce, this.length - first) }, (_, index) =>
        this.at(first + index),
      );
      yield batch.filter((post) => post !== undefined);
    }
  }
}
