/** Creates AI generations (contract, section 4.2), and lists their tasks with the assets of completed ones (sections 2.3 and 4.3). */
import { randomBytes } from 'node:crypto';
import {
  type CreateAiGenerationSchedule,
  completedStatus,
  waitingStatuses,
} from '../../service/contract/generation.ts';
import { instantOf } from '../../service/contract/time-zone.ts';
import { faultOf } from '../faults/schema.ts';
import { badField, success } from '../http.ts';
import type { Generation, StoredSchedule, StoredTask } from '../store.ts';
import type { Handlers } from './operation.ts';

/** Most outputs of a strict sandbox; the contract has no bound. */
const strictOutputs = 100;
/** Most bytes of a list of tasks, each of which repeats the request, so that one call cannot fill the memory. */
const listBytes = 64 * 1024 * 1024;

export const generationHandlers: Pick<Handlers, 'createAiGenerationSchedule' | 'listAiTasksByScheduleId'> = {
  createAiGenerationSchedule(request, call, { store, strict }) {
    const held = Math.floor(listBytes / (1024 + 2 * Buffer.byteLength(JSON.stringify(request))));
    const most = strict ? Math.min(strictOutputs, held) : held;
    if (request.nums > most) throw badField('nums', `must be at most ${most}`);
    let turn = 0;
    let former = 0;
    for (const { request: other } of store.generations.values()) {
      if (other.type === request.type) turn += 1;
      if (other.params.prompt === request.params.prompt) former += 1;
    }
    const forced = faultOf(call, 'generation-outcome');
    const tasks = outcomesOf(request, former).map((outcome, position) => {
      return { position, taskId: taskIdOf(request.taskId, position), outcome: forced?.status ?? outcome };
    });
    const { scheduleId } = store.generations.put({
      scheduleId: `sch_${randomBytes(10).toString('hex')}`,
      call: call.number,
      at: call.at,
      beginAt: Math.max(call.at, instantOf(request.execAt ?? '') ?? 0),
      request,
      tasks,
      turn,
    });
    return success({ scheduleId, taskIds: tasks.map(({ taskId }) => taskId) });
  },

  listAiTasksByScheduleId({ scheduleId }, call, { store, speed, url }) {
    const schedule = store.generations.get(scheduleId);
    if (!schedule) throw badField('scheduleId', 'there is no such schedule');
    const forced = faultOf(call, 'task-status');
    const tasks = faultOf(call, 'empty-list') ? [] : schedule.tasks;
    const { type, params } = schedule.request;
    const createdAt = new Date(schedule.at).toISOString();
    const list = tasks.map((task) => {
      const { taskId } = task;
      const status = forced?.status ?? taskStatus(schedule, task, call.at, speed);
      const urls = status === completedStatus ? assets(schedule, task.position, url) : { result: null };
      return { taskId, scheduleId, type, model: params.model, params, createdAt, status, ...urls };
    });
    // The operation has no page parameters: all tasks are on one page.
    const total = list.length;
    const totalPages = total > 0 ? 1 : 0;
    return success({ list, total, pageNumber: 1, pageSize: Math.max(total, 10), totalPages });
  },
};

/** The caller's id names the first output; the others get a number. */
function taskIdOf(given: string | undefined, position: number): string {
  if (given === undefined) return randomBytes(4).toString('hex');
  return position === 0 ? given : `${given}-${position + 1}`;
}

interface AssetUrls {
  readonly asset: string;
  /** Leads to a file of the same type that is not the result. */
  readonly other: string;
  readonly thumbnailUrl: string;
  readonly coverUrl: string;
}

/**
 * The forms that the contract allows, which the tasks take in turns. In each, the first URL of its order of preference leads to
 * the result: `customResult.videoUrl`, `result.url` of videos, `result.url`, `resultUrl` of images. Any other leads elsewhere.
 */
