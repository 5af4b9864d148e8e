/**
 * The posts of an import, until one script adds them to the index with the campaign. They are grouped by bucket here, so that the script
 * has little to do. Data left behind by a killed import expires.
 */
import { chunkSize, stagedForSeconds } from '../keys.ts';
import { type LedgerContext, LedgerPart } from '../part.ts';
import { parts } from '../parts.ts';
import {
  bucketCount,
  entryBytes,
  identityBytes,
  type PlannedPosts,
  type PostBlocks,
  type PostSegment,
  writeEntry,
} from './planned-posts.ts';

/** Posts held in memory: two megabytes and a half, and twice that while they are grouped. */
const mostHeld = 250_000;
/** Blocks are taken in advance for this many chunks at most, so that few numbers are wasted and few calls made. */
const mostAhead = 64;
const bucketsAtOnce = 500;
const postBytes = identityBytes + entryBytes;

export class StagedPosts extends LedgerPart {
  readonly #index: PlannedPosts;
  readonly #store: string;
  readonly segment: PostSegment;
  readonly blocks: PostBlocks[] = [];
  /** Identity and entry of each post. */
  #held = Buffer.alloc(0);
  #count = 0;
  runs = 0;

  constructor(context: LedgerContext, index: PlannedPosts, store: string) {
    super(context);
    this.#index = index;
    this.#store = store;
    this.segment = index.segment;
  }

  /** @param row position in the campaign, from 0; not before the last one. */
  async add(row: number, post: Buffer): Promise<void> {
    const block = await this.#blockOf(Math.floor(row / chunkSize));
    const at = this.#count * postBytes;
    if (at === this.#held.length) this.#grow();
    post.copy(this.#held, at);
    writeEntry(this.#held, at + identityBytes, post, block, row % chunkSize);
    this.#count += 1;
    if (this.#count === mostHeld) await this.flush();
  }

  /** Writes the posts that are held. */
  async flush(): Promise<void> {
    const sorted = this.#sorted();
    if (sorted.length === 0) return;
    const key = this.#key(this.runs);
    this.runs += 1;
    this.#count = 0;
    for (const batch of parts(sorted, bucketsAtOnce)) await this.redis.hset(key, ...batch.flat());
    await this.redis.expire(key, stagedForSeconds);
  }

  /** The identities of all staged posts, in parts, in any order. */
  async *identities(): AsyncGenerator<readonly Buffer[]> {
    await this.flush();
    for (let run = 0; run < this.runs; run += 1) {
      for (let from = 0; from < bucketCount; from += bucketsAtOnce) {
        const names = Array.from(
          { length: Math.min(bucketsAtOnce, bucketCount - from) },
          (_, index) => from + index,
        );
        const found = await this.redis.hmgetBuffer(this.#key(run), ...names.map(String));
        yield names.flatMap((bucket, index) => identitiesIn(bucket, found[index] ?? null));
      }
    }
  }

  async discard(): Promise<void> {
    this.#count = 0;
    for (let run = 0; run < this.runs; run += 1) await this.redis.unlink(this.#key(run));
  }

  #key(run: number): string {
    return this.keys.stagedPosts(this.#store, run);
  }

  async #blockOf(chunk: number): Promise<number> {
    const last = this.blocks.at(-1);
    if (last !== undefined && chunk < last.chunk + last.count) return last.first + chunk - last.chunk;
    const count = Math.min(mostAhead, Math.max(1, chunk));
    const first = await this.#index.reserve(this.segment, count);
    this.blocks.push({ first, chunk, count });
    return first;
  }

  #grow(): void {
    const larger = Buffer.alloc(Math.min(mostHeld, Math.max(64, this.#count * 2)) * postBytes);
    this.#held.copy(larger);
    this.#held = larger;
  }

  /** The entries of each bucket that has any, the newest first. */
  #sorted(): (readonly [bucket: string, entries: Buffer])[] {
    const counts = new Uint32Array(bucketCount);
    for (let post = 0; post < this.#count; post += 1) {
      const bucket = this.#held.readUInt16BE(post * postBytes);
      counts[bucket] = (counts[bucket] ?? 0) + 1;
    }
    const buckets = new Map<number, Buffer>();
    for (let post = this.#count - 1; post >= 0; post -= 1) {
      const at = post * postBytes;
      const bucket = this.#held.readUInt16BE(at);
      const entries = buckets.get(bucket) ?? Buffer.allocUnsafe((counts[bucket] ?? 0) * entryBytes);
      buckets.set(bucket, entries);
      const left = counts[bucket] ?? 0;
      counts[bucket] = left - 1;
      const to = entries.length - left * entryBytes;
      this.#held.copy(entries, to, at + identityBytes, at + postBytes);
    }
    return [...buckets].map(([bucket, entries]) => [String(bucket), entries] as const);
  }
}

function identitiesIn(bucket: number, entries: Buffer | null): readonly Buffer[] {
  const found: Buffer[] = [];
  for (let at = 0; at + entryBytes <= (entries?.length ?? 0); at += entryBytes) {
    const identity = Buffer.alloc(identityBytes);
    identity.writeUInt16BE(bucket, 0);
    entries?.copy(identity, 2, at, at + identityBytes - 2);
    found.push(identity);
  }
  return found;
}
