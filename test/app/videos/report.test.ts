import { beforeAll, describe, expect, it } from 'vitest';
import { checkSettings } from '../../../config/load.ts';
import { describeReport, reportVideos } from '../../../src/app/videos/report.ts';
import { showVideo } from '../../../src/app/videos/watch-list.ts';
import { ledgerOn, testLedger } from '../../support/ledger.ts';
import { day, huge, played, start } from '../../support/played.ts';
import { openNamespace } from '../../support/redis/redis.ts';
import { videoUrl } from '../../support/videos.ts';
import { addPlayed } from '../../support/watched.ts';

/** Played once: the tests only read it. */
let scene: Awaited<ReturnType<typeof played>>;
beforeAll(async () => {
  const { redis, prefix, end } = openNamespace();
  scene = await played(ledgerOn(redis, prefix));
  return () => end();
});

const ofVideo = (name: string) => ({ video: { facts: { url: videoUrl(name) } } });

describe('a report', () => {
  it('sums and ranks by creator, with growth over 1, 7 and 30 days', async () => {
    const report = await reportVideos(scene, { by: 'creator' });
    expect(describeReport(report)).toMatchObject({
      by: 'creator',
      since: null,
      groups: [
        {
          creator: 'anna',
          videos: 2,
          play_count: 7100,
          play_count_1d: 510,
          play_count_7d: 3570,
          play_count_30d: null,
        },
        { creator: 'ben', videos: 1, play_count: huge + 30, play_count_1d: 3, play_count_7d: 21 },
      ],
      total: { videos: 3, play_count: huge + 7130, play_count_median: 6000, digg_count: 300 },
    });
  });

  it('has medians, engagement, and views per day since release', async () => {
    const { groups } = await reportVideos(scene, { by: 'campaign' });
    expect(groups[0]).toMatchObject({
      name: 'c1',
      median: 3550,
      growthMedians: [255, 1785, undefined],
      // 20 days since release: 1,100 and 6,000 views.
      viewsPerDay: 355,
      engagement: 0.056338,
      highIntent: 0.022535,
    });
  });

  it.each([
    [{ since: '2026-01-05', until: '2026-01-07' }, 1500],
    [{ since: '2026-01-05T02:00:00Z', until: '2026-01-07T01:59:00Z' }, 500],
    [{ since: '3d' }, 1500],
    // The latest sample itself, which has nothing after it.
    [{ since: '2026-01-11T02:00:00Z' }, 0],
    [{ until: '2026-01-03' }, 1000],
    // As the messages write a time.
    [{ since: '2026-01-05 02:00', until: '2026-01-07T01:59' }, 500],
    // Before its first sample: all that was seen.
    [{ since: '2025-12-25' }, 5000],
  ])('over %j is measured from the newest sample before it', async (span, growth) => {
    const report = await reportVideos(scene, { by: 'video', ...span });
    expect(report.groups.find(({ name }) => name.endsWith('fast'))?.growths[0]?.[0]).toBe(growth);
  });

  it('counts all views of a video that was released in the span', async () => {
    const report = await reportVideos(scene, { by: 'video', since: '2025-12-20' });
    expect(report.groups.find(({ name }) => name.endsWith('fast'))?.growths[0]?.[0]).toBe(6000);
  });

  it('divides the views of a past day by the days until then', async () => {
    const { groups } = await reportVideos(scene, { by: 'video', until: '2026-01-03' });
    // 2,000 views, 12 days after the release.
    expect(groups.find(({ name }) => name.endsWith('fast'))?.viewsPerDay).toBe(166.7);
  });

  it('names the largest movers, absolute and relative', async () => {
    const { movers } = await reportVideos(scene, { by: 'creator', top: 2 });
    expect(movers).toMatchObject({
      over: '7d',
      absolute: [
        { ...ofVideo('fast'), growth: 3500, ratio: 1.4 },
        { ...ofVideo('slow'), growth: 70 },
      ],
      relative: [ofVideo('fast'), ofVideo('slow')],
    });
  });

  it('with --top leaves the others out of the lines, but not out of the sums', async () => {
    const report = await reportVideos(scene, { top: 1 });
    expect(report).toMatchObject({ groups: [{ name: videoUrl('fast') }], left: 2, total: { videos: 3 } });
    expect((await reportVideos(scene, { top: 9 })).left).toBe(0);
  });

  it.each([
    { since: 'yesterday' },
    { until: '2026-02-30' },
    { since: '2026-01-05', until: '2026-01-04' },
    { since: '2026-01-05T02:00:00Z', until: '2026-01-05T02:00:00Z' },
  ])('over %j is refused', async (span) => {
    await expect(reportVideos(scene, span)).rejects.toMatchObject({ code: 'date_invalid' });
  });
});

