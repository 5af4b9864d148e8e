import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, test } from 'vitest';
import { mayReplace } from '../../src/cli/earlier-results.ts';
import { writeSheet } from '../../src/reports/sheet-file.ts';
import { sheetFormats } from '../../src/reports/sheet-format.ts';
import { temporaryFolder } from '../support/folder.ts';
import { videoRow } from '../support/rows.ts';
import { openScene } from '../support/scene.ts';
import { readSheet } from '../support/sheet.ts';

async function* linesOf(...rows: readonly (readonly string[])[]) {
  yield ['caption', 'campaign', 'video_url'];
  yield* rows;
}

test.each(sheetFormats)(
  'a sheet of the campaign itself may be replaced, one of another not: %s',
  async (format) => {
    const path = join(temporaryFolder(), `posts.results.${format}`);
    await writeSheet(path, linesOf(['=1, "two"\nlines', 'c1', ''], ['', 'c1', 'x']), format);
    expect(await mayReplace(path, 'c1', format)).toBe(true);
    expect(await mayReplace(path, 'c2', format)).toBe(false);
  },
);

test.each(sheetFormats)('a sheet without rows may be replaced: %s', async (format) => {
  const path = join(temporaryFolder(), `posts.results.${format}`);
  await writeSheet(path, linesOf(), format);
  expect(await mayReplace(path, 'c2', format)).toBe(true);
});

test.each(sheetFormats)(
  'what is no results sheet is left alone, and what is not there is free: %s',
  async (format) => {
    const path = join(temporaryFolder(), `posts.results.${format}`);
    expect(await mayReplace(path, 'c1', format)).toBe(true);
    writeFileSync(path, '{"a":\nmy own notes, "x\n');
    expect(await mayReplace(path, 'c1', format)).toBe(false);
  },
);

describe('campaigns run', { timeout: 60_000 }, () => {
  it('does not write over the results of another campaign', async (scope) => {
    const scene = await openScene(scope);
    const file = scene.manifest([videoRow('1')]);
    expect((await scene.run(['run', file])).code).toBe(0);
    const again = await scene.run(['run', file, '--again', '--json']);
    expect(again.stderr).toContain(
      'posts.results.csv is not of this campaign, and stays: the results go to posts.c2.results.csv',
    );
    expect(JSON.parse(again.stdout)).toMatchObject({ results: join(scene.folder, 'posts.c2.results.csv') });
    const campaignOf = (name: string) => readSheet(join(scene.folder, name)).rows[0]?.campaign;
    expect(['posts.results.csv', 'posts.c2.results.csv'].map(campaignOf)).toEqual(['c1', 'c2']);
  });
});
