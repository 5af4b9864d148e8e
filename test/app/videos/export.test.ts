import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { checkSettings } from '../../../config/load.ts';
import { exportVideos } from '../../../src/app/videos/export.ts';
import { parseJson } from '../../../src/service/contract/json.ts';
import { openSheet } from '../../../src/sheets/open-sheet.ts';
import { fileSource } from '../../../src/sheets/sheet.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { ledgerOn } from '../../support/ledger.ts';
import { huge, played } from '../../support/played.ts';
import { openNamespace } from '../../support/redis/redis.ts';
import { videoUrl } from '../../support/videos.ts';

/** Played once: the tests only read it. */
let scene: Awaited<ReturnType<typeof played>>;
beforeAll(async () => {
  const { redis, prefix, end } = openNamespace();
  scene = await played(ledgerOn(redis, prefix));
  return () => end();
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
        play_count: String(huge - 1),
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
    expect(text).toContain(`"play_count":${huge + 30},`);
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
