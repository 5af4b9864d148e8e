/** A draft: a sheet and its media on their way to a campaign. Nothing of it is sent before it is started. */
import { z } from 'zod';
import { encodings } from '../../sheets/text/encoding.ts';
import { stopAfterSchema } from '../hand-in/stop-after.ts';

const text = (max: number) => z.string().max(max);

/** What a person chose where the sheet's bytes suggest something else, or nothing. */
export const readingSchema = z.strictObject({
  /** Name of a workbook's sheet. */
  sheet: text(100).optional(),
  delimiter: z.enum([',', ';', '\t', '|']).optional(),
  encoding: z.enum(encodings).optional(),
  /** Column, or `_` for a note, by header as in the sheet. */
  map: z.record(text(1000), text(50)).optional(),
  /** IANA zone of times without one. Undefined until somebody has chosen it. */
  timezone: text(100).optional(),
});

export const optionsSchema = z.strictObject({
  /** Name of the campaign; that of the sheet unless given. */
  name: text(200).optional(),
  /** Account of the service; the one of the environment unless given. */
  account: text(100).optional(),
  /** The first so many rows are posted, in the order of the sheet; then the campaign holds. Rows left out do not count. */
  canary: z.int().min(1).optional(),
  /** Percentage of ended rows that may fail before the campaign is paused. */
  stopAfter: stopAfterSchema.optional(),
  /** Start without the rows that have problems. */
  leaveOutProblems: z.boolean().optional(),
});

export const draftSchema = z.strictObject({
  id: z.string().regex(/^[0-9a-f]{16}$/),
  /** Rises with every change, those of cells included. */
  version: z.int().min(1),
  /** Times are in milliseconds since the epoch. */
  createdAt: z.int(),
  changedAt: z.int(),
  owner: text(200),
  changedBy: text(200),
  /** What the last change was, for those who come too late with theirs. */
  changed: text(200),
  /** The planner's file; undefined until it is uploaded. It is never changed. */
  sheet: z
    .strictObject({
      /** As its owner named it. */
      name: text(200),
      bytes: z.int(),
      /** Lowercase hex. */
      sha256: text(64),
    })
    .optional(),
  reading: readingSchema,
  options: optionsSchema.extend({
    /** Earlier versions took 100, which pauses nothing. */
    stopAfter: z.union([stopAfterSchema, z.literal(100).transform(() => undefined)]).optional(),
  }),
  /** A start has begun, and nobody knows yet whether its campaign was made. Until then its files stay as they are. */
  starting: z.literal(true).optional(),
  /** How much of the record of mends counts, in bytes; undefined: nothing was mended. */
  mendsBytes: z.int().min(0).optional(),
  /** Id of the campaign that it became. Its media stay as long as the campaign. */
  campaign: text(50).optional(),
  /** Id of the ledger that has the campaign. */
  ledger: text(100).optional(),
});

export type Draft = Readonly<z.infer<typeof draftSchema>>;
export type DraftReading = Readonly<z.infer<typeof readingSchema>>;
export type DraftOptions = Readonly<z.infer<typeof optionsSchema>>;
/** What a person may change. */
export type DraftChange = Partial<
  Pick<Draft, 'sheet' | 'reading' | 'options' | 'starting' | 'mendsBytes' | 'campaign' | 'ledger'>
>;

/** A draft that nobody touches is kept this long. */
export const keptMs = 7 * 24 * 3600 * 1000;
