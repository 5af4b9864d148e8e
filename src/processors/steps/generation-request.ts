/** The request that creates a row's generation (contract, section 4.2). */
import { createHash } from 'node:crypto';
import type { CreateAiGenerationSchedule } from '../../api/contract/generation.ts';
import type { RowProgress } from '../../ledger/rows/row-progress.ts';
import { isUrl } from '../../manifest/cells/media-source.ts';
import type { Generation } from '../../manifest/row.ts';

/** Our own task id: eight lowercase alphanumeric characters, derived from campaign, row and generation. */
export function generationTaskId(campaign: string, row: number, generation: number): string {
  const digest = createHash('sha256').update(`${campaign}\0${row}\0${generation}`).digest();
  return digest.readBigUInt64BE().toString(36).padStart(8, '0').slice(-8);
}

/** URLs of a generation's references in order; undefined while a local reference is not uploaded. */
export function referenceUrls(generation: Generation, progress: RowProgress): readonly string[] | undefined {
  const urls: string[] = [];
  for (const [index, source] of generation.references.entries()) {
    const url = isUrl(source) ? source : progress.references.get(index);
    if (url === undefined) return undefined;
    urls.push(url);
  }
  return urls;
}

export function generationRequest(
  generation: Generation,
  options: { readonly taskId: string; readonly outputs: number; readonly references: readonly string[] },
): CreateAiGenerationSchedule {
  const { references } = options;
  const [only] = references;
  const isVideo = generation.type === 'VIDEO_GENERATION';
  const referenceParams =
    only === undefined
      ? {}
      : isVideo && references.length === 1
        ? { inputReference: only }
        : { inputReferences: [...references] };
  const schedule = {
    taskId: options.taskId,
    nums: options.outputs,
    ...(generation.businessId !== undefined && { businessId: generation.businessId }),
    ...(generation.businessType !== undefined && { businessType: generation.businessType }),
    ...(generation.promptId !== undefined && { promptId: generation.promptId }),
    ...(generation.execAt !== undefined && { execAt: new Date(generation.execAt).toISOString() }),
    ...(generation.name !== undefined && { name: generation.name }),
  };
  if (generation.type === 'IMAGE_GENERATION') {
    const { type, prompt, model, aspectRatio } = generation;
    return { type, params: { prompt, model, aspectRatio, ...referenceParams }, ...schedule };
  }
  const { type, prompt, model, seconds, size, watermark } = generation;
  const params = { prompt, model, seconds, size, ...(watermark !== undefined && { watermark }) };
  return { type, params: { ...params, ...referenceParams }, ...schedule };
}
