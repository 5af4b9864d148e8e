/** A row: with its history, as lists show it, as the planner wrote it, and the result of an edit. */
import { z } from 'zod';
import { deliveries } from '../../../ledger/rows/post-status.ts';
import type { RowError } from '../../../ledger/states.ts';
import { problemSchema } from '../../../manifest/problems/problem.ts';
import type { Document } from '../../runtime/documents.ts';
import { retrySchema } from '../retry/left-out.ts';
import { rowState, stepName } from './campaign.ts';
import { queueName } from './progress.ts';

const isoTime = z.iso.datetime();

/** Why a row failed, or waits for a decision. */
export const rowErrorSchema = z
  .strictObject({
    step: stepName,
    code: z.string(),
    message: z.string(),
    cure: z.string().nullable(),
    /** What the publishing records say about a row in review. */
    note: z.string().nullable(),
  })
  .meta({ id: 'RowError' });

/** `live`: published, by the records. `unconfirmed`: its time has passed, and they do not say so. `posted`: it had no time. */
export const delivery = z.enum(deliveries);

export const rowSchema = z
  .strictObject({
    /** Of the campaign. */
    id: z.string(),
    key: z.string(),
    state: rowState,
    postId: z.string().nullable(),
    delivery: delivery.nullable(),
    error: rowErrorSchema.nullable(),
    /** The oldest first. */
    story: z.array(
      z.strictObject({
        at: isoTime,
        /** Null for an event outside of a step, such as a decision. */
        step: stepName.nullable(),
        outcome: z.string(),
        message: z.string().nullable(),
        /** Number of consecutive attempts, of which only the last one is shown. */
        times: z.int(),
      }),
    ),
  })
  .meta({ id: 'Row' });

export function rowErrorDocument({
  step,
  code,
  message,
  cure,
  note,
}: RowError): Document<typeof rowErrorSchema> {
  return { step, code, message, cure: cure ?? null, note: note ?? null };
}

export const listedRowSchema = z
  .strictObject({
    key: z.string(),
    /** As shown to people: a waiting row of a campaign that is being cancelled counts as cancelled. */
    state: rowState,
    /** As the planner wrote it. */
    creator: z.string(),
    caption: z.string(),
    /** Title of the product, else its id. */
    product: z.string(),
    scheduledAt: z.iso.datetime().nullable(),
    postId: z.string().nullable(),
    /** As the service gave it last. */
    postStatus: z.string().nullable(),
    delivery: delivery.nullable(),
    error: rowErrorSchema.nullable(),
    /** When its state last changed, as far as that is known. */
    changedAt: z.iso.datetime().nullable(),
  })
  .meta({ id: 'ListedRow' });

/** A problem of a row, as a check reports it. */
const cellProblemSchema = problemSchema.omit({ line: true, key: true });

export const mediumSchema = z
  .strictObject({
    column: z.enum(['media', 'cover', 'ai_references']),
    /** Place among the media of its column, from 0. */
    index: z.int(),
    /** Path or URL, as written. */
    source: z.string(),
    kind: z.enum(['address', 'file', 'fault']),
    /** Of a file, detected from its first bytes. */
    contentType: z.string().nullable(),
    bytes: z.int().nullable(),
    /** Why a file cannot be shown. */
    fault: z.string().nullable(),
  })
  .meta({ id: 'Medium' });

export const writtenRowSchema = z
  .strictObject({
    /** Of the campaign. */
    id: z.string(),
    key: z.string(),
    /** In the sheet, from 1, without the header. */
    number: z.int(),
    /** Edits and decisions name it, so that they count only for the row as it was seen. */
    revision: z.int(),
    /** For each column of the sheet, in its order. `column` is null for a note. */
    cells: z.array(z.strictObject({ name: z.string(), column: z.string().nullable(), text: z.string() })),
    media: z.array(mediumSchema),
    /** URLs of generated media. */
    assets: z.array(z.string()),
    /** Its jobs that the queues still have. */
    jobs: z.array(z.strictObject({ queue: queueName, id: z.string() })),
    /** Why it cannot be edited now; null if it can. */
    locked: z.string().nullable(),
  })
  .meta({ id: 'WrittenRow' });

export const editedRowSchema = z.strictObject({
  id: z.string(),
  key: z.string(),
  changes: z.array(
    /** `name`: header of the column in the sheet, else its name. */
    z.strictObject({ column: z.string(), name: z.string(), before: z.string(), after: z.string() }),
  ),
  warnings: z.array(cellProblemSchema),
  /** Calls and AI outputs that posting it takes. */
  plan: retrySchema.shape.plan.unwrap(),
  /** `posted`: its post turned out to be published, so nothing was changed. Null in a dry run. */
  end: z.enum(['saved', 'posted']).nullable(),
  dryRun: z.boolean(),
});
