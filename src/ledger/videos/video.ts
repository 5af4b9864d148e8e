/** A video on the watch list, as the ledger stores it. */
import { z } from 'zod';
import { readStored, texts } from '../stored-json.ts';
import { readSummary, type Summary } from './summary.ts';

const facts = z.object({
  /** Normalized. */
  url: z.string(),
  /** Campaign id, or a name of the planner's own. */
  campaign: z.string().optional(),
  /** Key of its row in the campaign. */
  key: z.string().optional(),
  creator: z.string().optional(),
  product: z.string().optional(),
  label: z.string().optional(),
  tags: texts.readonly().optional(),
  /** Account of the service that it is looked up with. */
  account: z.string(),
  /** Unix epoch, milliseconds. */
  addedAt: z.number(),
});
/** Facts about a video before it is looked up. */
export type VideoFacts = Readonly<z.infer<typeof facts>>;

const meta = z.object({
  videoId: z.string().optional(),
  author: z.string().optional(),
  coverUrl: z.string().optional(),
  caption: z.string().optional(),
  /** Unix epoch, seconds. */
  releasedAt: z.number().optional(),
});
/** The service's last answer, except the counters. */
export type VideoMeta = Readonly<z.infer<typeof meta>>;

const failure = z.object({
  code: z.string(),
  message: z.string(),
  cure: z.string().optional(),
  /** Unix epoch, milliseconds. */
  at: z.number(),
});
/** Why the last look-up failed. */
export type VideoFailure = Readonly<z.infer<typeof failure>>;

// They keep unknown fields, because newer programs may store more.
export const storedFacts: z.ZodType<VideoFacts> = facts.loose();
const storedMeta: z.ZodType<VideoMeta> = meta.loose();
export const storedFailure: z.ZodType<VideoFailure> = failure.loose();

/** Facts of a record that another program wrote. */
const noFacts: VideoFacts = { url: '', account: '', addedAt: 0 };

/** A video that the service answers with 404. */
export interface VideoGone {
  /** Consecutive 404 answers. */
  readonly answers: number;
  /** Time of the first: Unix epoch, milliseconds. */
  readonly since: number;
  /** When it is looked up again: Unix epoch, milliseconds. */
  readonly askAgainAt: number;
}

/** State of a video: `gone` if the service answers 404, `failing` if it answers otherwise without figures. */
export type VideoState = 'new' | 'ok' | 'gone' | 'failing';

/** A video of the watch list with its latest figures. */
export interface WatchedVideo {
  readonly id: string;
  /** Counts the changes of its history and state. Scripts write only data computed from the current version. */
  readonly version: number;
  readonly facts: VideoFacts;
  /** Number of the scrape that looked it up last; 0 for none. */
  readonly scrape: number;
  readonly meta: VideoMeta;
  readonly summary: Summary | undefined;
  /** Start of each chunk of its history, oldest first: Unix epoch, seconds. */
  readonly chunks: readonly number[];
  readonly failure: VideoFailure | undefined;
  readonly gone: VideoGone | undefined;
}

export function stateOf({ gone, failure, summary }: WatchedVideo): VideoState {
  if (gone) return 'gone';
  if (failure) return 'failing';
  return summary ? 'ok' : 'new';
}

/** Fields of the hash of a video, in the order in which `parseVideo` takes them. */
export const videoFields = ['f', 'r', 'm', 's', 'c', 'e', 'g', 'v'] as const;

/** Videos in one command: bounds how long it blocks Redis. */
export const videosAtOnce = 200;

/** Field of the chunk that begins at a time (Unix epoch, seconds). */
export function chunkField(start: number): string {
  return `h${start}`;
}

export function packStarts(starts: readonly number[]): string {
  return starts.join(',');
}

export function packGone({ answers, since, askAgainAt }: VideoGone): string {
  return `${answers} ${since} ${askAgainAt}`;
}

/** @returns undefined for a video that is not on the list. */
export function parseVideo(id: string, fields: readonly (Buffer | null)[]): WatchedVideo | undefined {
  // Parsing the facts would take most of the time of a report.
  return fields[0]?.[0] === openingBrace ? new StoredVideo(id, fields[0], fields) : undefined;
}

const openingBrace = 0x7b;

interface Packed {
  readonly facts: Buffer;
  readonly meta: Buffer | null;
  readonly summary: Buffer | null;
  readonly chunks: Buffer | null;
}

/** Parses its texts lazily, because a report over a hundred thousand videos needs little of each. */
class StoredVideo implements WatchedVideo {
  readonly id: string;
  readonly version: number;
  readonly scrape: number;
  readonly failure: VideoFailure | undefined;
  readonly gone: VideoGone | undefined;
  readonly #packed: Packed;
  #summary: Summary | undefined;
  #facts: VideoFacts | undefined;
  #meta: VideoMeta | undefined;
  #chunks: readonly number[] | undefined;

  constructor(id: string, facts: Buffer, fields: readonly (Buffer | null)[]) {
    const [, scrape, meta = null, summary = null, chunks = null, failure, gone, version] = fields;
    this.id = id;
    this.version = version ? Number(version.toString('latin1')) : 0;
    this.scrape = scrape ? Number(scrape.toString('latin1')) : 0;
    this.failure = failure ? readStored(storedFailure, String(failure)) : undefined;
    this.gone = gone ? parseGone(String(gone)) : undefined;
    this.#packed = { facts, meta, summary, chunks };
  }

  get facts(): VideoFacts {
    this.#facts ??= readStored(storedFacts, String(this.#packed.facts)) ?? noFacts;
    return this.#facts;
  }

  get summary(): Summary | undefined {
    const { summary } = this.#packed;
    this.#summary ??= summary ? readableSummary(summary) : undefined;
    return this.#summary;
  }

  get meta(): VideoMeta {
    const { meta } = this.#packed;
    this.#meta ??= (meta && readStored(storedMeta, String(meta))) || {};
    return this.#meta;
  }

  get chunks(): readonly number[] {
    const { chunks } = this.#packed;
    this.#chunks ??= chunks && chunks.length > 0 ? String(chunks).split(',').map(Number) : [];
    return this.#chunks;
  }
}

/** @returns undefined for bytes of another program. */
function readableSummary(bytes: Buffer): Summary | undefined {
  try {
    return readSummary(bytes);
  } catch {
    return undefined;
  }
}

function parseGone(text: string): VideoGone {
  const [answers = 0, since = 0, askAgainAt = 0] = text.split(' ').map(Number);
  return { answers, since, askAgainAt };
}
