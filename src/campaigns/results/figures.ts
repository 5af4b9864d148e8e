/** The latest public figures of the rows' videos, for the results sheet. */
import type { Ledger } from '../../ledger/ledger.ts';
import type { WatchedVideo } from '../../ledger/videos/video.ts';
import { countColumns } from '../../manifest/columns.ts';

export interface RowFigures {
  /** Empty if no video of the row is known. */
  readonly url: string;
  /** In the order of `figureColumns`. */
  readonly cells: readonly string[];
}

const none: RowFigures = { url: '', cells: [...countColumns.map(() => ''), ''] };

/** @param keys of rows. @returns figures in their order. */
export async function figuresOfRows(
  { videos }: Ledger,
  campaign: string,
  keys: readonly string[],
): Promise<readonly RowFigures[]> {
  const ids = await videos.list.ofRows(campaign, keys);
  const known = ids.filter((id) => id !== undefined);
  const found = await videos.list.read(known);
  const byId = new Map(known.map((id, index) => [id, found[index]]));
  return ids.map((id) => describe(id === undefined ? undefined : byId.get(id)));
}

function describe(video: WatchedVideo | undefined): RowFigures {
  if (!video) return none;
  const latest = video.summary?.latest;
  if (!latest) return { ...none, url: video.facts.url };
  const counts = latest.counts.map((count) => (count === undefined ? '' : String(count)));
  return { url: video.facts.url, cells: [...counts, new Date(latest.at * 1000).toISOString()] };
}
