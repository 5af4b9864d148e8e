/** Imports one sheet after another, each into a campaign of its own. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'vitest';
import { type StartOptions, startCampaign } from '../../../../src/app/campaigns/import/start.ts';
import type { CheckResult } from '../../../../src/importers/check/check-sheet.ts';
import { openPages } from '../../../support/console/console-pages.ts';
import { openRunner, type RunnerOptions } from '../../../support/in-process.ts';
import { writeMedia } from '../../../support/sheets/media.ts';
import { localFiles, videoRow } from '../../../support/sheets/rows.ts';
import { type Cells, sheetText } from '../../../support/sheets/sheet.ts';

const day = Date.UTC(2026, 2, 3, 9);

export async function openHall(
  test: Pick<TestContext, 'onTestFinished'>,
  options: RunnerOptions = { queues: [] },
) {
  const clock = { now: day };
  const runner = await openRunner({ now: () => clock.now, ...options }, test);
  const { runtime } = await openPages(runner, test);
  let sheets = 0;
  const write = (rows: readonly Cells[]) => {
    sheets += 1;
    const name = `sheet-${sheets}`;
    const path = join(runner.folder, `${name}.csv`);
    // A campaign of the same bytes would be found by them.
    writeFileSync(path, sheetText(rows.map((row) => ({ ...row, _sheet: name }))));
    return { file: path, path, name, folder: runner.folder };
  };
  const start = async (rows: readonly Cells[], given: StartOptions = {}) => {
    const started = await startCampaign(runtime, write(rows), { problemsFile: null, ...given });
    if (started.kind === 'known') throw new Error('it is known');
    const { check } = started;
    return { check, id: started.kind === 'imported' ? started.campaign.id : undefined };
  };
  const media = (rows: readonly Cells[]) => writeMedia(runner.folder, localFiles(rows));
  return { runner, runtime, clock, write, start, media };
}

export function found({ problems, warnings }: Pick<CheckResult, 'problems' | 'warnings'>) {
  const of = ({ kept }: CheckResult['problems']) =>
    kept.map(({ key, code, problem }) => `${key} ${code}: ${problem}`);
  return { problems: of(problems), warnings: of(warnings) };
}

export const rows = [videoRow('a'), videoRow('b')];
