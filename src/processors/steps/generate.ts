/** Step `generate`: creates the AI generation schedule. Protected by the send journal, because a generation costs money. */
import { createHash } from 'node:crypto';
import { outputsMissing, progressField, type RowProgress } from '../../ledger/rows/row-progress.ts';
import { isUrl } from '../../manifest/cells/media-source.ts';
import { defined } from '../../manifest/defined.ts';
import { type Generation, type RowIndex, rowNumber } from '../../manifest/row.ts';
import { type GeneratePayload, generatePayload } from '../../queues/row-jobs.ts';
import type { AiGenerationSchedule, CreateAiGenerationSchedule } from '../../service/contract/generation.ts';
import { journalledCall } from '../runner/journalled-call.ts';
import { done, type Outcome } from '../runner/outcome.ts';
import { type RowInput, rowStep } from '../runner/step.ts';
import { notUploaded } from './upload.ts';

export const generateStep = rowStep<GeneratePayload>({
  step: 'generate',
  parse: (data) => generatePayload.parse(data),
  policy: ({ settings }) => ({ journalled: true, on500: settings.generation.on500 }),
  act: generate,
});

async function generate(input: RowInput<GeneratePayload>): Promise<Outcome> {
  const { payload, context } = input;
  const { generation } = input.target;
  if (!generation) return done;
  const taskId = generationTaskId(payload.campaign, payload.row, payload.n);
  const known = await context.ledger.rows.progress(payload.campaign, payload.row);
  const { maxOutputs, perMonth } = context.settings.spend;
  return journalledCall(input, {
    operation: 'createAiGenerationSchedule',
    effect: `gen${payload.n}`,
    spends: { outputs: outputsMissing(known, generation), mostOfCampaign: maxOutputs, mostOfMonth: perMonth },
    prepare: (progress) => {
      const references = referenceUrls(generation, progress);
      if (references === undefined) return notUploaded('Not all references of the generation are uploaded');
      const outputs = outputsMissing(progress, generation);
      const request = generationRequest(generation, { taskId, outputs, references });
      return async (isTooLate) => {
        const schedule = await context.service.client.generations.create(request, { isTooLate });
        return () => record(input, schedule, outputs);
      };
    },
  });
}

async function record(
  { context, run, payload, target: { generation } }: RowInput<GeneratePayload>,
  schedule: AiGenerationSchedule,
  outputs: number,
): Promise<void> {
  const since = Math.max(context.now(), generation?.execAt ?? 0);
  const generated = { scheduleId: schedule.scheduleId, taskIds: schedule.taskIds ?? [], outputs, since };
  const recorded = await run.finish({
    verdict: 'ok',
    fields: [[progressField.generation(payload.n), JSON.stringify(generated)]],
    detail: `schedule ${schedule.scheduleId}`,
  });
  if (recorded !== 'stale') return;
  const facts = { campaign: payload.campaign, row: rowNumber(payload.row), scheduleId: schedule.scheduleId };
  context.log.error(facts, 'generation created, but the row has another one, or is gone');
}

/** Our own task id: eight lowercase alphanumeric characters, derived from campaign, row and generation. */
export function generationTaskId(campaign: string, row: RowIndex, generation: number): string {
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
  const { businessId, businessType, promptId, execAt, name } = generation;
  const schedule = {
    taskId: options.taskId,
    nums: options.outputs,
    ...defined({ businessId, businessType, promptId, name }),
    ...(execAt !== undefined && { execAt: new Date(execAt).toISOString() }),
  };
  if (generation.type === 'IMAGE_GENERATION') {
    const { type, prompt, model, aspectRatio } = generation;
    return { type, params: { prompt, model, aspectRatio, ...referenceParams }, ...schedule };
  }
  const { type, prompt, model, seconds, size, watermark } = generation;
  const params = { prompt, model, seconds, size, ...(watermark !== undefined && { watermark }) };
  return { type, params: { ...params, ...referenceParams }, ...schedule };
}
