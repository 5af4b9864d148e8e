/** Finds videos on the watch list. */
import type { WatchedVideo } from '../ledger/videos/video.ts';
import { readVideoUrl, videoIdOf } from '../manifest/cells/video-url.ts';
import { hint } from '../manifest/problems/hint.ts';
import type { Runtime } from '../runtime/runtime.ts';
import { UseCaseError } from '../runtime/use-case-error.ts';

const idForm = /^[A-Za-z0-9_-]{16}$/;

/** Finds a video of the watch list. @param given a URL in any of its forms, or an id. @throws {UseCaseError} `video_not_found`. */
export async function findVideo({ ledger }: Pick<Runtime, 'ledger'>, given: string): Promise<WatchedVideo> {
  const read = readVideoUrl(given);
  const id = 'url' in read ? videoIdOf(read.url) : given;
  const [video] = 'url' in read || idForm.test(given) ? await ledger.videos.list.read([id]) : [];
  if (video) return video;
  throw new UseCaseError('video_not_found', `the video ${given} is not on the watch list`, {
    cure: [hint('list', { what: 'videos' })],
  });
}
