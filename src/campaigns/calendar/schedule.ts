/** Scheduled times of rows, read chunk by chunk. They are cached, because a sheet rarely changes. */
import { LRUCache } from 'lru-cache';
import type { Campaign } from '../../ledger/campaigns/campaigns.ts';
import { chunkSize } from '../../ledger/keys.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { remembered } from '../../ledger/remembered.ts';
import { textOfCell } from '../../manifest/cells/formula.ts';
import { createKeyReader } from '../../manifest/cells/key.ts';
import { createImportedRowReader } from '../../manifest/imported-sheet.ts';

/** A row with a time. */
export interface ScheduledRow {
  readonly position: number;
  readonly key: string;
  /** As written in the sheet. */
  readonly creator: string;
  readonly product: string;
  /** Unix epoch, milliseconds. */
  readonly at: number;
  /** IANA zone of its time: the row's own, else that of the import. Undefined if there is neither and the time has an offset. */
  readonly tz: string | undefined;
}

/** About 100 bytes a row, so 50 MB at most. */
const chunksKept = 1000;

export class Schedules {
  readonly #ledger: Ledger;
  readonly #chunks = new LRUCache<string, Promise<readonly ScheduledRow[]>>({ max: chunksKept });

  constructor(ledger: Ledger) {
    this.#ledger = ledger;
  }

  /** The rows of a chunk that have a time. */
  ofChunk(campaign: Campaign, chunk: number): Promise<readonly ScheduledRow[]> {
    const key = `${campaign.sheetVersion} ${chunk}`;
    return remembered(this.#chunks, key, () => this.#read(campaign, chunk));
  }

  async #read(campaign: Campaign, chunk: number): Promise<readonly ScheduledRow[]> {
    const reader = createImportedRowReader(campaign);
    const keys = createKeyReader(reader);
    const { product_id, product_title } = reader.header.indexes;
    const scheduled: ScheduledRow[] = [];
    let position = chunk * chunkSize;
    for await (const rows of this.#ledger.store.parts(campaign, chunk)) {
      for (const { cells, number } of rows) {
        const read = reader.read(cells, number);
        const cell = (column: number) => textOfCell(cells, column);
        if ('row' in read && read.row.schedule !== undefined) {
          const product = cell(product_title) || cell(product_id);
          const { creator, schedule } = read.row;
          const { at, tz } = schedule;
          scheduled.push({ position, key: keys.read(cells, number), creator, product, at, tz });
        }
        position += 1;
      }
    }
    return scheduled;
  }
}
