/** Rows of a program, handed in without a file of theirs. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { expect, it, type TestContext } from 'vitest';
import { checkSettings } from '../../../config/load.ts';
import { checkBeforeImport } from '../../../src/app/campaigns/import/earlier-import.ts';
import { startCampaign } from '../../../src/app/campaigns/import/start.ts';
import { updateCampaign } from '../../../src/app/campaigns/import/update.ts';
import { showCampaign } from '../../../src/app/campaigns/list.ts';
import { openManifest } from '../../../src/importers/open/manifest-file.ts';
import type { ManifestRow, ManifestRows } from '../../../src/importers/open/program-rows.ts';
import { openPages } from '../../support/console/console-pages.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { openRunner } from '../../support/in-process.ts';
import { writeMedia } from '../../support/sheets/media.ts';
import { localFiles, videoRow } from '../../support/sheets/rows.ts';

const now = Date.UTC(2026, 2, 3, 9);

async function openHall(test: TestContext) {
  const runner = await openRunner({ now: () => now, queues: [] }, test);
  const { runtime } = await openPages(runner, test);
  const rows = ['a', 'b'].map((key) => videoRow(key));
  writeMedia(runner.folder, localFiles(rows));
  const options = { mediaRoot: runner.folder };
  return { runtime, rows, options };
}

/** The text of the rows as they are stored. */
async function stored(rows: ManifestRows): Promise<string> {
  const folder = temporaryFolder();
  const settings = checkSettings({});
  await using manifest = await openManifest({ settings }, rows, { folder });
  return readFileSync(manifest.path, 'utf8');
}

it('rows become a campaign, and the same rows are known', async (test) => {
  const { runtime, rows, options } = await openHall(test);
  await using manifest = await openManifest(runtime, rows, { name: 'autumn' });
  const started = await startCampaign(runtime, manifest, options);
  expect(started).toMatchObject({
    kind: 'imported',
    campaign: { name: 'autumn', rows: 2, source: 'autumn' },
  });
  await using again = await openManifest(runtime, rows, { name: 'autumn' });
  expect(await startCampaign(runtime, again, options)).toMatchObject({ kind: 'known' });
});

it('a single row of a stream goes into a campaign that is named or given', async (test) => {
  const { runtime, rows, options } = await openHall(test);
  await using manifest = await openManifest(runtime, rows);
  const started = await startCampaign(runtime, manifest, options);
  if (started.kind !== 'imported') throw new Error(started.kind);
  const { campaign } = started;
  async function* changed() {
    yield { ...rows[0], caption: 'Another caption', scheduled_at: new Date(now + 86_400_000) };
  }
  await using update = await openManifest(runtime, changed());
  const planned = await updateCampaign(runtime, campaign, update, { dryRun: true });
  expect(planned).toMatchObject({ kind: 'planned', matches: { changed: { count: 1 } } });
  expect(await updateCampaign(runtime, campaign.id, update)).toMatchObject({ kind: 'updated', moved: 0 });
  expect(await showCampaign(runtime, campaign)).toEqual(await showCampaign(runtime, campaign.id));
});

it('a problem of a row has the number of the row as its line', async (test) => {
  const { runtime, rows, options } = await openHall(test);
  const [a = {}, b = {}] = rows;
  await using manifest = await openManifest(runtime, [a, { ...b, creator: '' }]);
  const { check } = await checkBeforeImport(runtime, manifest, options);
  expect(check.problems.kept).toMatchObject([{ line: 2, column: 'creator', code: 'missing_value' }]);
});

it('values keep every digit, lists stay lists, and what is nothing is left out', async () => {
  const row = {
    key: 1,
    product_id: 1_729_430_000_000_000_001n,
    media: ['a.jpg', 'b.jpg'],
    caption: undefined,
  };
  expect(JSON.parse(await stored([row]))).toEqual([
    { key: 1, product_id: '1729430000000000001', media: ['a.jpg', 'b.jpg'] },
  ]);
  expect(JSON.parse(await stored([]))).toEqual([]);
});

it.each<[string, ManifestRow]>([
  ['row 1: scheduled_at is an invalid time', { scheduled_at: new Date('soon') }],
  ['row 1: ai_count is an invalid number', { ai_count: Number.NaN }],
  ['row 1 is not an object of cells', null as unknown as ManifestRow],
])('a value that JSON would drop is refused: %s', async (message, row) => {
  await expect(stored([row])).rejects.toMatchObject({ code: 'manifest_unreadable', message });
});

it('an error of the rows themselves is thrown as it is, and leaves nothing behind', async () => {
  const folder = temporaryFolder();
  const settings = checkSettings({});
  const failure = new Error('the database is gone');
  async function* rows(): AsyncGenerator<ManifestRow> {
    yield { key: 'a' };
    throw failure;
  }
  await expect(openManifest({ settings }, rows(), { folder })).rejects.toBe(failure);
  expect(existsSync(folder) && readdirSync(folder)).toEqual([]);
});
