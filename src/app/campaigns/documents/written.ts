/** A row as the planner wrote it, and the result of an edit. */
import { z } from 'zod';
import { problemSchema } from '../../../manifest/problems/problem.ts';
import { retrySchema } from '../retry/left-out.ts';
import { queueName } from './progress.ts';

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
