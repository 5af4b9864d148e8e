/** Every operation of the REST API. */
import type { Operation } from './operation.ts';
import { accessOperations } from './resources/access.ts';
import { campaignOperations } from './resources/campaigns.ts';
import { decisionOperations } from './resources/decisions.ts';
import { draftFileOperations } from './resources/draft-files.ts';
import { draftOperations } from './resources/drafts.ts';
import { limitOperations } from './resources/limits.ts';
import { overviewOperations } from './resources/overview.ts';
import { reviewOperations } from './resources/review.ts';
import { rowCellOperations } from './resources/row-cells.ts';
import { rowOperations } from './resources/rows.ts';
import { serviceOperations } from './resources/service.ts';
import { sheetOperations } from './resources/sheets.ts';
import { videoSheetOperations } from './resources/video-sheets.ts';
import { videoOperations } from './resources/videos.ts';

export const operations: readonly Operation[] = [
  ...campaignOperations,
  ...overviewOperations,
  ...rowOperations,
  ...rowCellOperations,
  ...reviewOperations,
  ...decisionOperations,
  ...sheetOperations,
  ...draftOperations,
  ...draftFileOperations,
  ...videoOperations,
  ...videoSheetOperations,
  ...limitOperations,
  ...serviceOperations,
  ...accessOperations,
];
