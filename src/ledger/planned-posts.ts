/**
 * The index of planned posts: which rows of all campaigns are one post, to tell a planner that a row is posted already or will be.
 *
 * A row has two hashes, without its time and with it. They are truncated: whoever finds a row compares it with the row that it has.
 * The state of a row is not stored: it is read when a row is found. So a post costs nothing here.
 *
 * A row takes eleven bytes in one of the 4,096 byte strings of the year of its import (`lua/planned-posts/planned-posts.lua`). They are kept for
 * `keptMs` after the end of the year. Those of a deleted campaign find nothing.
 */
import { createHash } from 'node:crypto';
import type { Row, RowIndex } from '../manifest/row.ts';
import type { ScriptArgument } from '../platform/redis/script.ts';
import { chunkSize } from './keys.ts';
import { batches, type LedgerContext, LedgerPart } from './ledger-part.ts';

/** Bytes of an identity: number of the bucket (2), hash of the post without its time (4), with it (3). */
export const identityBytes = 9;
export const bucketCount = 4096;

/** How long posts are remembered, at the least. */
const usualKeptMs = 366 * 24 * 3_600_000;
const blockSize = 512;
const lookedUpAtOnce = 500;
const atOnce = 5000;
const bucketsAtOnce = 500;

export interface PostMatch {
  readonly campaign: string;
  readonly row: RowIndex;
  readonly isSameTime: boolean;
}

/** Blocks of posts that no campaign has yet: the chunks of an import, in their order. */
export interface PostBlocks {
  readonly segment: PostSegment;
  readonly first: number;
  /** 0 if the import has no posts. */
  readonly count: number;
}

/** Where posts are added: the segment of this year, and how long it is kept from now on, in milliseconds. */
interface PostSegment {
  readonly name: string;
  readonly keptMs: number;
}

export interface RowPost {
  readonly row: RowIndex;
  /** `identityBytes` long. */
  readonly post: Buffer;
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

