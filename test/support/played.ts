import { checkSettings } from '../../config/load.ts';
import type { VideoFacts } from '../../src/ledger/videos/video.ts';
import type { TestLedger } from './ledger.ts';
import { addVideos, idOf, videoUrl } from './videos.ts';

export const day = 86_400;
export const start = Date.UTC(2026, 0, 1, 2) / 1000;
export const huge = 2 ** 50;

/** Three videos, looked up for eleven nights: a slow one, a fast one, and one with long figures that fall once. */
export async function played({ ledger, clock }: TestLedger) {
  const { list, history, scrapes } = ledger.videos;
  const facts: readonly (readonly [string, Partial<VideoFacts>])[] = [
    ['slow', { creator: 'anna', product: 'p1', campaign: 'c1', key: '1' }],
    ['fast', { creator: 'Anna', product: 'p2', campaign: 'c1', key: '2' }],
    ['huge', { creator: 'ben', product: 'p1', label: '=cmd()' }],
  ];
  for (const [name, more] of facts) await addVideos({ ledger }, [videoUrl(name)], more);
  const views = (name: string, night: number): number => {
    if (name === 'slow') return 1000 + night * 10;
    if (name === 'fast') return 1000 + night * 500;
    return huge + (night === 5 ? -1 : night * 3);
  };
  for (let night = 0; night <= 10; night += 1) {
    const { run } = await scrapes.start('manual');
    const append = async (name: string) => {
      const [video] = await list.read([idOf(videoUrl(name))]);
      if (!video) throw new Error(name);
      const at = start + night * day;
      const meta = {
        author: 'author',
        caption: night < 4 ? 'old, "quoted"' : 'new',
        releasedAt: start - 10 * day,
      };
      await history.append(run, video, { at, figures: [views(name, night), 100, 20, 30, 50], meta });
    };
    await Promise.all(facts.map(([name]) => append(name)));
    await scrapes.stop(run, { code: 'test', message: '' });
  }
  clock.now = (start + 10 * day) * 1000;
  return { ledger, settings: checkSettings({}), now: () => clock.now };
}
