/** Finds rows by key. */
import type { Campaign } from '../../ledger/campaigns.ts';
import { chunkSize } from '../../ledger/keys.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { createImportedRowReader } from '../../manifest/imported-sheet.ts';
import { createKeyReader } from '../../manifest/key.ts';
import { UseCaseError } from '../../runtime/use-case-error.ts';

/** @returns a function that reads the key of the row at a position. */
export function keysOf(ledger: Ledger, campaign: Campaign): (row: number) => Promise<string> {
  const keys = createKeyReader(createImportedRowReader(campaign));
  return async (row) => {
    const { cells, number } = await ledger.store.read(campaign, row);
    return keys.read(cells, number);
  };
}

/** @returns the position of the row in the campaign, from 0; undefined when no row has this key. */
export async function findRow(ledger: Ledger, campaign: Campaign, key: string): Promise<number | undefined> {
  const keys = createKeyReader(createImportedRowReader(campaign));
  for (let chunk = 0; chunk * chunkSize < campaign.rows; chunk++) {
    let first = chunk * chunkSize;
    for await (const rows of ledger.store.parts(campaign, chunk)) {
      const index = rows.findIndex(({ cells, number }) => keys.read(cells, number) === key);
      if (index >= 0) return first + index;
      first += rows.length;
    }
  }
  return undefined;
}

export function rowNotFound(campaign: string, key: string): UseCaseError {
  return new UseCaseError('row_not_found', `campaign ${campaign} has no row ${key}`, {
    cure: 'Give the key of the row as in the sheet.',
  });
}
