/** Videos with samples of many days, written as scrapes write them. */
import type { VideoFacts, VideoMeta } from '../../src/ledger/videos/video.ts';
import type { TestRunner } from './in-process.ts';
import { addVideos, videoUrl } from './videos.ts';

export interface Played {
  readonly facts?: Partial<VideoFacts>;
  readonly meta?: VideoMeta;
  /** Time of each sample (Unix epoch, seconds) and its plays; undefined: the service did not tell. */
  readonly samples: readonly (readonly [at: number, plays: number | undefined, caption?: string])[];
}

/** @returns the id of the video. */
export async function addPlayed(
  { ledger }: Pick<TestRunner, 'ledger'>,
  name: string,
  { facts, meta = {}, samples }: Played,
): Promise<string> {
  const { list, history, scrapes } = ledger.videos;
  const [id = ''] = await addVideos({ ledger }, [videoUrl(name)], facts);
  for (const [at, plays, caption] of samples) {
    const { run } = await scrapes.start('manual');
    const [video] = await list.read([id]);
    if (!video) throw new Error(name);
    const given = { ...meta, ...(caption !== undefined && { caption }) };
    await history.append(run, video, { at, figures: [plays, 100, 20, 30, 50], meta: given });
    await scrapes.stop(run, { code: 'test', message: 'ended by the test' });
  }
  return id;
}

/** Holds all passes over the list. @returns what lets them go on. */
export function holdLists({ ledger }: Pick<TestRunner, 'ledger'>): () => void {
  const { list } = ledger.videos;
  const all = list.all.bind(list);
  const { promise, resolve } = Promise.withResolvers<void>();
  list.all = async function* (...given) {
    await promise;
    yield* all(...given);
  };
  return resolve;
}
