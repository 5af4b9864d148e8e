/** `/videos`: the watch list and its public figures. */
import type { Route } from '../../request.ts';
import { askRead, askRemove, readNow, remove, setTimes } from './actions.ts';
import { exportList, exportVideo } from './export.ts';
import { askImport, takeList } from './import.ts';
import { showVideos, streamVideos } from './list-page.ts';
import { showVideo } from './video-page.ts';

export const videosRoutes: readonly Route[] = [
  { method: 'get', path: '/videos', role: 'viewer', handle: showVideos },
  { method: 'get', path: '/videos/events', role: 'viewer', handle: streamVideos },
  { method: 'get', path: '/videos/export.:format', role: 'viewer', handle: exportList },
  { method: 'get', path: '/videos/read', role: 'operator', handle: askRead },
  { method: 'post', path: '/videos/read', role: 'operator', handle: readNow },
  { method: 'get', path: '/videos/import', role: 'operator', handle: askImport },
  {
    method: 'post',
    path: '/videos/import',
    role: 'operator',
    takesSheet: true,
    readsSheet: true,
    handle: takeList,
  },
  { method: 'post', path: '/videos/schedule', role: 'operator', handle: setTimes },
  { method: 'get', path: '/videos/:id', role: 'viewer', handle: showVideo },
  { method: 'get', path: '/videos/:id/export.:format', role: 'viewer', handle: exportVideo },
  { method: 'get', path: '/videos/:id/remove', role: 'operator', handle: askRemove },
  { method: 'post', path: '/videos/:id/remove', role: 'operator', handle: remove },
];
