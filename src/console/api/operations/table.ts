/** Every operation of the REST API. */
import type { Operation } from '../operation.ts';
import { accessOperations } from './access.ts';
import { campaignOperations } from './campaigns.ts';
import { decisionOperations } from './decisions.ts';
import { draftOperations } from './drafts.ts';
import { limitOperations } from './limits.ts';
import { rowOperations } from './rows.ts';
import { sheetOperations } from './sheets.ts';
import { videoOperations } from './videos.ts';

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
