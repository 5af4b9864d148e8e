/** Uploaded covers: the URI that stands for a file in `socialShop.coverUri`. */
import { Table } from './database.ts';

/** A cover that a sandbox has. */
export interface StoredCover {
  readonly uri: string;
  /** Number of the call. */
  readonly call: number;
  readonly at: number;
  readonly fileId: number;
}

const columns = 'uri, call, at, file_id AS fileId';

export class Covers extends Table {
  add({ uri, call, at, fileId }: StoredCover): void {
    this.database.run('INSERT INTO cover VALUES (?, ?, ?, ?)', uri, call, at, fileId);
  }

  find(uri: string): StoredCover | undefined {
    return this.database.get(`SELECT ${columns} FROM cover WHERE uri = ?`, uri);
  }

  all(): StoredCover[] {
    return this.database.all(`SELECT ${columns} FROM cover ORDER BY call`);
  }
}