  /** Finds the rows of each post: those at the same time first, then the newest. @param options.since only rows added after this version. */
  async find(
    posts: readonly Buffer[],
    { since = '0' }: { readonly since?: string | undefined } = {},
  ): Promise<readonly (readonly PostMatch[])[]> {
    const found: PostMatch[][] = posts.map(() => []);
    const segments = this.segments;
    let first = 0;
    for (const batch of batches(posts, lookedUpAtOnce)) {
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
  get segments(): readonly string[] {
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
  async #reserve(segment: PostSegment, count: number): Promise<number> {
    const key = this.keys.planned(segment.name, 'blocks');
    const replies = await this.exec(this.redis.pipeline().incrby(key, count).pexpire(key, segment.keptMs));
    return Number(replies[0]) - count;
  }

  /** Adds the posts of an import. Nobody finds them before a campaign owns their blocks. */
  async add(posts: PostList): Promise<PostBlocks> {
    const { segment } = this;
    if (!posts.hasAny) return { segment, first: 0, count: 0 };
    const count = Math.ceil(posts.length / chunkSize);
    const first = await this.#reserve(segment, count);
    for (const batch of batches(posts.byBucket(first), bucketsAtOnce)) {
      await this.run('planned-posts/add-posts', [segment.name, segment.keptMs, ...batch.flat()]);
    }
    return { segment, first, count };
  }

  /** Whether posts that others have added after this version may be some of these. @param campaign whose own rows do not count. */
  async isRepeatedSince(since: string | undefined, posts: PostList, campaign?: string): Promise<boolean> {
    for (const batch of posts.parts()) {
      const found = await this.find(batch, { since });
      if (found.some((rows) => rows.some((row) => row.campaign !== campaign))) return true;
    }
    return false;
  }

  async chunkArguments(posts: readonly RowPost[]): Promise<readonly ScriptArgument[]> {
    const { segment } = this;
    if (posts.length === 0) return [segment.name, segment.keptMs, 0, 0];
    const block = await this.#reserve(segment, 1);
    return [
      ...[segment.name, segment.keptMs, block, posts.length],
      ...posts.flatMap(({ row, post }) => {
        const entry = Buffer.alloc(entryBytes);
        writeEntry(entry, 0, post, block, row % chunkSize);
        return [bucketOf(post), entry];
      }),
    ];
  }
}

/** Tail of both hashes (7), number of the row (4). */
const entryBytes = 11;

function bucketOf(post: Buffer): number {
  return post.readUInt16BE(0);
}

/** @param at where to write it. @param place of the row in its chunk. */
function writeEntry(into: Buffer, at: number, post: Buffer, block: number, place: number): void {
  post.copy(into, at, 2, identityBytes);
  into.writeUInt32BE((block * blockSize + place) % 2 ** 32, at + identityBytes - 2);
}

function yearOf(time: number): number {
  return new Date(time).getUTCFullYear();
}

/** The posts of rows in their order: nine bytes a row in memory. */
export class PostList {
  #bytes = Buffer.alloc(64 * identityBytes);
  length = 0;
  hasAny = false;

  /** Appends one; undefined for a row without. */
  push(post: Buffer | undefined): void {
    if (this.length * identityBytes === this.#bytes.length) {
      const larger = Buffer.alloc(this.#bytes.length * 2);
      this.#bytes.copy(larger);
      this.#bytes = larger;
    }
    post?.copy(this.#bytes, this.length * identityBytes);
    this.hasAny ||= post !== undefined;
    this.length += 1;
  }

  at(index: number): Buffer | undefined {
    const post = this.#bytes.subarray(index * identityBytes, (index + 1) * identityBytes);
    return index < this.length && post.some((byte) => byte !== 0) ? post : undefined;
  }

  *#all(): Generator<readonly [index: number, post: Buffer]> {
    for (let index = 0; index < this.length; index += 1) {
      const post = this.at(index);
      if (post !== undefined) yield [index, post];
    }
  }

  *parts(): Generator<readonly Buffer[]> {
    let batch: Buffer[] = [];
    for (const [, post] of this.#all()) {
      if (batch.push(post) < atOnce) continue;
      yield batch;
      batch = [];
    }
    if (batch.length > 0) yield batch;
  }

  /** The entries of each bucket that has any, the newest first. @param block number of the first chunk. */
  byBucket(block: number): readonly (readonly [bucket: number, entries: Buffer])[] {
    const counts = new Uint32Array(bucketCount);
    for (const [, post] of this.#all()) counts[bucketOf(post)] = (counts[bucketOf(post)] ?? 0) + 1;
    const buckets = new Map<number, Buffer>();
    for (const [index, post] of this.#all()) {
      const bucket = bucketOf(post);
      const left = (counts[bucket] ?? 0) - 1;
      counts[bucket] = left;
      const entries = buckets.get(bucket) ?? Buffer.alloc((left + 1) * entryBytes);
      buckets.set(bucket, entries);
      const chunk = Math.floor(index / chunkSize);
      writeEntry(entries, left * entryBytes, post, block + chunk, index % chunkSize);
    }
    return [...buckets];
  }
}

/** Between the parts of a hashed text; no cell has it. */
export const separator = '\0';

/** @param creator id of the creator, for every spelling of the name. */
export function postText({ product, caption }: Row, creator: string): string {
  return [creator, product.id, plainCaption(caption)].join(separator);
}

const unusual = /[^\x21-\x7e ]| {2}|^ | $/;

/** Sheets are saved by programs that write line breaks and accents in other ways. */
function plainCaption(caption: string): string {
  if (!unusual.test(caption)) return caption;
  return caption.normalize('NFC').replace(/\s+/gu, ' ').trim();
}

/** Digest of a post without its media, with its time. */
export function postDigest(row: Row, creator: string): string {
  const text = [postText(row, creator), row.schedule?.at ?? ''].join(separator);
  return createHash('sha256').update(text).digest('base64url');
}
