/** Cells that an import into a campaign changes, before and after. Only of the first rows, to show to people. */
import { z } from 'zod';
import type { Campaign } from '../../ledger/campaigns/campaign.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { textOfCell } from '../../manifest/cells/formula.ts';
import { createKeyReader } from '../../manifest/cells/key.ts';
import { createImportedRowReader } from '../../manifest/reader.ts';
import type { CheckedRow } from '../check/checked-row.ts';
import type { CampaignIndex } from './campaign-index.ts';
import type { AlignedRow, SheetMatcher } from './match-rows.ts';

export const changedRowSchema = z.strictObject({
  line: z.int(),
  worksheet: z.string().optional(),
  key: z.string(),
  cells: z.array(z.strictObject({ column: z.string(), was: z.string(), is: z.string() })),
  note: z.string().optional(),
});
/** A row that an import changes, or whose edits it ignores. */
export type ChangedRow = Readonly<z.infer<typeof changedRowSchema>>;

/** Collects the rows that the matcher names as changed. */
export class ChangedCells {
  readonly #matcher: SheetMatcher;
  /** By key. */
  readonly #rows = new Map<string, AlignedRow>();

  constructor(matcher: SheetMatcher) {
    this.#matcher = matcher;
  }

  /** @param rows rows that the matcher has accepted. */
  add(rows: readonly CheckedRow[]): void {
    const { alignment, matches } = this.#matcher;
    const { keys } = matches.changed;
    if (this.#rows.size >= keys.length) return;
    for (const { key, line, worksheet, cells } of rows)
      if (keys.includes(key)) this.#rows.set(key, { line, worksheet, cells: alignment.align(cells) });
  }

  /** Compares them with the rows of the campaign: those that change, or those whose edits are ignored. */
  async compare(
    ledger: Pick<Ledger, 'store'>,
    campaign: Campaign,
    index: CampaignIndex,
    rows: 'changed' | 'ignored',
  ): Promise<readonly ChangedRow[]> {
    const changed: ChangedRow[] = [];
    for (const [key, { cells, ...row }] of rows === 'changed' ? this.#rows : this.#matcher.editedRows) {
      const at = index.find(key);
      const stored = at === undefined ? undefined : await ledger.store.find(campaign, at);
      if (stored !== undefined) changed.push({ key, ...row, cells: this.#differences(stored.cells, cells) });
    }
    return changed;
  }

  #differences(before: readonly string[], aligned: readonly string[]): ChangedRow['cells'] {
    const { header, map } = this.#matcher.alignment;
    const after = this.#matcher.alignment.withNotesOf(aligned, before);
    const keys = createKeyReader(createImportedRowReader({ header, map, timezone: null }));
    return header
      .map((column, position) => ({
        column,
        was: textOfCell(before, position),
        is: textOfCell(after, position),
      }))
      .filter(({ was, is }, position) => was !== is && position !== keys.column);
  }
}
