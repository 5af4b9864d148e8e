/** Every page of the console. */
import type { Route } from '../request.ts';
import { auditRoutes } from './audit.ts';
import { campaignRoutes } from './campaign/routes.ts';
import { campaignsRoutes } from './campaigns.ts';
import { userRoutes } from './users/routes.ts';

export const pageRoutes: readonly Route[] = [
  ...campaignsRoutes,
  ...campaignRoutes,
  ...userRoutes,
  ...auditRoutes,
];
