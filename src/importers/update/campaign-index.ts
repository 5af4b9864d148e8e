/**
 * Index of a campaign's rows for an import into it: state and content by key. Takes about 100 bytes per row. And which progress of a row is
 * outdated because its content changed.
 */
import { isDeepStrictEqual } from 'node:util';
import type { Campaign } from '../../ledger/campaigns/campaign.ts';
import type { OutdatedProgress } from '../../ledger/imports/update.ts';
import { chunkSize } from '../../ledger/keys.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { latestGeneration, type RowProgress } from '../../ledger/rows/row-progress.ts';
import { type RowState, type RowStatus, rowStates } from '../../ledger/states.ts';
import { foldKey, indexedKey, isComparable } from '../../manifest/cells/id.ts';
import { createImportedRowReader } from '../../manifest/reader.ts';
import type { Generation, Row } from '../../manifest/row.ts';
import { OwnStatus } from '../check/own-status.ts';
import { type HashWords, hashText } from '../check/text-hashes.ts';

export class CampaignIndex {
  readonly #rowByKey = new Map<string, number>();
  readonly #states: Uint8Array;
  readonly #revisions: Uint8Array;
  /** Two words per row: the hash of its content. */
  readonly #contents: Uint32Array;
  /** One word per row: the hash of what its AI outputs are made of; 0 without any. */
  readonly #outputs: Uint32Array;
  /** One word per row: the hash of its post id; 0 without one. */
  readonly #posts: Uint32Array;
  /** The same of earlier posts, which were not published. */
  readonly #earlierPosts = new Map<number, readonly number[]>();
  /** Failed rows whose posts could not be looked up again. */
  readonly #unread = new Set<number>();
  /** Failed rows that a person rejected. */
  readonly #rejected = new Set<number>();
  /** Rows that the planner's own status held when they were imported. */
  readonly #held = new Set<number>();
  readonly #words: HashWords = new Uint32Array(2);
  /** Keys by what programs leave of them; `null` for several. Made when the first new row is seen. */
  #keysByFold: ReadonlyMap<string, string | null> | undefined;

  private constructor(rows: number) {
    this.#states = new Uint8Array(rows);
    this.#revisions = new Uint8Array(rows);
    this.#contents = new Uint32Array(rows * 2);
    this.#posts = new Uint32Array(rows);
    this.#outputs = new Uint32Array(rows);
  }

  /**
   * Reads all rows of a campaign chunk by chunk.
   * @param rechecked what the publishing records now say about failed rows that had posts.
   */
  static async read(
    ledger: Ledger,
    campaign: Campaign,
    rechecked: ReadonlyMap<number, { readonly kind: 'failed' | 'posted' | 'unread' }> = new Map(),
  ): Promise<CampaignIndex> {
    const index = new CampaignIndex(campaign.rows);
    for (const [row, posts] of await ledger.failedPosts.all(campaign.id)) {
      index.#earlierPosts.set(
        row,
        posts.map(({ postId }) => index.#wordOf(postId)),
      );
    }
    const reader = createImportedRowReader(campaign);
    const ownStatus = new OwnStatus(reader.header);
    for (let first = 0; first < campaign.rows; first += chunkSize) {
      const [statuses, posts] = await Promise.all([
        ledger.rows.statuses(campaign.id, first, chunkSize),
        ledger.publishing.posts(campaign.id, first / chunkSize),
      ]);
      const failed = statuses.flatMap(({ state }, at) => (state === 'failed' ? [first + at] : []));
      for (const [at, error] of (await ledger.rows.errors(campaign.id, failed)).entries())
        if (error?.code === 'rejected') index.#rejected.add(failed[at] ?? -1);
      for (const [row, { postId }] of posts)
        if (row < campaign.rows) index.#posts[row] = index.#wordOf(postId);
      for await (const stored of ledger.store.parts(campaign, first / chunkSize)) {
        for (const [row, read] of stored) {
          const content = reader.row(read);
          const status = statuses[row - first];
          if (!status || row >= campaign.rows) break;
          index.#add(row, reader.key(read), { status, content });
          if (ownStatus.holds(read.cells)) index.#held.add(row);
        }
      }
    }
    for (const [row, { kind }] of rechecked) {
      if (kind === 'unread') index.#unread.add(row);
      if (kind === 'posted') index.#states[row] = rowStates.indexOf('posted');
    }
    return index;
  }

