/** A campaign, and the causes of rows that were not posted. */

import { z } from 'zod';
import type { Campaign } from '../../../ledger/campaigns/campaign.ts';
import { rowStates } from '../../../ledger/states.ts';
import { commandField, commandsField, hintsField } from '../../../manifest/problems/hint.ts';
import { steps } from '../../../manifest/steps.ts';
import { type Document, isoTimeOf, isoTimeOrNull } from '../../runtime/documents.ts';

export const campaignState = z.enum(['running', 'paused', 'cancelling', 'ended']);
export const rowState = z.enum(rowStates);
export const stepName = z.enum(steps);
const isoTime = z.iso.datetime();

export const campaignSchema = z
  .strictObject({
    id: z.string(),
    name: z.string(),
    state: campaignState,
    rows: z.int(),
    counts: z.record(rowState, z.int()),
    steps: z.record(stepName, z.int()),
    paused: z.strictObject({ code: z.string(), message: z.string(), hints: hintsField }).optional(),
    /** Path of the manifest, as given by the user. */
    source: z.string(),
    sha256: z.string(),
    mediaRoot: z.string(),
    leftOut: z.int(),
    window: z.int(),
    timezone: z.string().nullable(),
    createdAt: isoTime,
    endedAt: isoTime.nullable(),
    /** The last planned time of its accepted posts: before it, an ended campaign still has posts to come. */
    plannedUntil: isoTime.nullable(),
    /** Milliseconds until its end without pauses, and without the time between an end and a retry. */
    workedMs: z.number().nullable(),
    cancelledAt: isoTime.nullable(),
    /** Rows. */
    canary: z.int().nullable(),
    /** What the rows of the canary are; null for the first ones of the sheet. */
    canaryOf: z.string().nullable(),
    /** Name of the person who started it, as far as that is known. */
    startedBy: z.string().nullable(),
    /** Percent. */
    stopAfter: z.number().nullable(),
  })
  .meta({ id: 'Campaign' });

/** `retry`: the same rows again. `mend`: change them in the sheet. `settle`: decide about each. `authorize`: the creator must. */
const repair = z.enum(['retry', 'mend', 'settle', 'authorize']);
export type RepairKind = z.infer<typeof repair>;

/** Rows that ended for the same reason. */
export const causeSchema = z
  .strictObject({
    state: z.enum(['failed', 'review']),
    code: z.string(),
    step: stepName,
    rows: z.int(),
    /** True if there are very many rows and only some were read: `rows` is an estimate. */
    isEstimate: z.boolean(),
    /** The files, products or creators concerned: the few with the most rows. */
    subjects: z.array(z.string()),
    /** When the first row that was read ended so. */
    since: isoTime.optional(),
    message: z.string(),
    /** What the publishing records have said about the first row since. */
    note: z.string().optional(),
    cure: z.string().optional(),
    /** Keys of the first few rows. */
    examples: z.array(z.string()),
    repair,
    /** Commands that repair these rows; if a person must decide about each row, those of the first rows. */
    commands: commandsField,
    hints: hintsField,
    /** Command that decides all of them at once: the call had no effect. Only if there are several to decide about. */
    forMany: commandField.optional(),
  })
  .meta({ id: 'Cause' });
/** Why rows failed or wait in review: rows with the same code, and what can be done about them. */
export type Cause = Document<typeof causeSchema>;

export function campaignDocument(campaign: Campaign): Document<typeof campaignSchema> {
  const { id, name, state, rows, counts, done, source, sha256, mediaRoot, leftOut, window } = campaign;
  const { timezone, canary, stopAfter } = campaign;
  return {
    id,
    name,
    state,
    rows,
    counts,
    steps: done,
    ...(campaign.pauseReason && { paused: campaign.pauseReason }),
    source,
    sha256,
    mediaRoot,
    leftOut,
    window,
    timezone,
    createdAt: isoTimeOf(campaign.createdAt),
    endedAt: isoTimeOrNull(campaign.endedAt),
    plannedUntil: isoTimeOrNull(campaign.plannedUntil),
    workedMs: campaign.endedAt === undefined ? null : (campaign.workedMs ?? null),
    cancelledAt: isoTimeOrNull(campaign.cancelledAt),
    canary,
    canaryOf: campaign.canaryOf ?? null,
    startedBy: campaign.startedBy ?? null,
    stopAfter,
  };
}
