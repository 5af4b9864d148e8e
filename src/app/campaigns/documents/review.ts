/** Rows in review beside the publishing records that a person compares them with, and decisions about several rows. */
import { z } from 'zod';
import { rowState } from './campaign.ts';
import { mediumSchema, rowErrorSchema } from './row.ts';

const isoTime = z.iso.datetime().nullable();

/** A publishing record that may be the post of the row. */
const candidateSchema = z.strictObject({
  postId: z.string(),
  status: z.string().nullable(),
  title: z.string().nullable(),
  /** The caption is only alike. */
  isSimilar: z.boolean(),
  productId: z.string().nullable(),
  /** The record names files, and they are those of the row. */
  hasFiles: z.boolean(),
  scheduledAt: isoTime,
  createdAt: isoTime,
});

export const reviewRowSchema = z
  .strictObject({
    /** Id of the campaign. */
    campaign: z.string(),
    campaignName: z.string(),
    key: z.string(),
    /** In the campaign, from 0. */
    position: z.int(),
    /** A decision counts only for this revision. */
    revision: z.int(),
    /** Subject of the decision. */
    about: z.enum(['post', 'generation']),
    error: rowErrorSchema,
    /** As of the last look into the publishing records; `lookedAt` is null before the first one. */
    candidates: z.array(candidateSchema),
    lookedAt: isoTime,
    /** Whether a late enough search of all records did not find the post. If false, the post may exist. */
    isNotFound: z.boolean(),
    /** When the call of unknown outcome was sent. */
    sentAt: isoTime,
    scheduleId: z.string().nullable(),
    /** AI outputs that another generation would make. */
    outputs: z.int(),
    creator: z.string(),
    caption: z.string(),
    product: z.string(),
    productId: z.string().nullable(),
    scheduledAt: isoTime,
    /** The first of its media. */
    medium: mediumSchema.nullable(),
  })
  .meta({ id: 'ReviewRow' });

export const chosenSchema = z.strictObject({
  /** By campaign and position. Rows that do not exist are left out. */
  decisions: z.array(
    z.strictObject({
      campaign: z.string(),
      key: z.string(),
      position: z.int(),
      decision: z.enum(['posted', 'not-posted', 'generated', 'not-generated']),
      /** State of the row afterwards; null if the decision was refused. */
      state: rowState.nullable(),
      /** Why it was refused. */
      refused: z.string().nullable(),
    }),
  ),
  dryRun: z.boolean(),
});

export const lookedSchema = z.strictObject({
  /** Rows that were looked for. */
  rows: z.int(),
  /** Rows whose post was found. */
  found: z.int(),
  /** The search takes longer than a caller waits, and goes on. */
  isSlow: z.boolean(),
});
