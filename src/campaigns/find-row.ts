/** Finds rows by key. */
import type { Campaign } from '../ledger/campaigns/campaigns.ts';
import { chunkSize } from '../ledger/keys.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { createKeyReader } from '../manifest/cells/key.ts';
import { createImportedRowReader } from '../manifest/imported-sheet.ts';
import { UseCaseError } from '../runtime/use-case-error.ts';

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
  const known = ledger.places.find(campaign, key);
  if (known !== undefined) return known;
  for await (const { first, keys } of keysByChunk(ledger, campaign)) {
    const index = keys.indexOf(key);
    if (index < 0) continue;
    ledger.places.remember(campaign, key, first + index);
    return first + index;
  }
  return undefined;
}

/** The keys of all rows in order, in parts of at most one chunk. `first`: position of the first key of a part. */
export async function* keysByChunk(
  ledger: Ledger,
  campaign: Campaign,
): AsyncGenerator<{ readonly first: number; readonly keys: readonly string[] }> {
  for (let chunk = 0; chunk * chunkSize < campaign.rows; chunk++) yield* keysOfChunk(ledger, campaign, chunk);
}

/** As `keysByChunk`, of one chunk. */
export async function* keysOfChunk(
  ledger: Ledger,
  campaign: Campaign,
  chunk: number,
): AsyncGenerator<{ readonly first: number; readonly keys: readonly string[] }> {
  const reader = createKeyReader(createImportedRowReader(campaign));
  let first = chunk * chunkSize;
  for await (const rows of ledger.store.parts(campaign, chunk)) {
    yield { first, keys: rows.map(({ cells, number }) => reader.read(cells, number)) };
    first += rows.length;
  }
}

export function rowNotFound(campaign: string, key: string): UseCaseError {
  return new UseCaseError('row_not_found', `campaign ${campaign} has no row ${key}`, {
    cure: 'Give the key of the row as in the sheet.',
  });
}
