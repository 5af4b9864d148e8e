/** Step `generate`: creates the AI generation schedule. Protected by the send journal, because a generation costs money. */
import type { AiGenerationSchedule } from '../../api/contract/generation.ts';
import { progressField, type RowProgress } from '../../ledger/rows/row-progress.ts';
import type { Generation } from '../../manifest/row.ts';
import { type GeneratePayload, generatePayload, generateQueue } from '../../queues/row-jobs.ts';
import { journalledCall } from '../frame/journalled-call.ts';
import { done, type Outcome } from '../frame/outcome.ts';
import { type RowInput, rowStep } from '../frame/row-step.ts';
import { generationRequest, generationTaskId, referenceUrls } from './generation-request.ts';

export const generateStep = rowStep<GeneratePayload>({
  step: 'generate',
  queue: generateQueue,
  parse: (data) => generatePayload.parse(data),
  policy: ({ settings }) => ({ journalled: true, on500: settings.generation.on500 }),
  act: generate,
});

async function generate(input: RowInput<GeneratePayload>): Promise<Outcome> {
  const { payload, account } = input;
  const { generation } = input.target;
  if (!generation) return done;
  const taskId = generationTaskId(payload.c, payload.r, payload.n);
  return journalledCall(input, {
    operation: 'createAiGenerationSchedule',
    effect: `gen${payload.n}`,
    prepare: (progress) => {
      const references = referenceUrls(generation, progress);
      if (references === undefined) return { refused: missingReferences() };
      const outputs = outputsLeft(generation, progress);
      return { request: generationRequest(generation, { taskId, outputs, references }) };
    },
    send: (request, isTooLate) => account.client.generations.create(request, { isTooLate }),
    record: (schedule, _request, progress) =>
      record(input, schedule, { generation, outputs: outputsLeft(generation, progress) }),
  });
}

function outputsLeft(generation: Generation, progress: RowProgress): number {
  return generation.count - progress.assets.length;
}

async function record(
  { context, run, payload }: RowInput<GeneratePayload>,
  schedule: AiGenerationSchedule,
  { generation, outputs }: { readonly generation: Generation; readonly outputs: number },
): Promise<void> {
  const since = Math.max(context.now(), generation.execAt ?? 0);
  const generated = { scheduleId: schedule.scheduleId, taskIds: schedule.taskIds ?? [], outputs, since };
  const recorded = await run.finish({
    verdict: 'ok',
    fields: [[progressField.generation(payload.n), JSON.stringify(generated)]],
    said: `schedule ${schedule.scheduleId}`,
  });
  if (recorded !== 'stale') return;
  const facts = { campaign: payload.c, row: payload.r + 1, scheduleId: schedule.scheduleId };
  context.log.error(facts, 'generation created, but the row has another one, or is gone');
}

/** Outcome if upload jobs of references were removed by hand. */
function missingReferences(): Outcome {
  const failure = {
    code: 'media_not_uploaded',
    message: 'Not all references of the generation are uploaded, because jobs of this row were removed.',
    cure: 'Retry the row: missing uploads are done again.',
  };
  return { kind: 'refused', failure };
}
