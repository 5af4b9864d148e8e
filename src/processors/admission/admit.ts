/**
 * The admission of one campaign: fills the window with waiting rows, and sleeps while it is full. So Redis has jobs for the
 * window only, not for the whole manifest. The ledger records each decision before anything is queued.
 */

import type { Job } from 'bullmq';
import { LRUCache } from 'lru-cache';
import type { Campaign } from '../../ledger/campaigns/campaign.ts';
import { remembered } from '../../ledger/remembered.ts';
import { progressField, type RowProgress } from '../../ledger/rows/row-progress.ts';
import type { RowIndex } from '../../manifest/row.ts';
import { identifyMedia } from '../../service/media/source.ts';
import { queueAgain } from '../rescue/lost-jobs.ts';
import type { CampaignView } from '../runner/campaign-view.ts';
import type { ProcessorContext } from '../runner/context.ts';
import { done, type JobOutcome } from '../runner/outcome.ts';
import { queueRows } from './flow-plan.ts';
import { deferRepeats, nextRows, type WaitingRow } from './next-rows.ts';
import { type MissingProduct, missingProducts, packGroups } from './showcase-groups.ts';

/** More rows at once would block Redis for tens of milliseconds. */
const rowsAtOnce = 1000;
const sleepMs = 2000;
/** This many rows keep the workers busy, so rows that share a file with one of them can wait. */
const busyRows = 100;

/** Runs the admission of a campaign until the window is full or no row waits. */
export async function admit(
  context: ProcessorContext,
  id: string,
  job: Pick<Job, 'attemptsStarted' | 'attemptsMade' | 'stalledCounter'>,
): Promise<JobOutcome> {
  const { admission, campaigns } = context.ledger;
  const first = await context.views.open(id, await campaigns.sheetVersion(id));
  if (!first) return done;
  // Jobs of earlier decisions can be missing only after a crash. The rescuer checks regularly as well.
  if (job.attemptsStarted <= 1 || job.attemptsMade > 0 || job.stalledCounter > 0)
    await queueAgain(context, first);
  /** Rows that were woken and are not admitted yet: they go first. */
  let due = 0;
  for (;;) {
    const campaign = await readCampaign(context, id);
    const view = campaign && (await context.views.open(id, campaign.sheetVersion));
    if (!view || campaign.state !== 'running') return done;
    const woken = await wakeReady(context, campaign);
    due += woken;
    if (woken > 0) {
      context.failpoint('after-wake');
      continue;
    }
    // The canary admits no more rows. The campaign pauses itself once the admitted ones have ended.
    if (campaign.canaryWindow === 0) return { kind: 'again', at: context.now() + sleepMs };
    let inFlight = inFlightOf(campaign);
    const window = roomFor(campaign, due);
    if (window > 0 && campaign.counts.waiting > campaign.held) {
      const admitted = await admitRows(context, view, campaign, Math.min(window, rowsAtOnce));
      due = Math.max(0, due - admitted.rows);
      if (!admitted.windowLeft) continue;
      inFlight += admitted.rows;
    }
    const state = await admission.sleep(id, inFlight);
    if (state === 'asleep') return { kind: 'again', at: context.now() + sleepMs };
    if (state !== 'awake') return done;
  }
}

/** Reads a campaign, and first releases decided rows that have waited long enough. */
async function readCampaign({ ledger }: ProcessorContext, id: string): Promise<Campaign | undefined> {
  const campaign = await ledger.campaigns.find(id);
  if (campaign === undefined || campaign.held === 0) return campaign;
  return (await ledger.admission.releaseHeld(id)) > 0 ? ledger.campaigns.find(id) : campaign;
}

const inFlightOf = ({ counts, asleep }: Campaign) => counts.running - asleep;

/** How many rows may be admitted now. @param due woken rows, which may go beyond the window. */
function roomFor(campaign: Campaign, due: number): number {
  const free = campaign.window - inFlightOf(campaign);
  const room = Math.max(free, Math.min(due, free + spareOf(campaign)));
  return Math.min(room, campaign.canaryWindow ?? Number.POSITIVE_INFINITY);
}

/** Rows beyond the window that may be due and need only their post: long generations may fill the window. */
const spareOf = ({ window }: Campaign) => Math.ceil(window / 8);
/** More would block Redis for too long. */
const wokenAtOnce = 200;

/** Wakes ready rows that are due, no more than there is room for, so that the nearest times go first. @returns how many. */
async function wakeReady({ ledger }: ProcessorContext, campaign: Campaign): Promise<number> {
  const { id, counts, window } = campaign;
  if (counts.ready === 0) return 0;
  const room = window + spareOf(campaign) - inFlightOf(campaign) - (await ledger.admission.countRedo(id));
  return room > 0 ? ledger.admission.wakeReady(id, Math.min(room, wokenAtOnce)) : 0;
}

