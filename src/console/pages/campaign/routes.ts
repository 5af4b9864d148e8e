/** The pages of one campaign. */
import type { Route } from '../../request.ts';
import { askCancel, askRetry, cancel, pause, resume, retry } from './actions.ts';
import { askCreator, takeUpCreator } from './creators.ts';
import { showCampaignPage, streamCampaignPage } from './page.ts';
import { results } from './results.ts';
import { carryOut, showDecisions } from './sheet/decisions.ts';
import { askInto, merge, showPlan, takeSheet } from './sheet/into.ts';
import { streamPlan } from './sheet/reading.ts';

export const campaignRoutes: readonly Route[] = [
  { method: 'get', path: '/campaigns/:id', role: 'viewer', handle: showCampaignPage },
  { method: 'get', path: '/campaigns/:id/events', role: 'viewer', handle: streamCampaignPage },
  { method: 'get', path: '/campaigns/:id/results.:format', role: 'viewer', handle: results },
  { method: 'get', path: '/campaigns/:id/into', role: 'operator', handle: askInto },
  { method: 'post', path: '/campaigns/:id/into', role: 'operator', takesSheet: true, handle: takeSheet },
  {
    method: 'get',
    path: '/campaigns/:id/into/:token',
    role: 'operator',
    handle: showPlan,
  },
  {
    method: 'get',
    path: '/campaigns/:id/into/:token/events',
    role: 'operator',
    handle: streamPlan('into'),
  },
  { method: 'post', path: '/campaigns/:id/into/:token', role: 'operator', readsSheet: true, handle: merge },
  {
    method: 'get',
    path: '/campaigns/:id/decisions/:token',
    role: 'operator',
    handle: showDecisions,
  },
  {
    method: 'get',
    path: '/campaigns/:id/decisions/:token/events',
    role: 'operator',
    handle: streamPlan('decisions'),
  },
  {
    method: 'post',
    path: '/campaigns/:id/decisions/:token',
    role: 'operator',
    readsSheet: true,
    handle: carryOut,
  },
  { method: 'post', path: '/campaigns/:id/pause', role: 'operator', handle: pause },
  { method: 'post', path: '/campaigns/:id/resume', role: 'operator', handle: resume },
  { method: 'get', path: '/campaigns/:id/cancel', role: 'operator', handle: askCancel },
  { method: 'post', path: '/campaigns/:id/cancel', role: 'operator', handle: cancel },
  { method: 'get', path: '/campaigns/:id/retry', role: 'operator', handle: askRetry },
  { method: 'post', path: '/campaigns/:id/retry', role: 'operator', handle: retry },
  { method: 'get', path: '/campaigns/:id/creators/:creator/resume', role: 'operator', handle: askCreator },
  {
    method: 'post',
    path: '/campaigns/:id/creators/:creator/resume',
    role: 'operator',
    handle: takeUpCreator,
  },
];
