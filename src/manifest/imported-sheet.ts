/** The sheet of a campaign, as its rows are read again: by every step, by the results sheet, by what looks up keys. */
import type { ColumnMap } from './column-map.ts';
import { createRowReader, type RowReader } from './reader.ts';

/** What a campaign remembers of the sheet that it was made of. */
export interface ImportedSheet {
  readonly header: readonly string[];
  readonly map: ColumnMap;
  /** Zone of times without one, as it was set at import. */
  readonly timezone: string | null;
}

/** Makes the reader of a campaign's rows. The import has judged the header: here it only tells where the columns are. */
export function createImportedRowReader({ header, map, timezone }: ImportedSheet): RowReader {
  return createRowReader(header, { map, timezone, allowUnknownColumns: true, allowResultsSheet: true });
}
