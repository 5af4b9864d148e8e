/** The choice for hidden rows holds for the next version of a sheet on the page, too. */
import { expect, it } from 'vitest';
import { startCampaign } from '../../../src/app/campaigns/import/start.ts';
import { draftUpdate } from '../../../src/app/drafts/files/sheet-home.ts';
import { OpenDrafts } from '../../../src/app/drafts/open-drafts.ts';
import { openManifest } from '../../../src/importers/open/manifest-file.ts';
import { asIf } from '../../support/ledger.ts';
import { videoRow } from '../../support/sheets/rows.ts';
import type { Cells } from '../../support/sheets/sheet.ts';
import { textRow, writeWorkbook } from '../../support/sheets/workbook.ts';
import { openHall } from '../campaigns/import/sheets-in-turn.ts';

const names = ['creator', 'media', 'caption', 'product_id', 'product_title', 'scheduled_at'];

function workbook(hidden: Cells, ...rows: readonly Cells[]) {
  const line = (row: Cells, attributes?: string) =>
    textRow(
      names.map((name) => row[name] ?? ''),
      attributes,
    );
  const lines = rows.map((row) => line(row)).join('');
  return writeWorkbook({ rows: textRow(names) + line(hidden, ' hidden="1"') + lines });
}

it('hidden rows without keys take no row of the campaign', async (test) => {
  const [hidden, a, b] = [1, 10, 11].map((day, index) =>
    videoRow(index < 2 ? 'a' : 'b', { scheduled_at: `2026-05-${String(day).padStart(2, '0')} 10:00Z` }),
  ) as [Cells, Cells, Cells];
  const scene = await openHall(test);
  const { runtime, runner } = scene;
  scene.media([a, b]);
  await using first = await openManifest(runtime, await workbook(hidden, a, b));
  const choice = { mediaRoot: runner.folder, problemsFile: null, sheet: { hidden: 'skip' } } as const;
  const started = await startCampaign(runtime, first, choice);
  if (started.kind !== 'imported') throw new TypeError(started.kind);
  await asIf(runner).ended('c1', [{ row: 0, state: 'posted' }]);
  const path = await workbook(hidden, { ...a, scheduled_at: '2026-05-12 10:00Z' }, b);
  const drafts = new OpenDrafts(runtime, { settleMs: 2 ** 31 - 1 });
  const update = { campaign: started.campaign, by: 'ann' };
  const id = await draftUpdate(runtime, drafts, update, { name: 'plan.xlsx', path });
  const { checked } = await drafts.look(id, { waitMs: 2 ** 31 - 1 });
  expect(checked?.update?.matches).toMatchObject({ new: { count: 0 }, posted: { count: 1 } });
});
