/** What all pages and the REST API share: one of each, because each keeps what it has read. */
import { DraftDesk } from '../campaigns/drafts/desk/desk.ts';
import { SheetPlans } from '../campaigns/plans.ts';
import { ProgressReader } from '../campaigns/progress/reader.ts';
import { RepairCosts } from '../campaigns/repair/repair-costs.ts';
import { TextSearch } from '../campaigns/rows/text-search.ts';
import type { Runtime } from '../runtime/runtime.ts';
import { OverviewReader } from '../videos/overview/reader.ts';

export interface ConsoleTools {
  readonly runtime: Runtime;
  /** Progress of campaigns: it knows the pace of the last minutes. */
  readonly progress: ProgressReader;
  /** Figures of the watch list: a reading takes a pass over the list. */
  readonly videos: OverviewReader;
  /** Sheets on their way to a campaign: it keeps what their checks found. */
  readonly drafts: DraftDesk;
  /** Plans of sheets that go into a campaign: a plan is made beside the requests. */
  readonly plans: SheetPlans;
  /** What retries take: pages ask again and again. */
  readonly costs: RepairCosts;
  /** Looks for texts in rows: searches take turns. */
  readonly texts: TextSearch;
}

/** @param until ends what runs in the background. */
export function openTools(runtime: Runtime, until: AbortSignal | undefined): ConsoleTools {
  const texts = new TextSearch();
  until?.addEventListener('abort', () => void texts.close());
  return {
    runtime,
    progress: new ProgressReader(runtime),
    videos: new OverviewReader(runtime),
    drafts: new DraftDesk(runtime),
    plans: new SheetPlans(),
    costs: new RepairCosts(),
    texts,
  };
}
