/** Registered files: `registered` by presign, `stored` by the PUT, `confirmed` by the confirmation. */
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { CreateFileUpload } from '../../api/contract/files.ts';

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

/** Where the bytes are: in the database when they are few, else in a file of the spool. */
export type Content = { readonly bytes: Uint8Array } | { readonly path: string };

const columns = 'file_id AS fileId, call, at, hash, name, content_type AS contentType, size, state';

export class Files {
  readonly #database: DatabaseSync;
  readonly #insert: StatementSync;
  readonly #byId: StatementSync;
  readonly #known: StatementSync;
  readonly #store: StatementSync;
  readonly #confirm: StatementSync;
  #nextId: number;

  /** @param firstId where a new database begins to number; a later start in memory must not give out the same ids. */
  constructor(database: DatabaseSync, firstId: number) {
    this.#database = database;
    this.#insert = database.prepare(
      "INSERT INTO file VALUES (?, ?, ?, ?, ?, ?, ?, 'registered', NULL, NULL)",
    );
    this.#byId = database.prepare(`SELECT ${columns} FROM file WHERE file_id = ?`);
    this.#known = database.prepare(
      `SELECT ${columns} FROM file WHERE hash = ? AND state = 'confirmed' ORDER BY file_id LIMIT 1`,
    );
    this.#store = database.prepare(
      "UPDATE file SET content = ?, path = ?, state = 'stored' WHERE file_id = ? AND state = 'registered'",
    );
    this.#confirm = database.prepare("UPDATE file SET state = 'confirmed' WHERE file_id = ?");
    const row = database.prepare('SELECT max(file_id) AS highest FROM file').get();
    this.#nextId = Math.max(firstId, Number(row?.highest ?? 0) + 1);
  }

  register(call: number, at: number, upload: CreateFileUpload): StoredFile {
    const fileId = this.#nextId++;
    const { hash, fileName: name, contentType, size } = upload;
    this.#insert.run(fileId, call, at, hash, name, contentType, size);
    return { fileId, call, at, hash, name, contentType, size, state: 'registered' };
  }

  find(fileId: number): StoredFile | undefined {
    return this.#byId.get(fileId) as StoredFile | undefined;
  }

  /** The confirmed file of this content, where there is one: presign answers it with `isNew` false. */
  known(hash: string): StoredFile | undefined {
    return this.#known.get(hash) as StoredFile | undefined;
  }

  store(fileId: number, content: Content): void {
    if ('bytes' in content) this.#store.run(content.bytes, null, fileId);
    else this.#store.run(null, content.path, fileId);
  }

  confirm(fileId: number): void {
    this.#confirm.run(fileId);
  }

  content(fileId: number): Content | undefined {
    const row = this.#database.prepare('SELECT content, path FROM file WHERE file_id = ?').get(fileId);
    if (row?.content instanceof Uint8Array) return { bytes: row.content };
    return typeof row?.path === 'string' ? { path: row.path } : undefined;
  }

  all(): StoredFile[] {
    return this.#database
      .prepare(`SELECT ${columns} FROM file ORDER BY file_id`)
      .all() as unknown as StoredFile[];
  }
}