describe('the order of a report', () => {
  it('is by growth, then by views; a video that grew much for its size is among the movers', async () => {
    const test = testLedger();
    const nights = (first: number, last: number) =>
      [
        [start, first],
        [start + day, last],
      ] as const;
    await addPlayed(test, 'few', { samples: [[start, 100]] });
    await addPlayed(test, 'more', { samples: [[start, 900]] });
    await addPlayed(test, 'big', { samples: nights(1_000_000, 1_001_000) });
    await addPlayed(test, 'tiny', { samples: nights(10, 60) });
    await addPlayed(test, 'same', { samples: nights(500, 500) });
    const runtime = { ledger: test.ledger, settings: checkSettings({}), now: () => (start + 2 * day) * 1000 };
    const report = await reportVideos(runtime, { by: 'video' });
    expect(report.groups.map(({ name }) => name)).toEqual(
      ['big', 'tiny', 'same', 'more', 'few'].map(videoUrl),
    );
    expect(report.movers.absolute.map(({ video }) => video.facts.url)).toEqual(['big', 'tiny'].map(videoUrl));
    expect((await reportVideos(runtime, { by: 'video', top: 1 })).movers).toMatchObject({
      over: '1d',
      absolute: [ofVideo('big')],
      relative: [{ ...ofVideo('tiny'), ratio: 5 }],
    });
  });
});

describe('a report without figures', () => {
  it('says which span has no sample, and where the samples are', async () => {
    const report = describeReport(await reportVideos(scene, { until: '2025-12-31' }));
    expect(report.warning).toEqual({
      code: 'no_samples',
      message: 'no video has a snapshot up to 2025-12-31 23:59 (UTC)',
      fix: 'There are snapshots from 2026-01-01 02:00 to 2026-01-11 02:00 (UTC): choose a period with some of them.',
    });
  });

  it('has no sums of counters that nobody has told', async () => {
    const { total } = describeReport(await reportVideos(scene, { until: '2025-12-31' }));
    expect(total).toMatchObject({ videos: 3, play_count: null, digg_count: null, play_count_median: null });
  });

  it('warns of nothing where some videos have one', async () => {
    expect(describeReport(await reportVideos(scene, { since: '1d' })).warning).toBeNull();
  });

  it('refuses a span that begins in the future', async () => {
    await expect(reportVideos(scene, { since: '2026-01-12' })).rejects.toMatchObject({
      code: 'date_invalid',
      message: 'since "2026-01-12" is in the future: it is 2026-01-11 02:00 (UTC)',
    });
  });
});

describe('a shown video', () => {
  it('has its history, with marks where a counter fell', async () => {
    const shown = await showVideo(scene, `${videoUrl('huge')}?utm_source=x`);
    expect(shown).toMatchObject({ state: 'ok', samples: 11, play_count: huge + 30, play_count_1d: 3 });
    expect(shown.history.map(({ flags }) => flags)).toEqual([
      '',
      '',
      '',
      '',
      '',
      'play_count_fell',
      '',
      '',
      '',
      '',
      '',
    ]);
    expect(shown.history[5]).toMatchObject({ play_count: huge - 1, sampled_at: '2026-01-06T02:00:00.000Z' });
  });
});
