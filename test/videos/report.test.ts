import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { checkSettings } from '../../config/load.ts';
import { parseJson } from '../../src/api/contract/json.ts';
import { chunksNeeded, nextSample } from '../../src/ledger/videos/next-sample.ts';
import type { VideoFacts } from '../../src/ledger/videos/video.ts';
import { openSheet } from '../../src/sheets/open-sheet.ts';
import { fileSource } from '../../src/sheets/source.ts';
import { exportVideos } from '../../src/videos/export/export.ts';
import { describeReport } from '../../src/videos/report/describe.ts';
import { reportVideos } from '../../src/videos/report/report.ts';
import { showVideo } from '../../src/videos/show.ts';
import { temporaryFolder } from '../support/folder.ts';
import { ledgerOn, type TestLedger, testLedger } from '../support/ledger.ts';
import { openNamespace } from '../support/redis.ts';
import { addVideos, idOf, videoUrl } from '../support/videos.ts';
import { addPlayed } from '../support/watched.ts';

const day = 86_400;
const start = Date.UTC(2026, 0, 1, 2) / 1000;
const huge = 2n ** 60n;

/** Three videos, looked up for eleven nights: a slow one, a fast one, and one with figures beyond 2^53 that fall once. */
async function played({ ledger, clock }: TestLedger) {
  const { list, history, scrapes } = ledger.videos;
  const facts: readonly (readonly [string, Partial<VideoFacts>])[] = [
    ['slow', { creator: 'anna', product: 'p1', campaign: 'c1', key: '1' }],
    ['fast', { creator: 'Anna', product: 'p2', campaign: 'c1', key: '2' }],
    ['huge', { creator: 'ben', product: 'p1', label: '=cmd()' }],
  ];
  for (const [name, more] of facts) await addVideos({ ledger }, [videoUrl(name)], more);
  const views = (name: string, night: number): bigint => {
    if (name === 'slow') return 1000n + BigInt(night) * 10n;
    if (name === 'fast') return 1000n + BigInt(night) * 500n;
    return huge + (night === 5 ? -1n : BigInt(night) * 3n);
  };
  for (let night = 0; night <= 10; night += 1) {
    const { run } = await scrapes.start('manual');
    const append = async (name: string) => {
      const [video] = await list.read([idOf(videoUrl(name))]);
      if (!video) throw new Error(name);
      const at = start + night * day;
      const [chunks = new Map()] = await history.chunks([{ id: video.id, starts: chunksNeeded(video, at) }]);
      const count = views(name, night);
      const meta = {
        author: 'author',
        caption: night < 4 ? 'old, "quoted"' : 'new',
        releasedAt: start - 10 * day,
      };
      const next = nextSample(video, chunks, { at, counts: [count, 100n, 20n, 30n, 50n], meta });
      await history.append(run, [{ video, next }]);
    };
    await Promise.all(facts.map(([name]) => append(name)));
    await scrapes.stop(run, { code: 'test', message: '' });
  }
  clock.now = (start + 10 * day) * 1000;
  return { ledger, settings: checkSettings({}), now: () => clock.now };
}