async function admitRows(
  context: ProcessorContext,
  view: CampaignView,
  campaign: Campaign,
  window: number,
): Promise<{ readonly rows: number; readonly windowLeft: boolean }> {
  const next = await nextRows(context, view, campaign, window);
  const known = await uploadedBefore(context, view, next.candidates);
  const filesOf = (candidate: WaitingRow) => filesToUpload(candidate, known.get(candidate.row));
  const candidates = deferRepeats(next.candidates, filesOf, busyRows);
  const windowLeft = candidates.length < next.candidates.length;
  const missing = await missingProducts(context.ledger, view, candidates);
  const grouped = new Set(missing.map((wish) => wish.row));
  const ahead = await productsAhead(context, view, next.waiting, { candidates, missing });
  const groups = packGroups(missing, ahead);
  const admitted = await context.ledger.admission.admit({
    campaign: campaign.id,
    sheetId: view.campaign.sheetId,
    number: campaign.admissions,
    cursor: next.cursorAfter(candidates),
    groups,
    rows: candidates.map(({ row, revision }) => ({
      row,
      revision,
      atOnce: !grouped.has(row),
      fields: (known.get(row) ?? []).map(([index, fileId]) => [progressField.file(index), fileId] as const),
    })),
  });
  if (!admitted) return { rows: 0, windowLeft: false };
  const direct = candidates.filter(({ row }) => admitted.rows.has(row) && !grouped.has(row));
  await context.queues.addShowcaseJobs(admitted.groups.map((group) => ({ campaign: campaign.id, group })));
  const running = direct.map(({ row, revision, progress }) => {
    return { row, revision, progress: withFiles(progress, known.get(row)) };
  });
  await queueRows(context, view, running);
  await context.ledger.admission.flowsAdded(campaign.id, direct);
  return { rows: admitted.rows.size, windowLeft };
}

/** Products of rows that are not admitted yet, for creators who need an addition anyway. */
function productsAhead(
  { ledger }: ProcessorContext,
  view: CampaignView,
  waiting: readonly WaitingRow[],
  now: { readonly candidates: readonly WaitingRow[]; readonly missing: readonly MissingProduct[] },
): Promise<readonly MissingProduct[]> {
  const admitted = new Set(now.candidates.map(({ row }) => row));
  const creators = new Set(now.missing.map(({ creator }) => creator));
  const rows = waiting.filter(({ row, showcaseOf = '' }) => !admitted.has(row) && creators.has(showcaseOf));
  return missingProducts(ledger, view, rows, (known) => known === undefined);
}

/** Given media of the row that the service is not known to have. */
function filesToUpload({ spec, progress }: WaitingRow, known: KnownFiles = []): readonly string[] {
  const there = new Set([...progress.files.keys(), ...known.map(([index]) => index)]);
  return (spec?.media ?? []).filter((_source, index) => !there.has(index));
}

function withFiles(progress: RowProgress, known: KnownFiles | undefined): RowProgress {
  return known ? { ...progress, files: new Map([...progress.files, ...known]) } : progress;
}

type KnownFiles = readonly (readonly [index: number, fileId: string])[];

type Identities = LRUCache<string, Promise<string | undefined>>;

/** File identities by source, cached briefly. Not shared between campaigns: a file may have changed since another one sent it. */
const identitiesOf = new WeakMap<CampaignView, Identities>();

/** @returns by row: position and file id of each medium that the service has. */
async function uploadedBefore(
  context: ProcessorContext,
  view: CampaignView,
  candidates: readonly WaitingRow[],
): Promise<ReadonlyMap<number, KnownFiles>> {
  const wanted: { row: RowIndex; index: number; identity: Promise<string | undefined> }[] = [];
  for (const { row, spec, progress } of candidates) {
    spec?.media.forEach((source, index) => {
      if (progress.files.has(index)) return;
      wanted.push({ row, index, identity: identify(view, source) });
    });
  }
  const sources: string[] = [];
  const askedFor: typeof wanted = [];
  for (const item of wanted) {
    const identity = await item.identity;
    if (identity === undefined) continue;
    sources.push(identity);
    askedFor.push(item);
  }
  const files = await context.ledger.files.findBySource(sources);
  const known = new Map<number, (readonly [number, string])[]>();
  askedFor.forEach(({ row, index }, position) => {
    const file = files[position];
    if (!file) return;
    const ofRow = known.get(row) ?? [];
    ofRow.push([index, file.fileId]);
    known.set(row, ofRow);
  });
  return known;
}

function identify(view: CampaignView, source: string): Promise<string | undefined> {
  const identities: Identities = identitiesOf.get(view) ?? new LRUCache({ max: 5000, ttl: 1000 });
  identitiesOf.set(view, identities);
  return remembered(identities, source, () => identifyMedia(source, view.campaign.mediaRoot));
}
