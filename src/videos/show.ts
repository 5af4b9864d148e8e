/** One video with its history. */
import type { Runtime } from '../runtime/runtime.ts';
import { describeVideo, fromSeconds, nameCounts } from './describe.ts';
import type { VideoCommandDocument } from './documents.ts';
import { flagsOf } from './export/lines.ts';
import { findVideo } from './find.ts';

/** A video of the watch list with its samples. @throws {UseCaseError} `video_not_found`. */
export async function showVideo(
  runtime: Pick<Runtime, 'ledger' | 'settings' | 'now'>,
  given: string,
): Promise<VideoCommandDocument<'videos show'>> {
  const { ledger, settings, now } = runtime;
  const video = await findVideo(runtime, given);
  const oldest = Math.floor((now() - settings.videos.retention) / 1000);
  const [samples = []] = await ledger.videos.history.samples([video], oldest);
  return {
    ...describeVideo(video, settings.videos.gone.after),
    history: samples.map(({ at, counts, caption, fell }) => ({
      sampled_at: fromSeconds(at) ?? '',
      ...nameCounts(counts),
      caption,
      flags: flagsOf(fell),
    })),
  };
}
