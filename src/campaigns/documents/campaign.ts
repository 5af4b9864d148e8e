/** A campaign, and why rows were not posted. */
import { z } from 'zod';
import type { Campaign } from '../../ledger/campaigns.ts';
import { rowStates, steps } from '../../ledger/states.ts';
import type { Document } from './document.ts';

export const campaignState = z.enum(['running', 'paused', 'cancelling', 'ended']);
export const rowState = z.enum(rowStates);
export const stepName = z.enum(steps);
const isoTime = z.iso.datetime();

export const campaignSchema = z.strictObject({
  id: z.string(),
  name: z.string(),
  state: campaignState,
  rows: z.int(),
  /** Rows by state. */
  counts: z.record(rowState, z.int()),
  /** Successful steps. */
  steps: z.record(stepName, z.int()),
  paused: z.strictObject({ code: z.string(), message: z.string() }).optional(),
  /** Path of the manifest, as given by the user. */
  source: z.string(),
  sha256: z.string(),
  mediaRoot: z.string(),
  /** Rows that were not imported because of problems. */
  leftOut: z.int(),
  window: z.int(),
  account: z.string(),
  timezone: z.string().nullable(),
  createdAt: isoTime,
  endedAt: isoTime.nullable(),
  /** Milliseconds until its end without pauses, and without the time between an end and a retry. */
  workedMs: z.number().nullable(),
  cancelledAt: isoTime.nullable(),
  /** Rows. */
  canary: z.int().nullable(),
  /** Percent. */
  stopAfter: z.number().nullable(),
});

export const causeSchema = z.strictObject({
  state: z.enum(['failed', 'review']),
  code: z.string(),
  step: stepName,
  rows: z.int(),
  isEstimate: z.boolean(),
  subjects: z.array(z.string()),
  message: z.string(),
  note: z.string().optional(),
  cure: z.string().optional(),
  examples: z.array(z.string()),
  repair: z.enum(['retry', 'mend', 'settle', 'authorize']),
  commands: z.array(z.string()),
  /** Commands that decide about all of the rows: by a sheet, or that none of the calls had an effect. */
  forMany: z.strictObject({ sheet: z.array(z.string()), all: z.string() }).optional(),
});

/** A campaign as `list`, `show` and `run` print it. */
export function campaignDocument(campaign: Campaign): Document<typeof campaignSchema> {
  const { id, name, state, rows, counts, done, source, sha256, mediaRoot, leftOut, window } = campaign;
  const { account, timezone, canary, stopAfter } = campaign;
  return {
    ...{ id, name, state, rows, counts, steps: done },
    ...(campaign.pauseReason && { paused: campaign.pauseReason }),
    ...{ source, sha256, mediaRoot, leftOut, window, account, timezone },
    createdAt: new Date(campaign.createdAt).toISOString(),
    endedAt: isoOrNull(campaign.endedAt),
    workedMs: campaign.endedAt === undefined ? null : (campaign.workedMs ?? null),
    cancelledAt: isoOrNull(campaign.cancelledAt),
    ...{ canary, stopAfter },
  };
}

function isoOrNull(ms: number | undefined): string | null {
  return ms === undefined ? null : new Date(ms).toISOString();
}
