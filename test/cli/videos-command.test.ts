/** The whole way of the videos from the terminal, from a results sheet to the report. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { stringify } from 'csv-stringify/sync';
import { describe, expect, it } from 'vitest';
import { videoCommandSchemas } from '../../src/app/videos/documents.ts';
import { meanwhile, openScene, playOnce, type Scene } from '../support/processes/scene.ts';
import { videoRow } from '../support/sheets/rows.ts';

const day = 86_400_000;
const huge = 'https://video.example/@anna/huge/1';
const gone = 'https://video.example/@anna/gone/2';

async function documentOf(scene: Scene, name: keyof typeof videoCommandSchemas, ...args: readonly string[]) {
  const { code, stdout, stderr } = await scene.run([...name.split(' '), ...args, '--json']);
  expect(stderr).not.toContain('defect');
  const document = JSON.parse(stdout);
  if (!('error' in document)) videoCommandSchemas[name].parse(document);
  return { code, document, stdout };
}

describe('videos', () => {
  const scene = playOnce(async (owner) => {
    const opened = await openScene(owner);
    expect((await opened.run(['run', opened.manifest([videoRow('a'), videoRow('b')])])).code).toBe(0);
    const { rows, columns } = opened.results();
    const filled = rows.map((row, index) => ({ ...row, video_url: index === 0 ? huge : gone }));
    writeFileSync(
      join(opened.folder, 'filled.csv'),
      stringify(filled, { header: true, columns: [...columns] }),
    );
    return opened;
  });

  it('with problems are not imported: exit code 1, and the problems as `check` tells them', async () => {
    writeFileSync(join(scene().folder, 'wrong.csv'), 'key,video_url\n7,nowhere\n');
    const { code, document } = await documentOf(scene(), 'videos import', 'wrong.csv');
    expect(code).toBe(1);
    expect(document).toMatchObject({
      rows: 1,
      problems: [{ line: 2, key: '7', column: 'video_url', code: 'invalid_url', value: 'nowhere' }],
      problemCounts: { invalid_url: 1 },
      added: 0,
    });
  });

  it('go from a results sheet over scrapes to report, show, export and the results sheet again', async () => {
    expect((await documentOf(scene(), 'videos import', 'filled.csv')).document).toMatchObject({
      added: 2,
      known: 0,
    });
    expect((await documentOf(scene(), 'videos scrape')).document).toMatchObject({
      total: 2,
      done: 1,
      gone: 1,
      failed: 0,
    });
    scene().sandbox.clock.advance(day);
    const again = await documentOf(scene(), 'videos scrape', '--campaign', 'c1');
    expect(again).toMatchObject({ code: 0, document: { done: 1, campaign: 'c1', causes: [] } });

    const { document: list, stdout } = await documentOf(scene(), 'videos list', '--campaign', 'c1');
    expect(list.videos).toMatchObject([
      {
        video_url: huge,
        state: 'ok',
        campaign: 'c1',
        key: 'a',
        creator: 'demo_anna',
        product_id: 'p-a',
        samples: 2,
      },
      { video_url: gone, state: 'gone', samples: 0 },
    ]);
    // All digits, as an integer.
    expect(stdout).toMatch(/"play_count": 9007199\d{9},/);
    expect((await documentOf(scene(), 'videos list', '--gone')).document.videos).toHaveLength(1);
    expect((await documentOf(scene(), 'videos show', `${huge}#x`)).document.history).toHaveLength(2);
    expect((await documentOf(scene(), 'videos report', '--by', 'creator')).document).toMatchObject({
      groups: [{ creator: 'demo_anna', videos: 2 }],
    });
    expect((await documentOf(scene(), 'videos export', '--out', 'samples.csv')).document).toMatchObject({
      rows: 2,
    });
    const samples: Record<string, string>[] = parse(readFileSync(join(scene().folder, 'samples.csv')), {
      columns: true,
      bom: true,
    });
    expect(samples[0]).toMatchObject({ video_url: huge, key: 'a', author: 'anna' });

    await scene().run(['report', 'c1', '--out', 'again.csv']);
    const { rows, columns } = scene().results('again.csv');
    expect(columns.slice(-6)).toEqual([
      'play_count',
      'digg_count',
      'comment_count',
      'share_count',
      'collect_count',
      'sampled_at',
    ]);
    expect(rows[0]).toMatchObject({ video_url: huge, play_count: samples[1]?.play_count });
    expect(rows[1]).toMatchObject({ video_url: gone, play_count: '' });
    // Such a sheet may be handed in again.
    expect((await scene().run(['run', 'again.csv', '--into', 'c1', '--dry-run'])).code).toBe(0);
  });

  it('that fail make the scrape end with 3, and name the cause', async () => {
    scene().sandbox.faults.add({
      operation: 'fetchPublicVideoData',
      kind: 'status',
      status: 400,
      times: 'always',
    });
    const { code, stdout } = await scene().run(['videos', 'scrape']);
    scene().sandbox.faults.clear();
    expect(code).toBe(3);
    expect(stdout).toContain('2 videos failed: 40000');
  });

  it('are scheduled, shown and unscheduled; one option leaves the other as it was', async () => {
    const set = await documentOf(scene(), 'videos schedule', '--cron', '0 2 * * *', '--tz', 'Asia/Shanghai');
    expect(set.document).toMatchObject({
      schedule: { cron: '0 2 * * *', tz: 'Asia/Shanghai' },
      hasWorkers: false,
    });
    expect(set.document.scrapes.length).toBeGreaterThan(0);
    const later = await documentOf(scene(), 'videos schedule', '--cron', '0 3 * * *');
    expect(later.document.schedule).toMatchObject({ cron: '0 3 * * *', tz: 'Asia/Shanghai' });
    expect((await documentOf(scene(), 'videos schedule', '--cron', 'often')).code).toBe(2);
    const fixed = await documentOf(scene(), 'videos schedule', '--tz', 'EST');
    expect(fixed.document.schedule.note).toContain('write America/New_York');
    expect(later.document.schedule.note).toBeNull();
    expect((await documentOf(scene(), 'videos schedule', '--off')).document).toMatchObject({
      schedule: null,
    });
  });

  it('leave with a URL that is not on the list: exit code 2', async () => {
    expect((await documentOf(scene(), 'videos remove', gone, '--yes')).document).toMatchObject({
      removed: true,
    });
    expect((await scene().run(['videos', 'show', gone])).code).toBe(2);
  });

  it('go on after Ctrl-C, each looked up once', async () => {
    const urls = Array.from({ length: 120 }, (_, index) => `https://video.example/@ben/video/${index}`);
    writeFileSync(
      join(scene().folder, 'many.csv'),
      `video_url,campaign\n${urls.map((url) => `${url},many\n`).join('')}`,
    );
    await scene().run(['videos', 'import', 'many.csv']);
    const { sandbox } = scene();
    const before = sandbox.counts().fetchPublicVideoData ?? 0;
    sandbox.faults.add({ operation: 'fetchPublicVideoData', kind: 'delay', ms: 40, times: 'always' });
    const first = scene().start(['videos', 'scrape', '--campaign', 'many']);
    await meanwhile(first, sandbox.whenCalled('fetchPublicVideoData', before + 20));
    first.kill('SIGINT');
    expect(await first.end()).toMatchObject({ code: 130 });
    sandbox.faults.clear();
    const { code, document } = await documentOf(scene(), 'videos scrape', '--campaign', 'many');
    expect({ code, document }).toMatchObject({ code: 0, document: { total: 120, done: 120, failed: 0 } });
    expect(sandbox.counts().fetchPublicVideoData).toBe(before + 120);
  });
});
