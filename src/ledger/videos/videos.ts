/** The part of the ledger about published videos. */
import type { LedgerContext } from '../part.ts';
import { VideoHistory } from './history.ts';
import { VideoKeys } from './keys.ts';
import { KeptOverviews } from './overviews.ts';
import { ScrapeLedger } from './scrapes.ts';
import { WatchList } from './watch-list.ts';

export interface VideosLedger {
  readonly list: WatchList;
  readonly history: VideoHistory;
  readonly scrapes: ScrapeLedger;
  readonly overviews: KeptOverviews;
}

export function createVideosLedger(context: LedgerContext): VideosLedger {
  const keys = new VideoKeys(context.keys.prefix);
  return {
    list: new WatchList(context, keys),
    history: new VideoHistory(context),
    scrapes: new ScrapeLedger(context, keys),
    overviews: new KeptOverviews(context, keys),
  };
}
