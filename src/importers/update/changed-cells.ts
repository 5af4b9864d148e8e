/** Cells that an import into a campaign changes, before and after. Only of the first rows, to show to people. */
import type { Campaign } from '../../ledger/campaigns/campaign.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { textOfCell } from '../../manifest/cells/formula.ts';
import { createKeyReader } from '../../manifest/cells/key.ts';
import { createImportedRowReader } from '../../manifest/reader.ts';
import type { CheckedRow } from '../check/checked-row.ts';
import type { CampaignIndex } from './campaign-index.ts';
import type { SheetMatcher } from './match-rows.ts';

/** A row that an import changes. */
export interface ChangedRow {
  readonly key: string;
  readonly cells: readonly ChangedCell[];
}

/** A cell that an import changes. */
export interface ChangedCell {
  /** Header of its column. */
  readonly column: string;
  readonly was: string;
  readonly is: string;
}

/** Collects the rows that the matcher names as changed. */
export class ChangedCells {
  readonly #matcher: SheetMatcher;
  /** Cells in the columns of the campaign, by key. */
  readonly #rows = new Map<string, readonly string[]>();

  constructor(matcher: SheetMatcher) {
    this.#matcher = matcher;
  }

  /** @param rows rows that the matcher has accepted. */
  add(rows: readonly CheckedRow[]): void {
    const { alignment, matches } = this.#matcher;
    const { keys } = matches.changed;
    if (this.#rows.size >= keys.length) return;
    for (const { key, cells } of rows) if (keys.includes(key)) this.#rows.set(key, alignment.align(cells));
  }

  /** Compares them with the rows of the campaign: those that change, or those whose edits are ignored. */
  async compare(
    ledger: Pick<Ledger, 'store'>,
    campaign: Campaign,
    index: CampaignIndex,
    rows: 'changed' | 'ignored',
  ): Promise<readonly ChangedRow[]> {
    const changed: ChangedRow[] = [];
    for (const [key, cells] of rows === 'changed' ? this.#rows : this.#matcher.editedCells) {
      const row = index.find(key);
      const stored = row === undefined ? undefined : await ledger.store.find(campaign, row);
      if (stored !== undefined) changed.push({ key, cells: this.#differences(stored.cells, cells) });
    }
    return changed;
  }

  #differences(before: readonly string[], after: readonly string[]): readonly ChangedCell[] {
    const { header, map } = this.#matcher.alignment;
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
