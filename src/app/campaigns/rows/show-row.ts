/** One row: its history, and what its page shows besides: its cells, its media, its jobs, and the adjacent rows. */
import { z } from 'zod';
import type { Campaign } from '../../../ledger/campaigns/campaign.ts';
import type { HistoryEntry } from '../../../ledger/rows/histories.ts';
import { shownState } from '../../../ledger/rows/query.ts';
import { type Delivery, deliveryOf, type PostedResult } from '../../../ledger/rows/results.ts';
import { lineOf, type StoredRow } from '../../../ledger/rows/stored-rows.ts';
import type { RowError, RowState } from '../../../ledger/states.ts';
import { unguardFormula } from '../../../manifest/cells/formula-guard.ts';
import { meaningsOf, textIn } from '../../../manifest/headers/header.ts';
import type { RowPlace } from '../../../manifest/problems/problem.ts';
import { createImportedRowReader, type ImportedSheet } from '../../../manifest/reader.ts';
import { pollJobId, postJobId } from '../../../queues/row-jobs.ts';
import { type Document, delivery, isoTime, isoTimeOf, rowState, stepName } from '../../runtime/documents.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { type CampaignRef, findCampaign, findRow, rowNotFound } from '../find.ts';
import { deliveryRules } from '../post-status.ts';
import { queueName } from '../queues.ts';
import { whyNotEditable } from './edit.ts';
import { rowErrorDocument, rowErrorSchema } from './list.ts';
import { listMedia, mediumSchema, type ShownMedium } from './media.ts';

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
    jobs: z.array(z.strictObject({ queue: queueName, id: z.string() })),
    /** Why it cannot be edited now; null if it can. */
    locked: z.string().nullable(),
  })
  .meta({ id: 'WrittenRow' });

export interface ShownRow {
  readonly key: string;
  /** `line 5`, of a row without a key of its own. */
  readonly place: string | undefined;
  /** Position in the campaign, from 0. */
  readonly position: number;
  /** How often the row was changed or redone, modulo 256. */
  readonly revision: number;
  /** State as shown to people. */
  readonly state: RowState;
  readonly result: PostedResult | undefined;
  /** What is known of its post, if that is accepted. */
  readonly delivery: Delivery | undefined;
  /** Planned time of an accepted post that is still to come; undefined for any other. Unix epoch, milliseconds. */
  readonly scheduledAt: number | undefined;
  /** Until when a ready row waits here; undefined for any other. Unix epoch, milliseconds. */
  readonly readyUntil: number | undefined;
  /** Whether it is ready, and waits for an approval. */
  readonly isUnapproved: boolean;
  /** Who approved it, as long as it is ready and that can be withdrawn. */
  readonly approvedBy: string | undefined;
  readonly assets: readonly string[];
  /** Why it failed, or waits for a decision. */
  readonly error: RowError | undefined;
  /** The latest fifty entries, oldest first. For a row that succeeded at the first attempt, only its start and its post. */
  readonly history: readonly HistoryEntry[];
}

type Written = Document<typeof writtenRowSchema>;

export interface ReadRow extends RowPlace {
  readonly campaign: Campaign;
  readonly row: ShownRow;
  /** Number in the sheet, from 1, without the header. */
  readonly number: number;
  readonly stored: StoredRow;
  /** When it is planned to be posted; undefined: at once. Unix epoch, milliseconds. */
  readonly plannedAt: number | undefined;
  /** As the planner wrote them, for each column of the sheet. */
  readonly cells: Written['cells'];
  /** With what is appended to it. */
  readonly caption: string;
  readonly media: readonly ShownMedium[];
  readonly jobs: Written['jobs'];
  /** Keys of the adjacent rows. For a row that failed or is in review: of the nearest rows in the same state. */
  readonly beside: { readonly before: string | undefined; readonly after: string | undefined };
}

/** One row with its history. @throws {UseCaseError} `campaign_not_found`, `row_not_found`. */
export async function showRow(
  runtime: Pick<Runtime, 'ledger' | 'settings' | 'now'>,
  ref: CampaignRef,
  key: string,
): Promise<ShownRow> {
  return readHistory(runtime, await findCampaign(runtime, ref), key);
}

/** @throws {UseCaseError} `campaign_not_found`, `row_not_found`. */
export async function readRow(
  runtime: Pick<Runtime, 'ledger' | 'queues' | 'views' | 'settings' | 'now'>,
  id: string,
  key: string,
): Promise<ReadRow> {
  const campaign = await findCampaign(runtime, id);
  const row = await readHistory(runtime, campaign, key);
  const stored = await runtime.ledger.store.read(campaign, row.position);
  const [media, jobs, before, after] = await Promise.all([
    listMedia(runtime, campaign, row.position),
    findJobs(runtime, campaign, row),
    keyBeside(runtime, campaign, row, -1),
    keyBeside(runtime, campaign, row, 1),
  ]);
  const cells = writtenCells(campaign, stored);
  const { header } = createImportedRowReader(campaign);
  const caption = textIn(header, 'caption', stored.cells).trim();
  const plannedAt = scheduleIn(campaign, stored);
  const beside = { before, after };
  const { number, worksheet } = stored;
  const place = { line: lineOf(stored), worksheet };
  return { campaign, row, number, ...place, stored, plannedAt, cells, caption, media, jobs, beside };
}

