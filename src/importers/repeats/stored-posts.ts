/** Compares posts with the stored rows of campaigns. */
import { LRUCache } from 'lru-cache';
import type { Campaign, CreatorRef } from '../../ledger/campaigns/campaign.ts';
import { chunkSize } from '../../ledger/keys.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { postText } from '../../ledger/planned-posts.ts';
import { placeIfKeyless } from '../../ledger/rows/stored-rows.ts';
import { createImportedRowReader, type RowReader } from '../../manifest/reader.ts';
import type { Row } from '../../manifest/row.ts';
import { type HashWords, hashText } from '../check/text-hashes.ts';
import { type ComparedPost, postMedia } from './post-identity.ts';

/** Identifies the bytes of a file under a media root; undefined for a URL, and for a file that cannot be read any more. */
export type ContentAt = (source: string, mediaRoot: string) => Promise<string | undefined>;

/** Hashes of the rows of a chunk: enough to compare a row without decoding its chunk again. */
interface HashedChunk {
  /** Two words a row: text, and media as written. Zero for a row that cannot be read. */
  readonly texts: Uint32Array<ArrayBuffer>;
  readonly media: Uint32Array<ArrayBuffer>;
  /** Milliseconds since the epoch; NaN without one. */
  readonly times: Float64Array<ArrayBuffer>;
  readonly keys: readonly string[];
  /** By position in the chunk, of rows without keys of their own. */
  readonly places: ReadonlyMap<number, string>;
  /** Approximate size in memory. */
  readonly bytes: number;
}

export interface SamePost {
  readonly key: string;
  /** As `Repeat.place`. */
  readonly place: string | undefined;
  readonly at: number | undefined;
}

/** Some six hundred thousand rows: a sheet may name those of another campaign in any order. */
const mostKept = 32 * 1024 * 1024;
/** Campaigns whose creators and readers are kept. */
const campaignsKept = 20;
const contentsKept = 5000;

export class StoredPosts {
  readonly #ledger: Ledger;
  readonly #contentAt: ContentAt;
  readonly #words: HashWords = new Uint32Array(2);
  readonly #chunks = new LRUCache<string, HashedChunk>({
    maxSize: mostKept,
    sizeCalculation: ({ bytes }) => bytes,
  });
  readonly #creators = new LRUCache<string, ReadonlyMap<string, CreatorRef>>({ max: campaignsKept });
  /** Making one costs as much as reading thirty rows. */
  readonly #readers = new LRUCache<string, RowReader>({ max: campaignsKept });
  readonly #contents = new LRUCache<string, { readonly content: string | undefined }>({
    // A `max` would take the room of all at once.
    maxSize: contentsKept,
    sizeCalculation: () => 1,
  });

  constructor(ledger: Ledger, contentAt: ContentAt) {
    this.#ledger = ledger;
    this.#contentAt = contentAt;
  }

  /** @returns undefined if the row is another post now, apart from its time. */
  async compare(campaign: Campaign, row: number, post: ComparedPost): Promise<SamePost | undefined> {
    const chunk = await this.#chunk(campaign, Math.floor(row / chunkSize));
    const place = row % chunkSize;
    if (!this.#isSame(chunk.texts, place, post.text)) return undefined;
    const isWrittenSame = this.#isSame(chunk.media, place, post.written);
    if (!isWrittenSame && !(await this.#hasMedia(campaign, row, post))) return undefined;
    const at = chunk.times[place] ?? Number.NaN;
    const found = { key: chunk.keys[place] ?? '', place: chunk.places.get(place) };
    return { ...found, at: Number.isNaN(at) ? undefined : at };
  }

  #isSame(words: Uint32Array, place: number, text: string): boolean {
    hashText(this.#words, text);
    return words[place * 2] === this.#words[0] && words[place * 2 + 1] === this.#words[1];
  }

  /** Whether a row has the same media under other names. If a file is gone, the index is trusted: it knew its content. */
  async #hasMedia(campaign: Campaign, row: number, post: ComparedPost): Promise<boolean> {
    const stored = await this.#ledger.store.find(campaign, row);
    const spec = stored && this.#readerOf(campaign).row(stored);
    if (spec === undefined || spec.generation !== undefined) return false;
    const contents = new Map<string, string>();
    for (const source of spec.media) {
      const content = await this.#content(source, campaign.mediaRoot);
      if (content === undefined) return true;
      contents.set(source, content);
    }
    return postMedia(spec, (source) => contents.get(source)) === post.media;
  }

  async #content(source: string, mediaRoot: string): Promise<string | undefined> {
    const name = `${mediaRoot}\0${source}`;
    const known = this.#contents.get(name);
    if (known !== undefined) return known.content;
    const content = await this.#contentAt(source, mediaRoot);
    this.#contents.set(name, { content });
    return content;
  }

  async #chunk(campaign: Campaign, chunk: number): Promise<HashedChunk> {
    const name = `${campaign.store} ${campaign.sheetVersion} ${chunk}`;
    const known = this.#chunks.get(name);
    if (known !== undefined) return known;
    const hashed = await this.#hash(campaign, chunk);
    this.#chunks.set(name, hashed);
    return hashed;
  }

  async #hash(campaign: Campaign, chunk: number): Promise<HashedChunk> {
    const texts = new Uint32Array(chunkSize * 2);
    const media = new Uint32Array(chunkSize * 2);
    const times = new Float64Array(chunkSize).fill(Number.NaN);
    const keys: string[] = [];
    const places = new Map<number, string>();
    const creators = await this.#creatorsOf(campaign);
    const reader = this.#readerOf(campaign);
    let bytes = chunkSize * 24;
    for await (const rows of this.#ledger.store.parts(campaign, chunk)) {
      for (const [position, stored] of rows) {
        const place = position % chunkSize;
        const key = reader.key(stored);
        keys.push(key);
        bytes += key.length + 24;
        const own = placeIfKeyless(reader.header, stored);
        if (own !== undefined) {
          places.set(place, own);
          bytes += own.length + 48;
        }
        const row = reader.row(stored);
        if (row === undefined) continue;
        hashText(this.#words, postText(row, creatorOf(row, creators)));
        texts.set(this.#words, place * 2);
        hashText(
          this.#words,
          postMedia(row, () => undefined),
        );
        media.set(this.#words, place * 2);
        if (row.schedule !== undefined) times[place] = row.schedule.at;
      }
    }
    return { texts, media, times, keys, places, bytes };
  }

  #readerOf(campaign: Campaign): RowReader {
    const name = `${campaign.id} ${campaign.sheetVersion}`;
    const reader = this.#readers.get(name) ?? createImportedRowReader(campaign);
    this.#readers.set(name, reader);
    return reader;
  }

  async #creatorsOf({ id, sheetVersion }: Campaign): Promise<ReadonlyMap<string, CreatorRef>> {
    const name = `${id} ${sheetVersion}`;
    const known = this.#creators.get(name) ?? (await this.#ledger.campaigns.creators(id));
    this.#creators.set(name, known);
    return known;
  }
}

/** Id of a row's creator, as an import stores it. */
function creatorOf({ creator }: Row, creators: ReadonlyMap<string, CreatorRef>): string {
  return creators.get(creator)?.creatorId ?? creator;
}
