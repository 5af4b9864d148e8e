import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { expect, it, vi } from 'vitest';
import { writeClientReport } from '../../../src/app/videos/client-report.ts';
import { readOverview } from '../../../src/app/videos/overview.ts';
import { readXlsx } from '../../../src/sheets/xlsx/read-xlsx.ts';
import { collect } from '../../support/collect.ts';
import { openRunner } from '../../support/in-process.ts';
import { videoRow } from '../../support/sheets/rows.ts';
import { addVideos, videoUrl } from '../../support/videos.ts';

it('reads the keys of a campaign once, however many videos of it the report has', async () => {
  const { context, ledger, folder, ...runner } = await openRunner();
  const campaign = await runner.importRows([
    videoRow('a', { scheduled_at: '2030-05-01T10:00:00Z' }),
    videoRow('b', { scheduled_at: '2030-05-02T10:00:00Z' }),
  ]);
  const urls = Array.from({ length: 501 }, (_, video) => videoUrl(String(video)));
  await addVideos({ ledger }, urls, { campaign, key: 'a' });
  await addVideos({ ledger }, [videoUrl('of-b')], { campaign, key: 'b' });
  const overview = await readOverview(context, { span: 7, zone: 'UTC' });
  const keys = vi.spyOn(ledger.rowKeys, 'all');
  const file = join(folder, 'report.xlsx');
  const to = createWriteStream(file);
  await writeClientReport(context, { overview, by: 'creator', names: new Map(), title: '', comment: '' }, to);
  await finished(to.end());
  expect(keys).toHaveBeenCalledTimes(1);
  const [, ...videos] = (await collect(readXlsx(file, { sheet: 'Videos' }))).flat();
  const planned = videos.map(({ cells }) => cells[4]);
  expect(Object.groupBy(planned, (at) => at ?? '')).toMatchObject({
    '2030-05-01 10:00': { length: 501 },
    '2030-05-02 10:00': { length: 1 },
  });
});
