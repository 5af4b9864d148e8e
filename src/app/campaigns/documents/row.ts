/** A row: with its history, and as lists show it. */
import { z } from 'zod';
import { deliveries } from '../../../ledger/rows/deliveries.ts';
import type { RowError } from '../../../ledger/states.ts';
import type { Document } from '../../runtime/documents.ts';
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
