/** Cells that an import into a campaign changes, before and after. Only of the first rows, to show to people. */
import { z } from 'zod';
import type { Campaign } from '../../ledger/campaigns/campaign.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { textOfCell } from '../../manifest/cells/formula-guard.ts';
import { createImportedRowReader } from '../../manifest/reader.ts';
import type { CampaignIndex } from './campaign-index.ts';
import type { CellAlignment } from './cell-alignment.ts';
import type { AlignedRow } from './match-rows.ts';

export const changedRowSchema = z.strictObject({
  line: z.int(),
  worksheet: z.string().optional(),
  key: z.string(),
  cells: z.array(z.strictObject({ column: z.string(), was: z.string(), is: z.string() })),
  note: z.string().optional(),
});
/** A row that an import changes, or whose edits it ignores. */
export type ChangedRow = Readonly<z.infer<typeof changedRowSchema>>;

/** Compares rows of a sheet, by key, with those of the campaign. */
export async function compareRows(
  ledger: Pick<Ledger, 'store'>,
  campaign: Campaign,
  { index, alignment }: { readonly index: CampaignIndex; readonly alignment: CellAlignment },
  rows: ReadonlyMap<string, AlignedRow>,
): Promise<readonly ChangedRow[]> {
  const changed: ChangedRow[] = [];
  const { header, map } = alignment;
  const { key: keyColumn } = createImportedRowReader({ header, map, timezone: null }).header.indexes;
  for (const [key, { cells, ...row }] of rows) {
    const at = index.find(key);
    const stored = at === undefined ? undefined : await ledger.store.find(campaign, at);
    if (stored === undefined) continue;
    const after = alignment.withNotesOf(cells, stored.cells);
    const both = header.map((column, position) => ({
      column,
      was: textOfCell(stored.cells, position),
      is: textOfCell(after, position),
    }));
    const differing = both.filter(({ was, is }, position) => was !== is && position !== keyColumn);
    changed.push({ key, ...row, cells: differing });
  }
  return changed;
}
