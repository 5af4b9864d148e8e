/** Readers that all pages and the REST API share. There is one of each, because each caches what it has read. */

import type { Pictures } from '../../service/media/pictures.ts';
import { ProgressReader } from '../campaigns/progress/reader.ts';
import { RepairCosts } from '../campaigns/retry/retry-plan.ts';
import { openPictures } from '../campaigns/rows/pictures.ts';
import { OpenDrafts } from '../drafts/open-drafts.ts';
import type { Runtime } from '../runtime/runtime.ts';
import { OverviewReader } from '../videos/overview-reader.ts';

export interface Tools {
  readonly runtime: Runtime;
  /** Progress of campaigns; remembers the pace of the last minutes. */
  readonly progress: ProgressReader;
  /** Figures of the watch list; caches them, because a reading goes through the whole list. */
  readonly videos: OverviewReader;
  /** Drafts of campaigns; caches the results of their checks. */
  readonly drafts: OpenDrafts;
  /** Costs of retries; caches them, because pages ask often. */
  readonly costs: RepairCosts;
  /** Small versions of media, and copies of files from other servers. */
  readonly pictures: Pictures;
}

export function openTools(runtime: Runtime): Tools {
  return {
    runtime,
    progress: new ProgressReader(runtime),
    videos: new OverviewReader(runtime),
    drafts: new OpenDrafts(runtime),
    costs: new RepairCosts(),
    pictures: openPictures(runtime),
  };
}
