/** The showcases of the creators, and every requested addition. */
import { Table } from './database.ts';

/** A product that was added to a showcase of a sandbox. */
export interface ShowcaseAddition {
  /** Number of the call. */
  readonly call: number;
  readonly at: number;
  /** Account table id of the creator. */
  readonly id: number;
  readonly added: readonly string[];
  readonly refused: readonly string[];
}

export class Showcases extends Table {
  record({ call, at, id, added, refused }: ShowcaseAddition): void {
    const values = [call, at, id, JSON.stringify(added), JSON.stringify(refused)];
    this.database.transaction(() => {
      this.#insert(id, added);
      this.database.run('INSERT INTO showcase_addition VALUES (?, ?, ?, ?, ?)', ...values);
    });
  }

  /** Products that were there before any call. */
  seed(id: number, productIds: readonly string[]): void {
    this.database.transaction(() => this.#insert(id, productIds));
  }

  /** Up to `limit` products of one creator after a position, in order of addition. */
  page(id: number, after: number, limit: number): { position: number; productId: string }[] {
    const products = 'FROM showcase_product WHERE id = ? AND position > ? ORDER BY position LIMIT ?';
    return this.database.all(`SELECT position, product_id AS productId ${products}`, id, after, limit);
  }

  count(id: number): number {
    return this.database.number('SELECT count(*) FROM showcase_product WHERE id = ?', id);
  }

  has(id: number, productId: string): boolean {
    const where = 'WHERE id = ? AND product_id = ?';
    return this.database.number(`SELECT count(*) FROM showcase_product ${where}`, id, productId) > 0;
  }

  additions(): ShowcaseAddition[] {
    const select = 'SELECT call, at, id, added, refused FROM showcase_addition ORDER BY call';
    const rows = this.database.all<ShowcaseAddition & { added: string; refused: string }>(select);
    return rows.map((row) => ({ ...row, added: JSON.parse(row.added), refused: JSON.parse(row.refused) }));
  }

  #insert(id: number, productIds: readonly string[]): void {
    const insert = 'INSERT OR IGNORE INTO showcase_product VALUES (NULL, ?, ?)';
    for (const productId of productIds) this.database.run(insert, id, productId);
  }
}
