/** The part of the ledger about published videos. */
import type { LedgerContext } from '../context.ts';
import { VideoKeys } from './keys.ts';
import { WatchList } from './watch-list.ts';

export interface VideosLedger {
  readonly keys: VideoKeys;
  readonly list: WatchList;
}

export function createVideosLedger(context: LedgerContext): VideosLedger {
  const keys = new VideoKeys(context.keys.prefix);
  return { keys, list: new WatchList(context, keys) };
}
