/** One row and its history. */
import { z } from 'zod';
import type { RowError } from '../../ledger/states.ts';
import { type Document, isoTimeOf } from '../../runtime/documents.ts';
import type { ShownRow } from '../rows/show-row.ts';
import { rowState, stepName } from './campaign.ts';

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

export const rowSchema = z
  .strictObject({
    /** Of the campaign. */
    id: z.string(),
    key: z.string(),
    state: rowState,
    postId: z.string().nullable(),
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

export function rowDocument(
  id: string,
  { key, state, result, error, history }: ShownRow,
): Document<typeof rowSchema> {
  return {
    id,
    key,
    state,
    postId: result?.postId ?? null,
    error: error ? rowErrorDocument(error) : null,
    story: history.map(({ at, step = null, outcome, message = null, times }) => ({
      at: isoTimeOf(at),
      step,
      outcome,
      message,
      times,
    })),
  };
}

export function rowErrorDocument({
  step,
  code,
  message,
  cure,
  note,
}: RowError): Document<typeof rowErrorSchema> {
  return { step, code, message, cure: cure ?? null, note: note ?? null };
}
