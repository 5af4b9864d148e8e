/** `/campaigns`. */
import type { Route } from '../../request.ts';
import { showCampaigns, streamCampaigns } from './page.ts';

export const campaignsRoutes: readonly Route[] = [
  { method: 'get', path: '/campaigns', role: 'viewer', handle: showCampaigns },
  { method: 'get', path: '/campaigns/events', role: 'viewer', handle: streamCampaigns },
];
