import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, test } from 'vitest';
import { keptName, lookAtEarlierSheet } from '../../../../src/app/campaigns/results/write.ts';
import { sheetFormats } from '../../../../src/sheets/write/format.ts';
import { writeSheet } from '../../../../src/sheets/write/sheet-file.ts';
import { temporaryFolder } from '../../../support/folder.ts';
import { openScene } from '../../../support/processes/scene.ts';
import { videoRow } from '../../../support/sheets/rows.ts';
import { readSheet } from '../../../support/sheets/sheet.ts';

const owner = { campaign: 'c1', ledger: 'aaaa' };

async function* linesOf(...rows: readonly (readonly string[])[]) {
  yield ['caption', 'ledger', 'campaign', 'video_url'];
  yield* rows;
}

test.each(sheetFormats)(
  'a sheet of the campaign itself may be replaced, one of another or of another ledger not: %s',
  async (format) => {
    const path = join(temporaryFolder(), `posts.results.${format}`);
    await writeSheet(path, linesOf(['=1, "two"\nlines', 'aaaa', 'c1', ''], ['', 'aaaa', 'c1', '']), {
      format,
    });
    expect(await lookAtEarlierSheet(path, owner)).toBe('free');
    expect(await lookAtEarlierSheet(path, { ...owner, campaign: 'c2' })).toBe('foreign');
    expect(await lookAtEarlierSheet(path, { ...owner, ledger: 'bbbb' })).toBe('foreign');
  },
);

test.each(sheetFormats)('rows that name no campaign, such as headings, say nothing: %s', async (format) => {
  const path = join(temporaryFolder(), `posts.results.${format}`);
  const lines = linesOf(['June', '', '', ''], ['one', 'aaaa', 'c1', ''], ['Total', '', '', '']);
  await writeSheet(path, lines, { format });
  expect(await lookAtEarlierSheet(path, owner)).toBe('free');
  expect(await lookAtEarlierSheet(path, { ...owner, campaign: 'c2' })).toBe('foreign');
  await writeSheet(path, linesOf(['June', '', '', '']), { format });
  expect(await lookAtEarlierSheet(path, owner)).toBe('foreign');
});

test.each(sheetFormats)('a sheet without rows may be replaced: %s', async (format) => {
  const path = join(temporaryFolder(), `posts.results.${format}`);
  await writeSheet(path, linesOf(), { format });
  expect(await lookAtEarlierSheet(path, owner)).toBe('free');
});

test.each(sheetFormats)(
  'what is no results sheet is left alone, and what is not there is free: %s',
  async (format) => {
    const path = join(temporaryFolder(), `posts.results.${format}`);
    expect(await lookAtEarlierSheet(path, owner)).toBe('free');
    writeFileSync(path, '{"a":\nmy own notes, "x\n');
    expect(await lookAtEarlierSheet(path, owner)).toBe('foreign');
  },
);

test.each(sheetFormats)('an entry in video_url is found, wherever it is: %s', async (format) => {
  const path = join(temporaryFolder(), `posts.results.${format}`);
  const untouched = Array.from({ length: 3000 }, () => ['one', 'aaaa', 'c1', '']);
  await writeSheet(path, linesOf(...untouched), { format });
  expect(await lookAtEarlierSheet(path, owner)).toBe('free');
  await writeSheet(path, linesOf(...untouched, ['one', 'aaaa', 'c1', 'https://video.example/1']), { format });
  expect(await lookAtEarlierSheet(path, owner)).toBe('filled-in');
});

it('a sheet that Excel has saved with its own separator is read, too', async () => {
  const path = join(temporaryFolder(), 'posts.results.csv');
  writeFileSync(path, '\uFEFFcaption;ledger;campaign;video_url\r\none;aaaa;c1;https://video.example/1\r\n');
  expect(await lookAtEarlierSheet(path, owner)).toBe('filled-in');
});

it('a sheet that makes way is renamed by the time', () => {
  expect(keptName('a.b/posts.results.csv', new Date(Date.UTC(2026, 5, 1, 12)))).toBe(
    'a.b/posts.results.20260601T120000Z.csv',
  );
});

describe('campaigns run', () => {
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
