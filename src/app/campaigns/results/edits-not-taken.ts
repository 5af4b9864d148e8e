/** Edits of a sheet that its import into a campaign did not take: of rows that were sent, refused, or begun meanwhile. */
import type { RowEdits } from '../../../importers/check/checked-row.ts';
import { withoutDefaults } from '../../../importers/check/default-rows.ts';
import { type PlacedRows, placeName } from '../../../importers/sheet-places.ts';
import { CellAlignment } from '../../../importers/update/cell-alignment.ts';
import type { Campaign } from '../../../ledger/campaigns/campaign.ts';
import type { Ledger } from '../../../ledger/ledger.ts';
import type { StoredRow } from '../../../ledger/rows/stored-rows.ts';
import { textOfCell } from '../../../manifest/cells/formula-guard.ts';
import type { ColumnName } from '../../../manifest/columns.ts';
import { withRemembered } from '../../../manifest/headers/column-map.ts';
import { matchHeader } from '../../../manifest/headers/header.ts';
import { createImportedRowReader } from '../../../manifest/reader.ts';
import { openSheet } from '../../../sheets/open-sheet.ts';
import { fileSource, type SheetOptions } from '../../../sheets/sheet.ts';
import type { SheetRecord } from './own-record.ts';

/** By position of the column in the campaign: the rows whose text the sheet has otherwise, although fixes were carried over into it. */
export type EditsNotTaken = [column: number, rows: number[]][];

interface ImportedFile {
  readonly path: string;
  readonly options: SheetOptions;
  readonly edits: RowEdits | undefined;
  readonly rows: PlacedRows;
}

/** @param campaign as it is after the import. */
export async function findEditsNotTaken(
  { store }: Pick<Ledger, 'store'>,
  campaign: Campaign,
  { path, options, edits, rows }: ImportedFile,
): Promise<EditsNotTaken> {
  const map = withRemembered(options.map, campaign.map);
  const sheet = await openSheet(fileSource(path), { ...options, map });
  const { cells: names } = sheet.header;
  const alignment = new CellAlignment(campaign, matchHeader(edits?.header(names) ?? names, { map }));
  const { key } = createImportedRowReader(campaign).header.indexes;
  const compared = [...campaign.header.keys()].filter(
    (target) => target !== key && alignment.sourcesOf(target).length > 0,
  );
  const found = new Map<number, number[]>();
  let number = 0;
  for await (const batch of withoutDefaults(sheet)) {
    const positions = batch.flatMap((row) => rows.at(row) ?? []);
    const stored = await storedRows(store, campaign, positions);
    for (const row of batch) {
      number += 1;
      const at = rows.at(row) ?? -1;
      const before = stored.get(at);
      if (before === undefined) continue;
      const after = alignment.align(edits?.apply(row, number).cells ?? row.cells);
      for (const target of compared) {
        if (textOfCell(before.cells, target) === textOfCell(after, target)) continue;
        const others = found.get(target) ?? [];
        if (others.push(at) === 1) found.set(target, others);
      }
    }
  }
  return [...found];
}

/** Edits of rows that are in no campaign: the next version of the sheet may have these rows again. @param places of rows to look at. */
export async function findEditsOfSkipped(
  { map }: Pick<Campaign, 'map'>,
  { path, options, edits, rows }: ImportedFile,
  places: ReadonlySet<string>,
): Promise<SheetRecord['edits']> {
  const found: SheetRecord['edits'] = [];
  if (edits === undefined || places.size === 0) return found;
  const sheet = await openSheet(fileSource(path), { ...options, map: withRemembered(options.map, map) });
  const { cells: names } = sheet.header;
  const { indexes } = matchHeader(edits.header(names), { map: withRemembered(options.map, map) });
  const columns = (Object.entries(indexes) as [ColumnName, number][]).filter(([name]) => name !== 'key');
  let number = 0;
  for await (const batch of withoutDefaults(sheet)) {
    for (const row of batch) {
      number += 1;
      if (!places.has(placeName(row)) || rows.at(row) !== undefined) continue;
      const { cells } = edits.apply(row, number);
      const edited = columns.filter(([, at]) => textOfCell(cells, at) !== textOfCell(row.cells, at));
      const texts = edited.map(([name, at]): [ColumnName, string] => [name, textOfCell(cells, at)]);
      if (texts.length > 0) found.push([placeName(row), texts]);
    }
  }
  return found;
}

export async function storedRows(
  store: Ledger['store'],
  campaign: Campaign,
  rows: readonly number[],
): Promise<ReadonlyMap<number, StoredRow>> {
  const stored = new Map<number, StoredRow>();
  // In their order, so that each chunk is read once.
  for (const row of [...new Set(rows)].sort((one, other) => one - other)) {
    const found = await store.find(campaign, row);
    if (found !== undefined) stored.set(row, found);
  }
  return stored;
}
