/** The showcases of the creators, and every addition that was asked for. */
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { transaction } from './database.ts';

export interface ShowcaseAddition {
  /** Number of the call. */
  readonly call: number;
  readonly at: number;
  /** Account table id of the creator. */
  readonly id: number;
  readonly added: readonly string[];
  readonly refused: readonly string[];
}

export class Showcases {
  readonly #database: DatabaseSync;
  readonly #insertProduct: StatementSync;
  readonly #insertAddition: StatementSync;

  constructor(database: DatabaseSync) {
    this.#database = database;
    this.#insertProduct = database.prepare('INSERT OR IGNORE INTO showcase_product VALUES (NULL, ?, ?)');
    this.#insertAddition = database.prepare('INSERT INTO showcase_addition VALUES (?, ?, ?, ?, ?)');
  }

  record(addition: ShowcaseAddition): void {
    const { call, at, id, added, refused } = addition;
    transaction(this.#database, () => {
      for (const productId of added) this.#insertProduct.run(id, productId);
      this.#insertAddition.run(call, at, id, JSON.stringify(added), JSON.stringify(refused));
    });
  }

  /** Products that were there before any call. */
  seed(id: number, productIds: readonly string[]): void {
    transaction(this.#database, () => {
      for (const productId of productIds) this.#insertProduct.run(id, productId);
    });
  }

  /** Up to `limit` products of one creator, after a position, in the order that they were added. */
  page(id: number, after: number, limit: number): { position: number; productId: string }[] {
    return this.#database
      .prepare(
        'SELECT position, product_id AS productId FROM showcase_product ' +
          'WHERE id = ? AND position > ? ORDER BY position LIMIT ?',
      )
      .all(id, after, limit) as unknown as { position: number; productId: string }[];
  }

  count(id: number): number {
    return Number(
      this.#database.prepare('SELECT count(*) AS n FROM showcase_product WHERE id = ?').get(id)?.n,
    );
  }

  additions(): ShowcaseAddition[] {
    const rows = this.#database.prepare(
      'SELECT call, at, id, added, refused FROM showcase_addition ORDER BY call',
    );
    return rows.all().map((row) => ({
      ...(row as unknown as ShowcaseAddition),
      added: JSON.parse(String(row.added)) as string[],
      refused: JSON.parse(String(row.refused)) as string[],
    }));
  }
}
