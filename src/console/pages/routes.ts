/** Every page of the console. */
import type { Route } from '../request.ts';
import { campaignRoutes } from './campaign/routes.ts';
import { campaignsRoutes } from './campaigns.ts';
import { queuesRoutes } from './queues/routes.ts';
import { rowRoutes } from './row/page.ts';
import { videosRoutes } from './videos/routes.ts';

export const pageRoutes: readonly Route[] = [
  ...campaignsRoutes,
  ...campaignRoutes,
  ...rowRoutes,
  ...queuesRoutes,
  ...videosRoutes,
];
