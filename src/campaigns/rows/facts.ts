/** Facts of the ledger about rows of a list, without the sheet. */
import type { Ledger } from '../../ledger/ledger.ts';
import type { RowOutcome } from '../../ledger/rows/rows.ts';

export interface RowFacts {
  /** Undefined for a row that does not exist. */
  readonly outcome: Pick<RowOutcome, 'state' | 'result' | 'error'> | undefined;
  /** When its state last changed, if it is among the rows that changed last. Unix epoch, milliseconds. */
  readonly changedAt: number | undefined;
}

/** @returns them by position. */
export async function readFacts(
  ledger: Ledger,
  id: string,
  positions: readonly number[],
): Promise<ReadonlyMap<number, RowFacts>> {
  const [outcomes, times] = await Promise.all([
    ledger.rows.outcomesOf(id, positions),
    ledger.changed.timesOf(id, positions),
  ]);
  return new Map(
    positions.map((position, index) => [position, { outcome: outcomes[index], changedAt: times[index] }]),
  );
}
