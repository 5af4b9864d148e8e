/** What pages are made with. */
import type { DraftDesk } from '../../campaigns/drafts/desk.ts';
import type { SheetPlans } from '../../campaigns/plans.ts';
import type { ProgressReader } from '../../campaigns/progress/reader.ts';
import type { RepairCosts } from '../../campaigns/repair/repair-costs.ts';
import type { TextSearch } from '../../campaigns/rows/text-search.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import type { OverviewReader } from '../../videos/overview/reader.ts';
import type { Gate } from '../gate.ts';
import type { LiveHub } from '../live/hub.ts';
import type { Surroundings } from '../parts/layout.ts';
import type { Route } from '../request.ts';
import type { Frame } from '../sign-in/turn-away.ts';

export interface RouterOptions extends Frame {
  readonly runtime: Runtime;
  readonly progress: () => ProgressReader;
  readonly videos: OverviewReader;
  readonly costs: RepairCosts;
  readonly texts: TextSearch;
  readonly drafts: DraftDesk;
  readonly plans: SheetPlans;
  readonly gate: Gate;
  readonly routes: readonly Route[];
  readonly surroundings: () => Promise<Surroundings>;
  readonly hub: LiveHub;
  /** Whether Redis answers; it never rejects. */
  readonly answers: () => Promise<boolean>;
  /** How often that is asked while a page is made, in milliseconds. */
  readonly patienceMs: number;
}
