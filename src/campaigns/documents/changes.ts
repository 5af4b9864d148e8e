/** Results of changes to a campaign: a retry, decisions, a pause, a cancellation, a deletion. */
import { z } from 'zod';
import { cureField, hintsField } from '../../manifest/problems/hint.ts';
import { problemFields } from '../../manifest/problems/problem.ts';
import type { Document } from '../../runtime/documents.ts';
import { campaignState, rowState } from './campaign.ts';

const id = z.string();
const isoTime = z.iso.datetime();

/** Possible filters, if no row matches. Creators are as written in the sheet. */
const kinds = z.strictObject({ codes: z.array(z.string()), creators: z.array(z.string()) }).optional();

const rowsByState = z.partialRecord(rowState, z.int());
/** The result of decisions; in a dry run, the result that they would have. */
const decisions = z.strictObject({
  /** Rows in review that the decisions are about. */
  matched: z.int(),
  /** These rows by their state afterwards. */
  states: rowsByState,
  /** Rows that somebody else, or a late answer, decided meanwhile. */
  changed: z.int(),
  /** Keys of the first few. */
  keys: z.array(z.string()),
  /** Rows whose call may still be under way, so that they are decided later: how many, the first few, and when the last can be. */
  early: z.strictObject({ rows: z.int(), keys: z.array(z.string()), from: z.iso.datetime() }).nullable(),
});
/** What became of the rows that were decided about, or would become of them. */
export type Decisions = Document<typeof decisions>;

const unprovenSchema = z.strictObject({
  rows: z.int(),
  /** The first few. */
  keys: z.array(z.string()),
  why: z.string(),
  /** Commands to search again, or to decide about the first of them. */
  commands: z.array(z.string()),
});

export const manyDecidedSchema = z.strictObject({
  id,
  decision: z.enum(['not-posted', 'not-generated']),
  ...decisions.shape,
  /** Rows in review that stay there: the filter leaves them out, the decision is about something else, `refused` or `leftOut`. */
  left: z.int(),
  /** Matching rows that stay in review because the decision is wrong for them: the first few. */
  refused: z.array(
    z.strictObject({ key: z.string(), message: z.string(), cure: cureField, hints: hintsField }),
  ),
  /** Matching rows that stay in review because of a similar publishing record. */
  leftOut: z.array(unprovenSchema),
  /** Decided rows whose posts may exist, by reason: no complete search of the publishing records has shown otherwise. */
  unproven: z.array(unprovenSchema),
  /** Why the rows that the decision is about were in review, the most frequent code first. */
  causes: z.array(
    z.strictObject({
      code: z.string(),
      rows: z.int(),
      /** Of the first of them. */
      message: z.string(),
      /** Since when the first of them was in review. */
      oldest: isoTime,
    }),
  ),
  kinds,
  dryRun: z.boolean(),
});
/** What one decision about many rows did, or would do. */
export type ManyDecided = Omit<Document<typeof manyDecidedSchema>, 'id' | 'decision' | 'dryRun'>;

/** A decision about one row; `undone` if it was taken back. */
export const decidedRowSchema = z.strictObject({
  id,
  row: z.string(),
  state: rowState,
  undone: z.literal(true).optional(),
});

export const sheetDecidedSchema = z.strictObject({
  id,
  from: z.string(),
  ...decisions.shape,
  dryRun: z.boolean(),
  sheetRows: z.int(),
  empty: z.int(),
  /** Rows in review decided with a post id that was not looked up (`unchecked`, or no setting `api.listPosts`). */
  notLookedUp: z.int(),
  /** Keys of the first few of them. */
  notLookedUpKeys: z.array(z.string()),
  ended: rowsByState,
  ...problemFields,
});

/** The result of a retry; in a dry run, the result that it would have. */
export const retrySchema = z.strictObject({
  id,
  /** Failed rows that match, including those of creators on hold. */
  matched: z.int(),
  /** Rows sent back to waiting; none in a dry run. */
  rows: z.int(),
  /** Those of them that had a post: they wait for 10 seconds first, and `settle ID ROW --undo` takes the retry of one back. */
  held: z.int(),
  /** Rows that returned to `posted` without being sent again, because their failed post turned out to be published. */
  posted: z.int(),
  /** The effect of the retry; only in a dry run. */
  plan: z
    .strictObject({
      /** Per operation: at most this many uploads (files that the service has are not sent again), at least this many polls. */
      calls: z.record(z.string(), z.int()),
      /** Images and videos that would be generated: only missing ones. */
      aiOutputs: z.int(),
    })
    .nullable(),
  /** Rows that are not retried, by reason. */
  leftOut: z.array(
    z.strictObject({
      state: rowState,
      rows: z.int(),
      why: z.string(),
      /** Set for rows of a creator who must authorize again. */
      creator: z.string().optional(),
      /** Set for matching rows whose failed post could not be looked up again. */
      unread: z.literal(true).optional(),
      /** Set for matching rows that somebody else changed meanwhile. */
      changed: z.literal(true).optional(),
      /** What to do about them; for rows in review, commands that decide about the first ones. */
      commands: z.array(z.string()),
    }),
  ),
  /** State of the campaign afterwards. In a paused campaign, the rows wait until it is resumed. */
  state: campaignState,
  kinds,
  dryRun: z.boolean(),
});

/** The state of a campaign, and the state before. */
export const heldSchema = z.strictObject({ id, state: campaignState, was: campaignState });

export const resumedCreatorSchema = z.strictObject({
  id,
  creator: z.string(),
  wasOpen: z.boolean(),
  rows: z.int(),
  state: campaignState,
});

export const cancelledSchema = z.strictObject({
  id,
  cancelled: z.int(),
  /** Rows that went to review, because their call was under way; of an ended campaign, its rows in review, which are not sent again. */
  review: z.int(),
  /** The state before. If it was `ended`, and no row in review, there was nothing to cancel. */
  was: campaignState,
  state: campaignState,
});

export const deletedSchema = z.strictObject({
  id,
  deleted: z.literal(true),
  exported: z.string().nullable(),
});
