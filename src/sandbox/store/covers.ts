/** Uploaded covers: the URI that stands for a file in `socialShop.coverUri`. */
import type { DatabaseSync, StatementSync } from 'node:sqlite';

export interface StoredCover {
  readonly uri: string;
  /** Number of the call. */
  readonly call: number;
  readonly at: number;
  readonly fileId: number;
}

export class Covers {
  readonly #database: DatabaseSync;
  readonly #insert: StatementSync;
  readonly #byUri: StatementSync;

  constructor(database: DatabaseSync) {
    this.#database = database;
    this.#insert = database.prepare('INSERT INTO cover VALUES (?, ?, ?, ?)');
    this.#byUri = database.prepare('SELECT uri, call, at, file_id AS fileId FROM cover WHERE uri = ?');
  }

  add(cover: StoredCover): void {
    this.#insert.run(cover.uri, cover.call, cover.at, cover.fileId);
  }

  find(uri: string): StoredCover | undefined {
    return this.#byUri.get(uri) as StoredCover | undefined;
  }

  all(): StoredCover[] {
    const rows = this.#database
      .prepare('SELECT uri, call, at, file_id AS fileId FROM cover ORDER BY call')
      .all();
    return rows as unknown as StoredCover[];
  }
}
