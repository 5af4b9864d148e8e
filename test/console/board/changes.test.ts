import { appRoutes } from '@bull-board/api/dist/routes.js';
import { describe, expect, it } from 'vitest';
import { isChange, refusalOf } from '../../../src/console/board/guard.ts';

const job = '/api/queues/:queueName/:jobId';
const queue = '/api/queues/:queueName';

function judge(change: string, params: Record<string, string> = {}): string | undefined {
  const [method = '', route = ''] = change.split(' ');
  return refusalOf({ method, route, params });
}

describe('changes in Bull Board', () => {
  it('are all covered, for the installed version', () => {
    const changes = appRoutes.api
      .flatMap(({ method, route }) => [method].flat().map((one) => ({ method: one, route: String(route) })))
      .filter(({ method }) => isChange(method));
    const undecided = changes.filter(
      (change) =>
        refusalOf({ ...change, params: {} }) === refusalOf({ method: 'put', route: '/new', params: {} }),
    );
    expect(changes.length).toBeGreaterThan(20);
    expect(undecided).toEqual([]);
  });

  it.each([
    [`put ${job}/retry`, {}],
    [`put ${queue}/retry/:queueStatus`, { queueStatus: 'failed' }],
    [`put ${job}/clean`, {}],
    [`put ${queue}/clean/:queueStatus`, { queueStatus: 'failed' }],
    [`put ${queue}/clean/:queueStatus`, { queueStatus: 'completed' }],
    [`put ${job}/promote`, { queueName: 'poll' }],
    [`put ${queue}/promote`, { queueName: 'post' }],
    [`put ${queue}/pause`, {}],
    ['put /api/queues/resume', {}],
  ])('may be made: %s %o', (change, params) => {
    expect(judge(change, params)).toBeUndefined();
  });

  it.each([
    [`put ${queue}/retry/:queueStatus`, { queueStatus: 'completed' }],
    [`put ${queue}/clean/:queueStatus`, { queueStatus: 'wait' }],
    [`put ${queue}/clean/:queueStatus`, { queueStatus: 'active' }],
    [`put ${queue}/clean/:queueStatus`, { queueStatus: 'delayed' }],
    [`put ${job}/promote`, { queueName: 'campaign' }],
    [`put ${queue}/promote`, { queueName: 'campaign' }],
    [`put ${queue}/empty`, {}],
    [`put ${queue}/obliterate`, {}],
    [`post ${queue}/add`, {}],
    [`patch ${job}/update-data`, {}],
    [`put ${job}/remove-unprocessed-children`, {}],
    [`put ${queue}/concurrency`, {}],
    [`put ${queue}/rate-limit`, {}],
    ['delete /api/anything/new', {}],
  ])('are refused, with the reason: %s %o', (change, params) => {
    expect(judge(change, params)).toMatch(/\w+ \w+/);
  });
});