/** Played once: the tests only read it. */
let scene: Awaited<ReturnType<typeof played>>;
beforeAll(async () => {
  const { redis, prefix, end } = openNamespace();
  scene = await played(ledgerOn(redis, prefix));
  return () => end();
});

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
          play_count: 7100n,
          play_count_1d: 510n,
          play_count_7d: 3570n,
          play_count_30d: null,
        },
        { creator: 'ben', videos: 1, play_count: huge + 30n, play_count_1d: 3n, play_count_7d: 21n },
      ],
      total: { videos: 3, play_count: huge + 7130n, play_count_median: 6000n, digg_count: 300n },
    });
  });

  it('has medians, engagement, and views per day since release', async () => {
    const { groups } = await reportVideos(scene, { by: 'campaign' });
    expect(groups[0]).toMatchObject({
      name: 'c1',
      median: 3550n,
      growthMedians: [255n, 1785n, undefined],
      // 20 days since release: 1,100 and 6,000 views.
      viewsPerDay: 355,
      engagement: 0.056338,
      highIntent: 0.022535,
    });
  });

  it.each([
    [{ since: '2026-01-05', until: '2026-01-07' }, 1500n],
    [{ since: '2026-01-05T02:00:00Z', until: '2026-01-07T01:59:00Z' }, 500n],
    [{ since: '3d' }, 1500n],
    // The latest sample itself, which has nothing after it.
    [{ since: '2026-01-11T02:00:00Z' }, 0n],
    [{ until: '2026-01-03' }, 1000n],
    // As the messages write a time.
    [{ since: '2026-01-05 02:00', until: '2026-01-07T01:59' }, 500n],
    // Before its first sample: all that was seen.
    [{ since: '2025-12-25' }, 5000n],
  ])('over %j is measured from the newest sample before it', async (span, growth) => {
    const report = await reportVideos(scene, { by: 'video', ...span });
    expect(report.groups.find(({ name }) => name.endsWith('fast'))?.growths[0]?.[0]).toBe(growth);
  });

  it('counts all views of a video that was released in the span', async () => {
    const report = await reportVideos(scene, { by: 'video', since: '2025-12-20' });
    expect(report.groups.find(({ name }) => name.endsWith('fast'))?.growths[0]?.[0]).toBe(6000n);
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
        { url: videoUrl('fast'), growth: 3500n, ratio: 1.4 },
        { url: videoUrl('slow'), growth: 70n },
      ],
      relative: [{ url: videoUrl('fast') }, { url: videoUrl('slow') }],
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
    expect(report.movers.absolute.map(({ url }) => url)).toEqual(['big', 'tiny'].map(videoUrl));
    expect((await reportVideos(runtime, { by: 'video', top: 1 })).movers).toMatchObject({
      over: '1d',
      absolute: [{ url: videoUrl('big') }],
      relative: [{ url: videoUrl('tiny'), ratio: 5 }],
    });
  });
});

describe('a report without figures', () => {
  it('says which span has no sample, and where the samples are', async () => {
    const report = describeReport(await reportVideos(scene, { until: '2025-12-31' }));
    expect(report.warning).toEqual({
      code: 'no_samples',
      message: 'no video has a sample up to 2025-12-31 23:59 (UTC)',
      cure: 'The samples are from 2026-01-01 02:00 to 2026-01-11 02:00 (UTC): ask for a span with some of them.',
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
      message: '--since 2026-01-12 is in the future: it is 2026-01-11 02:00 (UTC)',
    });
  });
});

describe('a shown video', () => {
  it('has its history, with marks where a counter fell', async () => {
    const shown = await showVideo(scene, `${videoUrl('huge')}?utm_source=x`);
    expect(shown).toMatchObject({ state: 'ok', samples: 11, play_count: huge + 30n, play_count_1d: 3n });
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
    expect(shown.history[5]).toMatchObject({ play_count: huge - 1n, sampled_at: '2026-01-06T02:00:00.000Z' });
  });
});

async function readBack(path: string): Promise<readonly Readonly<Record<string, string>>[]> {
  const sheet = await openSheet(fileSource(path));
  const rows: Readonly<Record<string, string>>[] = [];
  for await (const batch of sheet.rows) {
    for (const { cells } of batch) {
      rows.push(Object.fromEntries(sheet.header.cells.map((name, index) => [name, cells[index] ?? ''])));
    }
  }
  return rows;
}

