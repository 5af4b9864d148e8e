/** Step `generate`: creates the AI generation schedule. Guarded by the send journal: what costs money is never made twice. */
import { progressField } from '../../ledger/row-progress.ts';
import { type GeneratePayload, generatePayload, generateQueue } from '../../queues/generate.ts';
import { longestWaitMs, type ProcessorContext } from '../frame/context.ts';
import { done, type Outcome } from '../frame/outcome.ts';
import { openStep, type StepDefinition, type StepInput } from '../frame/step.ts';
import { generationRequest, generationTaskId, referenceUrls } from './generation-request.ts';

const operation = 'createAiGenerationSchedule';

export const generateStep: StepDefinition<GeneratePayload> = {
  step: 'generate',
  queue: generateQueue,
  parse: (data) => generatePayload.parse(data),
  policy: ({ settings }) => ({ journalled: true, on500: settings.generation.on500 }),
  act: generate,
};

async function generate(context: ProcessorContext, input: StepInput<GeneratePayload>): Promise<Outcome> {
  const { row, run, payload, account } = input;
  if (!row.generation) return done;
  const turn = await account.budgets.take(operation, longestWaitMs);
  if (!turn.granted) return { kind: 'park', ms: turn.waitMs };

  context.failpoint('before-sending');
  const opened = await openStep(context, run, `gen${payload.n}`);
  if (!opened.ok) return opened.outcome;
  const references = referenceUrls(row.generation, opened.progress);
  if (!references) return missingReferences();
  const outputs = row.generation.count - opened.progress.assets.length;
  const taskId = generationTaskId(payload.c, payload.r, payload.n);
  const request = generationRequest(row.generation, { taskId, outputs, references });

  context.failpoint('after-sending');
  const schedule = await account.client.generations.create(request);
  context.failpoint('after-answer');
  const since = Math.max(context.now(), row.generation.execAt ?? 0);
  const record = { scheduleId: schedule.scheduleId, taskIds: schedule.taskIds ?? [], outputs, since };
  await run.finish({
    verdict: 'ok',
    fields: [[progressField.generation(payload.n), JSON.stringify(record)]],
  });
  context.failpoint('after-bookkeeping');
  return done;
}

/** Uploads of references were removed by hand. Nothing was sent. */
function missingReferences(): Outcome {
  const failure = {
    code: 'media_not_uploaded',
    message: 'Not all references of the generation are uploaded; jobs of this row were removed.',
    cure: 'Retry the row: what is missing is done again.',
  };
  return { kind: 'refused', failure };
}