const videoForms: readonly ((urls: AssetUrls) => object)[] = [
  ({ asset, other, thumbnailUrl, coverUrl }) => ({
    result: { url: other, thumbnailUrl },
    customResult: { videoUrl: asset, coverUrl },
  }),
  ({ asset, thumbnailUrl }) => ({ result: { url: asset, thumbnailUrl }, customResult: null }),
  ({ asset, coverUrl }) => ({ result: null, customResult: { videoUrl: asset, coverUrl } }),
  ({ asset, thumbnailUrl, coverUrl }) => ({
    result: { url: asset, thumbnailUrl },
    customResult: { videoUrl: null, coverUrl },
  }),
  ({ asset }) => ({ result: { url: asset, thumbnailUrl: null } }),
];
const imageForms: typeof videoForms = [
  ({ asset, other, thumbnailUrl }) => ({ result: { url: asset, thumbnailUrl }, resultUrl: other }),
  ({ asset, thumbnailUrl }) => ({ result: { url: null, thumbnailUrl }, resultUrl: asset }),
  ({ asset, thumbnailUrl }) => ({ result: { url: asset, thumbnailUrl }, customResult: null }),
  ({ asset }) => ({ result: null, resultUrl: asset }),
];

function assets({ scheduleId, request, turn }: Generation, position: number, url: string): object {
  const isVideo = request.type === 'VIDEO_GENERATION';
  const forms = isVideo ? videoForms : imageForms;
  const base = `${url}/assets/${scheduleId}/${position}`;
  const type = isVideo ? 'mp4' : 'png';
  const urls = {
    asset: `${base}.${type}`,
    other: `${base}.other.${type}`,
    thumbnailUrl: `${base}.thumbnail.png`,
    coverUrl: `${base}.cover.png`,
  };
  return forms[(turn + position) % forms.length]?.(urls) ?? {};
}

/** Never ends. */
const stuck = 'stuck';

/** Where each waiting state begins, as a fraction of the whole duration. */
const begins: readonly (readonly [number, string])[] = [
  [0.45, 'PROCESSING'],
  [0.2, 'PENDING'],
  [0.1, 'SUBMITTING'],
];

/** Milliseconds at speed 1. Longer videos take longer. */
const imageDuration = 20_000;
const videoDurationPerSecond = 10_000;

/** Words in a prompt, and the status that they end with. The contract names no failure statuses; these are ours. */
const promptWords: Readonly<Record<string, string>> = {
  fail: 'FAILED',
  cancel: 'CANCELLED',
  expire: 'EXPIRED',
  stuck,
  unknown: 'ARCHIVED',
};

const word = new RegExp(`\\[(${Object.keys(promptWords).join('|')})(?:( once)|:(\\d+))?\\]`, 'g');

/**
 * How each output of a generation will end, in order. `[fail]` applies to all outputs, `[fail:2]` to the second,
 * `[fail once]` to those of the first generation with that prompt.
 * @param former how many generations had the same prompt before.
 */
function outcomesOf(request: CreateAiGenerationSchedule, former: number): string[] {
  const outcomes = Array.from({ length: request.nums }, (): string => completedStatus);
  for (const [, name = '', once, position] of request.params.prompt.matchAll(word)) {
    if (once !== undefined && former > 0) continue;
    const outcome = promptWords[name] ?? completedStatus;
    if (position === undefined) outcomes.fill(outcome);
    else if (Number(position) >= 1 && Number(position) <= outcomes.length)
      outcomes[Number(position) - 1] = outcome;
  }
  return outcomes;
}

/** The status of one output. Later outputs of a schedule end a little later. */
export function taskStatus(
  { request, beginAt }: StoredSchedule,
  { position, outcome }: StoredTask,
  now: number,
  speed: number,
): string {
  const whole =
    request.type === 'IMAGE_GENERATION' ? imageDuration : request.params.seconds * videoDurationPerSecond;
  // Negative while the schedule waits for its `execAt`.
  const progress = ((now - beginAt) * speed) / (whole * (1 + position * 0.1));
  if (progress >= 1 && outcome !== stuck) return outcome;
  return begins.find(([from]) => progress >= from)?.[1] ?? waitingStatuses[0];
}