async function readHistory(
  runtime: Pick<Runtime, 'ledger' | 'settings' | 'now'>,
  campaign: Campaign,
  key: string,
): Promise<ShownRow> {
  const { ledger } = runtime;
  const { id } = campaign;
  const position = await findRow(runtime, campaign, key);
  const [outcome, history] = await Promise.all([
    ledger.rows.outcome(id, position),
    ledger.histories.read(id, position),
  ]);
  if (outcome === undefined) throw rowNotFound(id, key);
  const { revision, result, assets, error } = outcome;
  const state = shownState(campaign, outcome.state);
  const told = history.length === 0 && result ? timesOf(result) : history;
  const delivery = state === 'posted' && result ? deliveryOf(result, deliveryRules(runtime)) : undefined;
  const scheduledAt =
    delivery === 'scheduled' ? scheduleIn(campaign, await ledger.store.read(campaign, position)) : undefined;
  const readyUntil = state === 'ready' ? await ledger.admission.readyAt(id, position) : undefined;
  const ready = state === 'ready' ? [position] : [];
  const [[isUnapproved = false], [isForItsDay = false], [approval]] = await Promise.all([
    ledger.approvals.areAt(id, 'unapproved', ready),
    ledger.approvals.areAt(id, 'ready', ready),
    ledger.approvals.of(id, ready),
  ]);
  const approvedBy = isForItsDay && approval?.is === 'approved' ? approval.by : undefined;
  const place = await ledger.rowKeys.placeOf(campaign, position);
  const shown = { key, place, position, revision, state, result, delivery };
  return { ...shown, scheduledAt, readyUntil, isUnapproved, approvedBy, assets, error, history: told };
}

/** As the sheet has it, to the second. */
function scheduleIn(sheet: ImportedSheet, stored: StoredRow): number | undefined {
  return createImportedRowReader(sheet).row(stored)?.schedule?.at;
}

function timesOf({ at, tookSeconds, postId }: PostedResult): readonly HistoryEntry[] {
  const posted = { at, step: 'post' as const, outcome: 'posted', message: postId, times: 1 };
  if (tookSeconds === undefined) return [posted];
  const begunAt = at - tookSeconds * 1000;
  return [{ at: begunAt, step: undefined, outcome: 'begun', message: undefined, times: 1 }, posted];
}

function writtenCells(sheet: ImportedSheet, { cells }: StoredRow): Written['cells'] {
  const { header } = createImportedRowReader(sheet);
  const meanings = meaningsOf(header);
  return header.names.map((name, position) => {
    return { name, column: meanings.get(position) ?? null, text: unguardFormula(cells[position] ?? '') };
  });
}

async function findJobs(
  { queues }: Pick<Runtime, 'queues'>,
  { id }: Campaign,
  { position, revision }: ShownRow,
): Promise<Written['jobs']> {
  const payload = { campaign: id, row: position, revision };
  const possible: Written['jobs'] = [
    { queue: 'post', id: postJobId(payload) },
    { queue: 'poll', id: pollJobId(payload) },
  ];
  const jobs = possible.map(async ({ queue, id: job }) => (await queues.queue(queue)).getJob(job));
  const found = await Promise.all(jobs);
  return possible.filter((_job, index) => found[index] !== undefined);
}

/** @param way -1 for the row before, 1 for the row after. */
async function keyBeside(
  { ledger }: Pick<Runtime, 'ledger'>,
  campaign: Campaign,
  { position, state }: ShownRow,
  way: -1 | 1,
): Promise<string | undefined> {
  const from = position + way;
  if (from < 0 || from >= campaign.rows) return undefined;
  const filter = state === 'failed' || state === 'review' ? { state } : {};
  const { rows } = await ledger.query.page(campaign, filter, { from, descending: way < 0, limit: 1 });
  return rows[0] === undefined ? undefined : ledger.rowKeys.of(campaign, rows[0]);
}

export function rowDocument(
  id: string,
  { key, state, result, delivery, error, history }: ShownRow,
): Document<typeof rowSchema> {
  return {
    id,
    key,
    state,
    postId: result?.postId ?? null,
    delivery: delivery ?? null,
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

export function writtenRowDocument(read: ReadRow): Written {
  const { campaign, row, number, cells, media, jobs } = read;
  return {
    id: campaign.id,
    key: row.key,
    number,
    revision: row.revision,
    jobs,
    assets: row.assets,
    cells,
    media,
    locked: whyNotEditable(campaign, row.state) ?? null,
  };
}