describe('the export', () => {
  it.each(['csv', 'json', 'jsonl', 'xlsx'] as const)(
    'as %s is read back equal, with every digit',
    async (format) => {
      const path = join(temporaryFolder(), `samples.${format}`);
      expect(await exportVideos(scene, { to: path })).toEqual({ path, rows: 33 });
      const rows = await readBack(path);
      expect(rows).toHaveLength(33);
      const label = format === 'csv' ? "'=cmd()" : '=cmd()';
      expect(rows[27]).toMatchObject({
        video_url: videoUrl('huge'),
        creator: 'ben',
        product_id: 'p1',
        label,
        flags: 'play_count_fell',
        sampled_at: '2026-01-06T02:00:00.000Z',
        play_count: String(huge - 1n),
        collect_count: '50',
        caption: 'new',
      });
      expect(rows[0]).toMatchObject({
        campaign: 'c1',
        key: '1',
        caption: 'old, "quoted"',
        play_count: '1000',
      });
    },
  );

  it('writes counters as JSON integers', async () => {
    const path = join(temporaryFolder(), 'samples.json');
    await exportVideos(scene, { to: path });
    const text = readFileSync(path, 'utf8');
    expect(text).toContain(`"play_count":${huge + 30n},`);
    const rows = parseJson(text) as readonly { readonly digg_count: number }[];
    expect(rows[0]?.digg_count).toBe(100);
  });

  it('has a line for each video in the wide form', async () => {
    const path = join(temporaryFolder(), 'wide.csv');
    expect(await exportVideos(scene, { to: path, wide: true })).toMatchObject({ rows: 3 });
    expect((await readBack(path))[1]).toMatchObject({
      play_count: '6000',
      play_count_1d: '500',
      play_count_7d: '3500',
      play_count_30d: '',
      first_sampled_at: '2026-01-01T02:00:00.000Z',
      last_sampled_at: '2026-01-11T02:00:00.000Z',
      samples: '11',
      state: 'ok',
      views_per_day: '300',
    });
    const former = join(temporaryFolder(), 'former.csv');
    await exportVideos(scene, { to: former, wide: true, until: '2026-01-02' });
    expect((await readBack(former))[1]).toMatchObject({ play_count: '1500', caption: 'old, "quoted"' });
  });

  it('has the growth of the latest sample in the wide form, even if the older one is gone by now', async () => {
    const path = join(temporaryFolder(), 'wide.csv');
    const runtime = { ...scene, settings: checkSettings({ videos: { retention: '3d' } }) };
    await exportVideos(runtime, { to: path, wide: true });
    expect((await readBack(path))[1]).toMatchObject({ play_count_7d: '3500', samples: '4' });
  });

  it('has the growth of a video from before the span in the wide form', async () => {
    const path = join(temporaryFolder(), 'wide.csv');
    await exportVideos(scene, { to: path, wide: true, since: '2026-01-10' });
    expect((await readBack(path))[1]).toMatchObject({
      play_count_7d: '3500',
      samples: '2',
      first_sampled_at: '2026-01-10T02:00:00.000Z',
    });
  });

  it('has ratios as numbers in JSON', async () => {
    const path = join(temporaryFolder(), 'wide.json');
    await exportVideos(scene, { to: path, wide: true });
    expect(parseJson(readFileSync(path, 'utf8'))).toMatchObject([
      { engagement: 0.181818, high_intent: 0.072727, views_per_day: 55 },
      {},
      {},
    ]);
  });

  it('has negative growth as a number, without a mark', async () => {
    const path = join(temporaryFolder(), 'wide.csv');
    await exportVideos(scene, { to: path, wide: true, until: '2026-01-06' });
    expect((await readBack(path))[2]).toMatchObject({ play_count_1d: '-13' });
  });

  it.each([
    [{ since: '2026-01-03', until: '2026-01-04' }, 6],
    [{ since: '2026-01-03T02:00:00Z', until: '2026-01-04T02:00:00Z' }, 6],
    [{ campaign: 'c1' }, 22],
    [{ campaign: 'none' }, 0],
    [{ product: 'p1' }, 22],
    [{ wide: true, since: '2026-01-03', until: '2026-01-04' }, 3],
    [{ wide: true, until: '2025-12-31' }, 0],
  ])('of %j has its samples only', async (wanted, rows) => {
    const path = join(temporaryFolder(), 'some.csv');
    expect(await exportVideos(scene, { to: path, ...wanted })).toMatchObject({ rows });
  });

  it('leaves out samples that are older than the retention', async () => {
    const runtime = { ...scene, settings: checkSettings({ videos: { retention: '3d' } }) };
    const path = join(temporaryFolder(), 'young.csv');
    expect(await exportVideos(runtime, { to: path })).toMatchObject({ rows: 12 });
  });
});
