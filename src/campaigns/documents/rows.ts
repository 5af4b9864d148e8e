/** Rows of a campaign, as lists show them. */
import { z } from 'zod';
import { rowState } from './campaign.ts';
import { rowErrorSchema } from './row.ts';

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
