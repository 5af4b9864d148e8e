/** Plans the flow of a row: its remaining steps, without those that the ledger knows as done. */
import { latestGeneration, type RowProgress } from '../../ledger/rows/row-progress.ts';
import { isUrl } from '../../manifest/cells/media-source.ts';
import type { Generation, Row } from '../../manifest/row.ts';
import type { FlowPlan, GenerationPlan } from '../../queues/row-jobs.ts';

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
  const latest = latestGeneration(progress);
  return latest === 0 || progress.generationEnded === latest ? latest + 1 : undefined;
}

function planGeneration(generation: Generation, progress: RowProgress): GenerationPlan {
  const create = generationToCreate(progress);
  if (create === undefined) return { create, references: [] };
  const references = generation.references.flatMap((source, i) =>
    isUrl(source) || progress.references.has(i) ? [] : [i],
  );
  return { create, references };
}
