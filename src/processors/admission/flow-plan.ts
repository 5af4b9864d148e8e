/** What is left to do for a row: its flow, without what the ledger knows as done. */
import { latestGeneration, type Work } from '../../ledger/work.ts';
import { isUrl } from '../../manifest/media-source.ts';
import type { Generation, Row } from '../../manifest/row.ts';
import type { FlowPlan, GenerationPlan } from '../../queues/flow.ts';

export function planFlow(row: Row, work: Work): FlowPlan {
  const uploads: FlowPlan['uploads'][number][] = [];
  if (row.cover?.kind === 'file' && !work.cover) uploads.push({ of: 'cover', i: 0 });
  if (!row.generation) {
    row.media.forEach((_source, i) => {
      if (!work.files.has(i)) uploads.push({ of: 'media', i });
    });
    return { uploads, generation: undefined };
  }
  if (work.assets.length < row.generation.count) {
    return { uploads, generation: planGeneration(row.generation, work) };
  }
  work.assets.forEach((_url, i) => {
    if (!work.files.has(i)) uploads.push({ of: 'asset', i });
  });
  return { uploads, generation: undefined };
}

/** The generation to create next, or undefined where the newest one is still to be polled. */
export function generationToCreate(work: Work): number | undefined {
  const latest = latestGeneration(work);
  return latest === 0 || work.generationEnded === latest ? latest + 1 : undefined;
}

function planGeneration(generation: Generation, work: Work): GenerationPlan {
  const create = generationToCreate(work);
  if (create === undefined) return { create, references: [] };
  const references = generation.references.flatMap((source, i) =>
    isUrl(source) || work.references.has(i) ? [] : [i],
  );
  return { create, references };
}
