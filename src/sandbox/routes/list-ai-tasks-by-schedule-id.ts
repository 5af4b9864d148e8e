/** Lists the tasks of a generation, with the assets of completed ones (contract, sections 2.3 and 4.3). */
import { completedStatus } from '../../api/contract/generation.ts';
import { taskStatus } from '../clocks/generation-clock.ts';
import { badField, success } from '../http/answer.ts';
import type { StoredSchedule, StoredTask } from '../store/generations.ts';
import { faultOf, route } from './route.ts';

export const listAiTasksByScheduleId = route(
  'listAiTasksByScheduleId',
  ({ scheduleId }, call, { store, speed, url }) => {
    const schedule = store.generations.find(scheduleId);
    if (!schedule) throw badField('scheduleId', 'there is no such schedule');
    const forced = faultOf(call, 'task-status');
    const tasks = faultOf(call, 'empty-list') ? [] : store.generations.tasks(scheduleId);
    const turn = store.generations.countBefore(schedule);
    const list = tasks.map((task) => {
      const status = forced?.status ?? taskStatus(schedule, task, call.at, speed);
      return {
        ...describe(schedule, task),
        status,
        ...(status === completedStatus
          ? assets(schedule, task.position, turn + task.position, url)
          : { result: null }),
      };
    });
    // The operation has no page parameters: all tasks are on one page.
    const total = list.length;
    return success({
      list,
      total,
      pageNumber: 1,
      pageSize: Math.max(total, 10),
      totalPages: total > 0 ? 1 : 0,
    });
  },
);

function describe({ scheduleId, at, request }: StoredSchedule, { taskId }: StoredTask) {
  const createdAt = new Date(at).toISOString();
  return {
    taskId,
    scheduleId,
    type: request.type,
    model: request.params.model,
    params: request.params,
    createdAt,
  };
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

function assets(
  { scheduleId, request }: StoredSchedule,
  position: number,
  turn: number,
  url: string,
): object {
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
  return forms[turn % forms.length]?.(urls) ?? {};
}
