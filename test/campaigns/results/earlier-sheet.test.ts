import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, test } from 'vitest';
import { isFilledIn, keptName, mayReplace } from '../../../src/campaigns/results/earlier-sheet.ts';
import { sheetFormats } from '../../../src/sheets/write/format.ts';
import { writeSheet } from '../../../src/sheets/write/sheet-file.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { openScene } from '../../support/processes/scene.ts';
import { videoRow } from '../../support/sheets/rows.ts';
import { readSheet } from '../../support/sheets/sheet.ts';

async function* linesOf(...rows: readonly (readonly string[])[]) {
  yield ['caption', 'campaign', 'video_url'];
  yield* rows;
}

test.each(sheetFormats)(
  'a sheet of the campaign itself may be replaced, one of another not: %s',
  async (format) => {
    const path = join(temporaryFolder(), `posts.results.${format}`);
    await writeSheet(path, linesOf(['=1, "two"\nlines', 'c1', ''], ['', 'c1', 'x']), { format });
    expect(await mayReplace(path, 'c1')).toBe(true);
    expect(await mayReplace(path, 'c2')).toBe(false);
  },
);

test.each(sheetFormats)(
  'a sheet of the same campaign of another ledger is left alone: %s',
  async (format) => {
    const path = join(temporaryFolder(), `posts.results.${format}`);
    async function* lines() {
      yield ['caption', 'ledger', 'campaign', 'video_url'];
      yield ['one', 'aaaa', 'c1', ''];
    }
    await writeSheet(path, lines(), { format });
    expect(await mayReplace(path, 'c1', 'aaaa')).toBe(true);
    expect(await mayReplace(path, 'c1', 'bbbb')).toBe(false);
  },
);

test.each(sheetFormats)('a sheet without rows may be replaced: %s', async (format) => {
  const path = join(temporaryFolder(), `posts.results.${format}`);
  await writeSheet(path, linesOf(), { format });
  expect(await mayReplace(path, 'c2')).toBe(true);
});

test.each(sheetFormats)(
  'what is no results sheet is left alone, and what is not there is free: %s',
  async (format) => {
    const path = join(temporaryFolder(), `posts.results.${format}`);
    expect(await mayReplace(path, 'c1')).toBe(true);
    writeFileSync(path, '{"a":\nmy own notes, "x\n');
    expect(await mayReplace(path, 'c1')).toBe(false);
  },
);

test.each(sheetFormats)('an entry in video_url is found, wherever it is: %s', async (format) => {
  const path = join(temporaryFolder(), `posts.results.${format}`);
  const untouched = Array.from({ length: 3000 }, () => ['one', 'c1', '']);
  await writeSheet(path, linesOf(...untouched), { format });
  expect(await isFilledIn(path)).toBe(false);
  await writeSheet(path, linesOf(...untouched, ['one', 'c1', 'https://video.example/1']), { format });
  expect(await isFilledIn(path)).toBe(true);
});

it('a sheet that Excel has saved with its own separator is read, too', async () => {
  const path = join(temporaryFolder(), 'posts.results.csv');
  writeFileSync(path, '\uFEFFcaption;campaign;video_url\r\none;c1;https://video.example/1\r\n');
  expect(await isFilledIn(path)).toBe(true);
});

it('a sheet that makes way is renamed by the time', () => {
  expect(keptName('a.b/posts.results.csv', new Date(Date.UTC(2026, 5, 1, 12)))).toBe(
    'a.b/posts.results.20260601T120000Z.csv',
  );
});

describe('campaigns run', { timeout: 60_000 }, () => {
  it('does not write over the results of another campaign', async (scope) => {
    const scene = await openScene(scope);
    const file = scene.manifest([videoRow('1')]);
    expect((await scene.run(['run', file])).code).toBe(0);
    const again = await scene.run(['run', file, '--again', '--json']);
    expect(again.stderr).toContain(
      'posts.results.csv belongs to another campaign and is kept. The results go to posts.c2.results.csv',
    );
    expect(JSON.parse(again.stdout)).toMatchObject({ results: join(scene.folder, 'posts.c2.results.csv') });
    const campaignOf = (name: string) => readSheet(join(scene.folder, name)).rows[0]?.campaign;
    expect(['posts.results.csv', 'posts.c2.results.csv'].map(campaignOf)).toEqual(['c1', 'c2']);
  });

  it('keeps a sheet of its own that somebody has written into', async (scope) => {
    const scene = await openScene(scope);
    const refused = videoRow('1', { product_id: 'unavailable-1' });
    expect((await scene.run(['run', scene.manifest([refused])])).code).toBe(3);
    const path = join(scene.folder, 'posts.results.csv');
    const [header, row] = readFileSync(path, 'utf8').trimEnd().split('\n');
    const column = readSheet(path).columns.indexOf('video_url');
    expect(column).toBeGreaterThan(0);
    const filledIn = `${header}\n${row?.replace(',,showcase,', ',https://video.example/1,showcase,')}\n`;
    writeFileSync(path, filledIn);
    expect((await scene.run(['retry', 'c1'])).code).toBe(0);
    expect((await scene.run(['run'])).stderr).toContain('has entries in video_url. It is kept as');
    const kept = readdirSync(scene.folder).find((name) => /^posts\.results\.\d{8}T\d{6}Z\.csv$/.test(name));
    expect(readFileSync(join(scene.folder, kept ?? ''), 'utf8')).toBe(filledIn);
    expect(readSheet(path).rows).toMatchObject([{ campaign: 'c1', video_url: '' }]);
  });
});
