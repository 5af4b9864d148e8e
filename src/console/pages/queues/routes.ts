/** `/queues`. */
import type { Route } from '../../request.ts';
import { askPause, pause, resume, setRateLimit } from './actions.ts';
import { showQueues, streamQueues } from './page.ts';

export const queuesRoutes: readonly Route[] = [
  { method: 'get', path: '/queues', role: 'viewer', handle: showQueues },
  { method: 'get', path: '/queues/events', role: 'viewer', handle: streamQueues },
  { method: 'post', path: '/queues/rate-limits/:operation', role: 'operator', handle: setRateLimit },
  { method: 'get', path: '/queues/:name/pause', role: 'operator', handle: askPause },
  { method: 'post', path: '/queues/:name/pause', role: 'operator', handle: pause },
  { method: 'post', path: '/queues/:name/resume', role: 'operator', handle: resume },
];
