/** Every page of the console. */
import type { Route } from '../request.ts';
import { mediaRoutes } from '../uploads/media.ts';
import { approvalRoutes } from './approvals/page.ts';
import { auditRoutes } from './audit.ts';
import { calendarRoutes } from './calendar/page.ts';
import { campaignRoutes } from './campaign/page.ts';
import { campaignsRoutes } from './campaigns/page.ts';
import { draftRoutes } from './new/routes.ts';
import { queuesRoutes } from './queues/page.ts';
import { reviewRoutes } from './review/page.ts';
import { rowRoutes } from './row/page.ts';
import { userRoutes } from './users.ts';
import { videosRoutes } from './videos/routes.ts';

export const pageRoutes: readonly Route[] = [
  ...campaignsRoutes,
  ...draftRoutes,
  ...campaignRoutes,
  ...rowRoutes,
  ...reviewRoutes,
  ...approvalRoutes,
  ...queuesRoutes,
  ...calendarRoutes,
  ...userRoutes,
  ...auditRoutes,
  ...videosRoutes,
  ...mediaRoutes,
];