  #add(row: number, key: string, { status, content }: { status: RowStatus; content: Row | undefined }): void {
    this.#rowByKey.set(indexedKey(key), row);
    this.#states[row] = rowStates.indexOf(status.state);
    this.#revisions[row] = status.revision;
    // An unreadable row differs from every other.
    if (content === undefined) return;
    this.#hash(content);
    this.#contents.set(this.#words, row * 2);
    this.#outputs[row] = this.#wordOfOutputs(content);
  }

  get rows(): number {
    return this.#states.length;
  }

  /** Position of the row with this key, from 0. */
  find(key: string): number | undefined {
    return this.#rowByKey.get(indexedKey(key));
  }

  /** Key of the only row whose key differs from this one as programs change keys. */
  similar(key: string): string | undefined {
    if (!isComparable(key)) return undefined;
    this.#keysByFold ??= foldKeys(this.#rowByKey.keys());
    return this.#keysByFold.get(foldKey(key)) ?? undefined;
  }

  stateOf(row: number): RowState {
    return rowStates[this.#states[row] ?? 0] ?? 'waiting';
  }

  revisionOf(row: number): number {
    return this.#revisions[row] ?? 0;
  }

  isSame(row: number, content: Row): boolean {
    this.#hash(content);
    return this.#contents[row * 2] === this.#words[0] && this.#contents[row * 2 + 1] === this.#words[1];
  }

  contentOf(row: number): string {
    return this.#contents.subarray(row * 2, row * 2 + 2).join(' ');
  }

  /** Whether the AI outputs of a row of the campaign are those of this content, whatever else has changed. */
  hasOutputsOf(row: number, content: Row): boolean {
    return content.generation !== undefined && this.#outputs[row] === this.#wordOfOutputs(content);
  }

  hasPost(row: number, postId: string): boolean {
    const word = this.#wordOf(postId);
    return this.#posts[row] === word || (this.#earlierPosts.get(row)?.includes(word) ?? false);
  }

  /** Whether the row failed, and its post could not be looked up again: it must not be sent. */
  isUnread(row: number): boolean {
    return this.#unread.has(row);
  }

  isRejected(row: number): boolean {
    return this.#rejected.has(row);
  }

  /** Whether its own status held the row when it was imported. */
  isHeld(row: number): boolean {
    return this.#held.has(row);
  }

  #wordOf(postId: string): number {
    hashText(this.#words, postId);
    return this.#words[0] || 1;
  }

  #wordOfOutputs({ generation }: Row): number {
    return generation === undefined ? 0 : this.#wordOf(JSON.stringify(inputsOf(generation)));
  }

  #hash(content: Row): void {
    hashText(this.#words, JSON.stringify(content));
  }
}

function foldKeys(keys: Iterable<string>): ReadonlyMap<string, string | null> {
  const byFold = new Map<string, string | null>();
  for (const key of keys) {
    if (!isComparable(key)) continue;
    const fold = foldKey(key);
    byFold.set(fold, byFold.has(fold) ? null : key);
  }
  return byFold;
}

export const upToDate: OutdatedProgress = {
  files: false,
  cover: false,
  references: false,
  generations: false,
};

/** @param before undefined if the row could not be read: then all its progress is outdated. */
export function findOutdated(before: Row | undefined, now: Row): OutdatedProgress {
  if (before === undefined) return { files: true, cover: true, references: true, generations: true };
  return {
    files: !isDeepStrictEqual(before.media, now.media) || before.mediaType !== now.mediaType,
    // A cover is uploaded for one creator.
    cover: !isDeepStrictEqual(before.cover, now.cover) || before.creator !== now.creator,
    references: !isDeepStrictEqual(before.generation?.references, now.generation?.references),
    generations: !isDeepStrictEqual(inputsOf(before.generation), inputsOf(now.generation)),
  };
}

/** The inputs that determine the outputs, without time and name. Outputs of the same inputs are not paid for twice. */
export function inputsOf(
  generation: Generation | undefined,
): Omit<Generation, 'execAt' | 'name'> | undefined {
  if (generation === undefined) return undefined;
  const { execAt: _when, name: _label, ...inputs } = generation;
  return inputs;
}

/** The progress of a row after `update-row.lua` has removed what is outdated. */
export function withoutOutdated(progress: RowProgress, outdated: OutdatedProgress): RowProgress {
  const { files, cover, references, generations } = outdated;
  return {
    ...progress,
    files: files || generations ? new Map() : progress.files,
    cover: cover ? undefined : progress.cover,
    references: references ? new Map() : progress.references,
    assets: generations ? [] : progress.assets,
    generationEnded: generations ? latestGeneration(progress) : progress.generationEnded,
  };
}
