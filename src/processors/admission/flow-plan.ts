/** Plans and adds the flow of a row: its remaining steps, without those that the ledger knows as done. */

import {
  emptyRowProgress,
  hasLastingReference,
  isGenerating,
  latestGeneration,
  type RowProgress,
} from '../../ledger/rows/row-progress.ts';
import { isUrl } from '../../manifest/cells/media-source.ts';
import type { Generation, Row, RowVersion } from '../../manifest/row.ts';
import type { RowToQueue } from '../../queues/queues.ts';
import type { FlowPlan, GenerationPlan } from '../../queues/row-jobs.ts';
import { type CampaignView, UnreadableRowError } from '../runner/campaign-view.ts';
import type { ProcessorContext } from '../runner/context.ts';

export function planFlow(row: Row, progress: RowProgress): FlowPlan {
  const uploads: FlowPlan['uploads'][number][] = [];
  if (row.cover?.kind === 'file' && !progress.cover) uploads.push({ of: 'cover', i: 0 });
  if (!row.generation) {
    row.media.forEach((_source, i) => {
      if (!progress.files.has(i)) uploads.push({ of: 'media', i });
    });
    return { uploads, generation: undefined };
  }
  if (progress.assets.length < row.generation.count) {
    return { uploads, generation: planGeneration(row.generation, progress) };
  }
  progress.assets.forEach((_url, i) => {
    if (!progress.files.has(i)) uploads.push({ of: 'asset', i });
  });
  return { uploads, generation: undefined };
}

/** Number of the generation to create next; undefined while the latest one is still to be polled. */
export function generationToCreate(progress: RowProgress): number | undefined {
  return isGenerating(progress) ? undefined : latestGeneration(progress) + 1;
}

function planGeneration(generation: Generation, progress: RowProgress): GenerationPlan {
  const create = generationToCreate(progress);
  if (create === undefined) return { create, references: [] };
  const references = generation.references.flatMap((source, i) =>
    isUrl(source) || hasLastingReference(progress, i) ? [] : [i],
  );
  return { create, references };
}

interface RunningRow extends RowVersion {
  /** Default: read from the ledger. */
  readonly progress?: RowProgress | undefined;
}

/** Adds the flows of running rows. Existing flows stay as they are. */
export async function queueRows(
  context: ProcessorContext,
  view: CampaignView,
  rows: readonly RunningRow[],
): Promise<void> {
  const current = (await context.views.openFor(view.campaign.id, rows)) ?? view;
  const unknown = rows.filter(({ progress }) => progress === undefined).map(({ row }) => row);
  const records = await context.ledger.rows.progressOf(view.campaign.id, unknown);
  const progressOf = new Map(unknown.map((row, index) => [row, records[index]]));
  // A paused post must not hold up uploads.
  const isPaused = await context.queues.isPaused('post');
  const flows = rows.map(async ({ row, revision, progress = progressOf.get(row) ?? emptyRowProgress }) => {
    return rowToQueue(current, { row, revision, progress }, isPaused);
  });
  await context.queues.addFlows(await Promise.all(flows));
}

/** Whether all that is left before the post is the upload of one local file, which needs no job of its own. */
function lacksOnlyItsFile({ media: [source, ...others] }: Row, { uploads, generation }: FlowPlan): boolean {
  const [upload, ...further] = uploads;
  if (source === undefined || isUrl(source) || upload?.of !== 'media') return false;
  return others.length === 0 && further.length === 0 && generation === undefined;
}

async function rowToQueue(
  view: CampaignView,
  { row, revision, progress }: Required<RunningRow> & { readonly progress: RowProgress },
  isPostPaused: boolean,
): Promise<RowToQueue> {
  const ref = { campaign: view.campaign.id, row, revision };
  try {
    const spec = await view.row(row);
    const plan = planFlow(spec, progress);
    const postUploads = !isPostPaused && lacksOnlyItsFile(spec, plan);
    return { ...ref, plan: postUploads ? { ...plan, uploads: [], postUploads } : plan };
  } catch (error) {
    if (!(error instanceof UnreadableRowError)) throw error;
    // Queues only the post job, which reports on the row that it cannot be read.
    return { ...ref, plan: { uploads: [], generation: undefined } };
  }
}
