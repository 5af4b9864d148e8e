/** Rows of a campaign, as lists show them. */
import { z } from 'zod';
import { type Document, isoTimeOrNull } from '../../runtime/documents.ts';
import type { ListedRow } from '../rows/list.ts';
import { rowState } from './campaign.ts';
import { rowErrorDocument, rowErrorSchema } from './row.ts';

export const listedRowSchema = z
  .strictObject({
    key: z.string(),
    state: rowState,
    /** As the planner wrote it. */
    creator: z.string(),
    caption: z.string(),
    /** Title of the product, else its id. */
    product: z.string(),
    scheduledAt: z.iso.datetime().nullable(),
    postId: z.string().nullable(),
    postStatus: z.string().nullable(),
    error: rowErrorSchema.nullable(),
    /** When its state last changed, as far as that is known. */
    changedAt: z.iso.datetime().nullable(),
  })
  .meta({ id: 'ListedRow' });

export function listedRowDocument(row: ListedRow): Document<typeof listedRowSchema> {
  const { key, state, creator, caption, product, scheduledAt, result, error, changedAt } = row;
  return {
    key,
    state,
    creator,
    caption,
    product,
    scheduledAt: isoTimeOrNull(scheduledAt),
    postId: result?.postId ?? null,
    postStatus: result?.postStatus ?? null,
    error: error ? rowErrorDocument(error) : null,
    changedAt: isoTimeOrNull(changedAt),
  };
}
