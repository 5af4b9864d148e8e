/** Adds published posts to the watch list, by the public URLs in their records. */
import type { NewVideo } from '../../ledger/videos/watch-list.ts';
import { readVideoUrl, videoIdOf } from '../../manifest/cells/video-url.ts';
import type { CampaignView } from '../frame/campaign-view.ts';
import type { RecordTools } from './source.ts';

interface PostOfRow {
  readonly row: number;
  readonly key: string;
}

interface WatchedPosts {
  /** Adds the URL of a post. */
  add(post: PostOfRow, url: string): Promise<void>;
  /** Writes the remaining URLs. */
  flush(): Promise<void>;
}

const atOnce = 200;

/** Collects the URLs of a campaign's posts. */
export function watchPosts({ ledger, log }: RecordTools, view: CampaignView): WatchedPosts {
  const { id: campaign, account } = view.campaign;
  let videos: NewVideo[] = [];
  let rows: number[] = [];

  async function flush(): Promise<void> {
    // The list first, so that after a crash in between, the URL is only read again.
    await ledger.videos.list.add(videos);
    await ledger.publishing.noteUrls(campaign, rows, true);
    videos = [];
    rows = [];
  }

  return {
    flush,
    async add({ row, key }, text) {
      const read = readVideoUrl(text);
      rows.push(row);
      if ('url' in read) {
        const { creator, product } = await view.row(row);
        const { url } = read;
        const username = creator.replace(/^@/, '');
        const facts = { url, campaign, key, creator: username, product: product.id, account };
        videos.push({ id: videoIdOf(url), facts });
      } else log.warn({ campaign, key, code: read.fault }, 'public URL of a post cannot be read');
      if (rows.length >= atOnce) await flush();
    },
  };
}
