/** A video on the watch list, as the ledger stores it. */
import { z } from 'zod';
import { readStored, texts } from '../stored-json.ts';
import { readRow, readSummary, type Summary } from './sample.ts';

const facts = z.object({
  /** Normalized. */
  url: z.string(),
  /** Campaign id, or a name of the planner's own. */
  campaign: z.string().optional(),
  key: z.string().optional(),
  creator: z.string().optional(),
  product: z.string().optional(),
  label: z.string().optional(),
  tags: texts.readonly().optional(),
  /** Unix epoch, milliseconds. */
  addedAt: z.number(),
});
/** Facts about a video before it is looked up. */
export type VideoFacts = Readonly<z.infer<typeof facts>>;
/** Keeps unknown fields, because newer programs may store more, and an import writes the facts back. */
export const storedFacts: z.ZodType<VideoFacts> = facts.loose();

const storedMeta = z.object({
  videoId: z.string().optional(),
  author: z.string().optional(),
  coverUrl: z.string().optional(),
  caption: z.string().optional(),
  /** Unix epoch, seconds. */
  releasedAt: z.number().optional(),
});
/** The service's last answer, except the counters. */
export type VideoMeta = Readonly<z.infer<typeof storedMeta>>;

export const storedFailure = z.object({
  code: z.string(),
  message: z.string(),
  fix: z.string().optional(),
  /** Unix epoch, milliseconds. */
  at: z.number(),
});
export type VideoFailure = Readonly<z.infer<typeof storedFailure>>;

/** Facts of a record that another program wrote. */
const noFacts: VideoFacts = { url: '', addedAt: 0 };

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

/** A caption that the video had, and the time of the last sample with it (Unix epoch, seconds). */
export type FormerCaption = readonly [until: number, caption: string];

export interface WatchedVideo {
  readonly id: string;
  readonly facts: VideoFacts;
  /** Number of the scrape that looked it up last; 0 for none. */
  readonly scrape: number;
  readonly meta: VideoMeta;
  /** Undefined before its first sample. It outlives the history. */
  readonly summary: Summary | undefined;
  readonly samples: number;
  /** Time of the oldest one: Unix epoch, seconds. */
  readonly firstAt: number | undefined;
  /** Oldest first. */
  readonly captions: readonly FormerCaption[];
  readonly failure: VideoFailure | undefined;
  readonly gone: VideoGone | undefined;
}

export function stateOf({ gone, failure, summary }: WatchedVideo): VideoState {
  if (gone) return 'gone';
  if (failure) return 'failing';
  return summary ? 'ok' : 'new';
}

/** The caption of a sample. @param at Unix epoch, seconds. */
export function captionAt({ captions, meta }: Pick<WatchedVideo, 'captions' | 'meta'>, at: number): string {
  const [, caption = meta.caption ?? ''] = captions.find(([until]) => at <= until) ?? [];
  return caption;
}

/** Videos in one command: bounds how long it blocks Redis. */
export const videosAtOnce = 200;

export function packGone({ answers, since, askAgainAt }: VideoGone): string {
  return `${answers} ${since} ${askAgainAt}`;
}

/** As scripts return a video (`lua/videos/video.lua`): fields of its hash, length of its history, its first row. '': missing. */
export type VideoFields = readonly string[];

/** @returns undefined for a video that is not on the list. */
export function parseVideo(id: string, fields: VideoFields): WatchedVideo | undefined {
  return fields[0]?.startsWith('{') ? new StoredVideo(id, fields) : undefined;
}

const former: z.ZodType<FormerCaption[]> = z.array(z.tuple([z.number(), z.string()]));

/** Parses its texts lazily, because a report over a hundred thousand videos needs little of each. */
class StoredVideo implements WatchedVideo {
  readonly id: string;
  readonly scrape: number;
  readonly failure: VideoFailure | undefined;
  readonly gone: VideoGone | undefined;
  readonly samples: number;
  readonly #fields: VideoFields;
  #summary: Summary | undefined;
  #facts: VideoFacts | undefined;
  #meta: VideoMeta | undefined;

  constructor(id: string, fields: VideoFields) {
    const [, scrape, , , , failure, gone, length] = fields;
    this.id = id;
    this.scrape = Number(scrape);
    this.failure = readStored(storedFailure, failure);
    this.gone = gone ? parseGone(gone) : undefined;
    this.samples = Number(length);
    this.#fields = fields;
  }

  get facts(): VideoFacts {
    this.#facts ??= readStored(storedFacts, this.#fields[0]) ?? noFacts;
    return this.#facts;
  }

  get meta(): VideoMeta {
    this.#meta ??= readStored(storedMeta, this.#fields[2]) ?? {};
    return this.#meta;
  }

  get summary(): Summary | undefined {
    this.#summary ??= readable(this.#fields[3], readSummary);
    return this.#summary;
  }

  get captions(): readonly FormerCaption[] {
    return readStored(former, this.#fields[4]) ?? [];
  }

  get firstAt(): number | undefined {
    return readable(this.#fields[8], (row) => readRow(JSON.parse(row)).at);
  }
}

/** @returns undefined for a text of another program. */
function readable<T>(text: string | undefined, read: (text: string) => T): T | undefined {
  try {
    return text ? read(text) : undefined;
  } catch {
    return undefined;
  }
}

function parseGone(text: string): VideoGone {
  const [answers = 0, since = 0, askAgainAt = 0] = text.split(' ').map(Number);
  return { answers, since, askAgainAt };
}
