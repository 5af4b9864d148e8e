/** Creator and product of a campaign's rows, by key. Up to 24 bytes a row are held; the facts are read when they are asked for. */

import { type HashWords, hashText } from '../../importers/check/distinct-count.ts';
import type { Campaign } from '../../ledger/campaigns/campaigns.ts';
import { chunkSize } from '../../ledger/keys.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { textOfCell } from '../../manifest/cells/formula.ts';
import { createKeyReader, type KeyReader } from '../../manifest/cells/key.ts';
import { type ColumnIndexes, matchHeader } from '../../manifest/headers/header.ts';

export interface RowFacts {
  readonly creator: string;
  readonly product: string;
}

export class CampaignFacts {
  readonly #ledger: Ledger;
  readonly #campaign: Campaign;
  readonly #indexes: ColumnIndexes;
  readonly #keys: KeyReader;
  /** A hash table of two words a slot: position of the row, from 1, and the second word of the hash of its key. */
  readonly #slots: Uint32Array;
  readonly #words: HashWords = new Uint32Array(2);

  private constructor(ledger: Ledger, campaign: Campaign) {
    this.#ledger = ledger;
    this.#campaign = campaign;
    const { header: cells, map } = campaign;
    const header = matchHeader(cells, { allowUnknownColumns: true, allowResultsSheet: true, map });
    this.#indexes = header.indexes;
    this.#keys = createKeyReader({ header });
    // A third of the slots stays empty at least.
    this.#slots = new Uint32Array(2 ** Math.ceil(Math.log2(campaign.rows * 1.5 + 1)) * 2);
  }

  /** Reads all rows of a campaign, chunk by chunk. */
  static async read(ledger: Ledger, campaign: Campaign): Promise<CampaignFacts> {
    const facts = new CampaignFacts(ledger, campaign);
    for (let first = 0; first < campaign.rows; first += chunkSize) {
      let row = first;
      for await (const part of ledger.store.parts(campaign, first / chunkSize)) {
        for (const { cells, number } of part) {
          if (row < campaign.rows) facts.#add(row, facts.#keys.read(cells, number));
          row += 1;
        }
      }
    }
    return facts;
  }

  /** Bytes that it holds. */
  get bytes(): number {
    return this.#slots.byteLength;
  }

  /** The facts of the rows that have these keys. */
  async find(keys: ReadonlySet<string>): Promise<ReadonlyMap<string, RowFacts>> {
    const rows = new Set([...keys].flatMap((key) => this.#rowsOf(key)));
    const chunks = new Set([...rows].map((row) => Math.floor(row / chunkSize)));
    const found = new Map<string, RowFacts>();
    for (const chunk of [...chunks].sort((one, other) => one - other)) {
      let row = chunk * chunkSize;
      for await (const part of this.#ledger.store.parts(this.#campaign, chunk)) {
        for (const { cells, number } of part) {
          // Hashes may collide: the key itself decides.
          const key = rows.has(row) ? this.#keys.read(cells, number) : undefined;
          if (key !== undefined && keys.has(key)) found.set(key, this.#factsOf(cells));
          row += 1;
        }
      }
    }
    return found;
  }

  #factsOf(cells: readonly string[]): RowFacts {
    const text = (column: number) => textOfCell(cells, column);
    const { creator, product_id: product } = this.#indexes;
    return { creator: text(creator).replace(/^@/, ''), product: text(product) };
  }

  #add(row: number, key: string): void {
    let at = this.#firstSlot(key);
    while (this.#slots[at] !== 0) at = (at + 2) % this.#slots.length;
    this.#slots[at] = row + 1;
    this.#slots[at + 1] = this.#words[1] ?? 0;
  }

  /** Rows whose keys have the hash of this one. */
  #rowsOf(key: string): readonly number[] {
    const rows: number[] = [];
    for (let at = this.#firstSlot(key); this.#slots[at] !== 0; at = (at + 2) % this.#slots.length) {
      if (this.#slots[at + 1] === this.#words[1]) rows.push((this.#slots[at] ?? 0) - 1);
    }
    return rows;
  }

  #firstSlot(key: string): number {
    hashText(this.#words, key);
    return ((this.#words[0] ?? 0) * 2) % this.#slots.length;
  }
}
