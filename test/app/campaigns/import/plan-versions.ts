/** A campaign of a planner's sheet, its fixes, and the next versions that are brought. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, type TestContext } from 'vitest';
import type { Edit } from '../../../../src/app/campaigns/import/edit.ts';
import { Edits } from '../../../../src/app/campaigns/import/edits.ts';
import { startCampaign } from '../../../../src/app/campaigns/import/start.ts';
import { matchesDocument, updateCampaign } from '../../../../src/app/campaigns/import/update.ts';
import { writeResults } from '../../../../src/app/campaigns/results/write.ts';
import { describeMatches } from '../../../../src/cli/print/update.ts';
import { manifestName } from '../../../../src/importers/open/manifest-file.ts';
import type { SheetOptions } from '../../../../src/sheets/sheet.ts';
import { videoRow } from '../../../support/sheets/rows.ts';
import { type Cells, readSheet, sheetText } from '../../../support/sheets/sheet.ts';
import { openHall } from './sheets-in-turn.ts';

type Scene = Awaited<ReturnType<typeof openHall>>;

export const keyed = [
  videoRow('a', { creator: 'demo anna' }),
  videoRow('b', { scheduled_at: 'tbc' }),
  videoRow('c', { caption: 'Third' }),
];
export const captions = ['One', 'Two', 'Three', 'Four', 'Five'];
export const postOf = (caption: string): Cells => videoRow(caption, { caption, media: `${caption}.mp4` });
export const numbered = (rows: readonly Cells[]): Cells[] =>
  rows.map((row, index) => ({ ...row, key: String(index + 1) }));
export const slotted = (rows: readonly Cells[]): Cells[] =>
  rows.map((row, index) => ({ ...row, scheduled_at: `2026-05-0${index + 1} 10:00Z` }));
export const withoutKeys = (rows: readonly Cells[]) => rows.map(({ key: _key, ...row }) => row);
const position = (of: Cells, name: string) => Object.keys(of).indexOf(name);
export const fixes: Edit = {
  cells: [
    { row: 1, position: position(videoRow('a'), 'creator'), text: 'demo_anna' },
    { row: 2, position: 6, text: '2026-05-01 10:00Z' },
  ],
};

export async function openPlan(
  test: TestContext,
  rows: readonly Cells[],
  edit: Edit,
  sheet: SheetOptions = {},
) {
  const scene = await openHall(test);
  scene.media(rows);
  const path = await save(scene, 'plan-1.csv', rows);
  const started = await startCampaign(scene.runtime, path, {
    edits: editsOf(edit),
    problemsFile: null,
    sheet,
  });
  expect(started).toMatchObject({ kind: 'imported' });
  return scene;
}

function editsOf(edit: Edit) {
  return new Edits([{ ...edit, at: 0, by: 'ann', of: '' }]);
}

async function save({ runner }: Scene, file: string, rows: readonly Cells[]) {
  const path = join(runner.folder, file);
  writeFileSync(path, sheetText(rows));
  return { file: path, path, name: manifestName(file), folder: runner.folder };
}

/** @param edit made for this version on the page. */
export async function bring(
  scene: Scene,
  file: string,
  rows: readonly Cells[],
  edit?: Edit,
  sheet: SheetOptions = {},
) {
  const edits = edit && editsOf(edit);
  const options = { problemsFile: null, edits, sheet } as const;
  const updated = await updateCampaign(scene.runtime, 'c1', await save(scene, file, rows), options);
  const counts = Object.entries(updated.matches).map(([match, { count }]) => [match, count] as const);
  return {
    kind: updated.kind,
    problems: updated.check.problems.kept.map(({ code }) => code),
    counts: Object.fromEntries(counts.filter(([, count]) => count > 0)),
    changes: updated.changes,
    ignored: updated.ignored,
    absent: matchesDocument(updated).absent,
    skippedAgain: updated.skippedAgain,
    lines: describeMatches(updated),
  };
}

/** What the campaign has, in the order of her sheet: plain results. */
export async function contents({ runtime, runner }: Scene): Promise<readonly Cells[]> {
  const { path = '' } = await writeResults(runtime, 'c1', { to: join(runner.folder, 'contents.json') });
  return JSON.parse(readFileSync(path, 'utf8'));
}

/** Her own file, with results. */
export async function results({ runtime, runner }: Scene) {
  const { path = '' } = await writeResults(runtime, 'c1', { to: join(runner.folder, 'results.csv') });
  return readSheet(path).rows;
}
