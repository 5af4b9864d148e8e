/** Files: `registered` by presign, `stored` by the PUT, `confirmed` by the confirmation. */
import type { CreateFileUpload } from '../../api/contract/files.ts';
import { type Database, Table } from './database.ts';

/** A file that a sandbox has. */
export interface StoredFile {
  readonly fileId: number;
  /** Number of the call that registered it. */
  readonly call: number;
  readonly at: number;
  readonly hash: string;
  readonly name: string;
  readonly contentType: string;
  readonly size: number;
  readonly state: 'registered' | 'stored' | 'confirmed';
}

/** The bytes of a small file, which are in the database, or the path of a large one. */
export type Content = { readonly bytes: Uint8Array } | { readonly path: string };

const columns = 'file_id AS fileId, call, at, hash, name, content_type AS contentType, size, state';

export class Files extends Table {
  #nextId: number;

  /** @param firstId first id of a new database; a later start in memory must not repeat the ids. */
  constructor(database: Database, firstId: number) {
    super(database);
    this.#nextId = Math.max(firstId, database.number('SELECT max(file_id) FROM file') + 1);
  }

  register(
    call: number,
    at: number,
    { hash, fileName: name, contentType, size }: CreateFileUpload,
  ): StoredFile {
    const fileId = this.#nextId++;
    const insert = "INSERT INTO file VALUES (?, ?, ?, ?, ?, ?, ?, 'registered', NULL, NULL)";
    this.database.run(insert, fileId, call, at, hash, name, contentType, size);
    return { fileId, call, at, hash, name, contentType, size, state: 'registered' };
  }

  find(fileId: number): StoredFile | undefined {
    return this.database.get(`SELECT ${columns} FROM file WHERE file_id = ?`, fileId);
  }

  /** The confirmed file with this content, if any: presign answers it with `isNew` false. */
  known(hash: string): StoredFile | undefined {
    const where = "WHERE hash = ? AND state = 'confirmed' ORDER BY file_id LIMIT 1";
    return this.database.get(`SELECT ${columns} FROM file ${where}`, hash);
  }

  store(fileId: number, content: Content): void {
    const [bytes, path] = 'bytes' in content ? [content.bytes, null] : [null, content.path];
    const registered = "file_id = ? AND state = 'registered'";
    const update = `UPDATE file SET content = ?, path = ?, state = 'stored' WHERE ${registered}`;
    this.database.run(update, bytes, path, fileId);
  }

  confirm(fileId: number): void {
    this.database.run("UPDATE file SET state = 'confirmed' WHERE file_id = ?", fileId);
  }

  content(fileId: number): Content | undefined {
    const select = 'SELECT content, path FROM file WHERE file_id = ?';
    const row = this.database.get<{ content: Uint8Array | null; path: string | null }>(select, fileId);
    if (row?.content) return { bytes: row.content };
    return row?.path ? { path: row.path } : undefined;
  }

  all(): StoredFile[] {
    return this.database.all(`SELECT ${columns} FROM file ORDER BY file_id`);
  }
}
