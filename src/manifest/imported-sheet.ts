/** Reads the rows of a campaign again from its stored sheet. */
import type { ColumnMap } from './headers/column-map.ts';
import { createRowReader, type RowReader } from './reader.ts';

/** What a campaign stores about its sheet. */
export interface ImportedSheet {
  readonly header: readonly string[];
  readonly map: ColumnMap;
  /** Zone for times without one, as set at import. */
  readonly timezone: string | null;
}

/** Makes a reader of a campaign's rows. The import has already checked the header. An update may have added columns to it. */
export function createImportedRowReader({ header, map, timezone }: ImportedSheet): RowReader {
  return createRowReader(header, {
    map,
    timezone,
    allowUnknownColumns: true,
    allowResultsSheet: true,
    mayBeShort: true,
    linesOfBoth: () => [],
  });
}
