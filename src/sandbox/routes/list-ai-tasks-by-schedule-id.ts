/** Lists the tasks of a generation, with the assets of completed ones (contract, sections 2.3 and 4.3). */
import { completedStatus } from '../../api/contract/generation.ts';
import { taskStatus } from '../clocks/generation-clock.ts';
import { badField, success } from '../http/answer.ts';
import { assetUrl } from '../http/urls.ts';
import type { StoredSchedule, StoredTask } from '../store/generations.ts';
import { faultOf, route } from './route.ts';

export const listAiTasksByScheduleId = route(
  'listAiTasksByScheduleId',
  ({ scheduleId }, call, { store, speed, url }) => {
    const schedule = store.generations.find(scheduleId);
    if (!schedule) throw badField('scheduleId', 'there is no such schedule');
    const forced = faultOf(call, 'task-status');
    const tasks = faultOf(call, 'empty-list') ? [] : store.generations.tasks(scheduleId);
    const list = tasks.map((task) => {
      const status = forced?.status ?? taskStatus(schedule, task, call.at, speed);
      return {
        ...describe(schedule, task),
        status,
        ...(status === completedStatus && assets(schedule, task.position, url)),
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

function assets({ scheduleId, request }: StoredSchedule, position: number, url: string) {
  if (request.type === 'IMAGE_GENERATION') {
    const image = assetUrl(url, scheduleId, position, 'png');
    return { result: { url: image, thumbnailUrl: image }, resultUrl: image };
  }
  const videoUrl = assetUrl(url, scheduleId, position, 'mp4');
  const coverUrl = assetUrl(url, scheduleId, position, 'cover.png');
  return { result: { url: videoUrl, thumbnailUrl: coverUrl }, customResult: { videoUrl, coverUrl } };
}
