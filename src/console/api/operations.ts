/** Every operation of the REST API. */
import type { Operation } from './operation.ts';
import { accessOperations } from './resources/access.ts';
import { campaignOperations } from './resources/campaigns.ts';
import { decisionOperations } from './resources/decisions.ts';
import { draftOperations } from './resources/drafts.ts';
import { limitOperations } from './resources/limits.ts';
import { rowOperations } from './resources/rows.ts';
import { sheetOperations } from './resources/sheets.ts';
import { videoOperations } from './resources/videos.ts';

export const operations: readonly Operation[] = [
  ...campaignOperations,
  ...rowOperations,
  ...decisionOperations,
  ...sheetOperations,
  ...draftOperations,
  ...videoOperations,
  ...limitOperations,
  ...accessOperations,
];
