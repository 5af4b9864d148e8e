/**
 * The database of a draft: the rows of its sheet, its edits and comments, and what the last check found. Several processes may have it open: each writes in
 * transactions of some milliseconds, and reads what others have written.
 */
import { dirname, join } from 'node:path';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import { deserialize, serialize } from 'node:v8';
import { UseCaseError } from '../../../manifest/problems/use-case-error.ts';
import { draftBusy, draftNotFound, draftNotStored } from '../draft.ts';

/** Marks a file as ours: `crdr` in ASCII. */
const applicationId = 0x63726472;
/** Rises when a table changes, or the shape of a stored value. */
const format = 1;

const schema = `
  CREATE TABLE edits (revision INTEGER PRIMARY KEY, entry TEXT NOT NULL);
  CREATE TABLE facts (name TEXT PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID;
  CREATE TABLE chunks (first INTEGER PRIMARY KEY, rows INTEGER NOT NULL, packed BLOB NOT NULL);
  CREATE TABLE states (number INTEGER PRIMARY KEY, key INTEGER NOT NULL, marks INTEGER NOT NULL);
  CREATE INDEX refused ON states (number) WHERE marks & 1;
  CREATE INDEX left_out ON states (number) WHERE marks & 2;
  CREATE INDEX warned ON states (number) WHERE marks & 4;
  CREATE INDEX unchanged ON states (number) WHERE marks & 8;
  CREATE TABLE problems (
    number INTEGER, kind INTEGER, place INTEGER, in_group TEXT NOT NULL, value TEXT NOT NULL, problem TEXT NOT NULL,
    PRIMARY KEY (number, kind, place)
  ) WITHOUT ROWID;
  CREATE INDEX groups ON problems (kind, in_group, number, value);
  PRAGMA application_id = ${applicationId};
  PRAGMA user_version = ${format};
`;

/** Databases of this format may have been made without them. */
const comments = `
  CREATE TABLE IF NOT EXISTS comments (id INTEGER PRIMARY KEY, reading TEXT NOT NULL, number INTEGER NOT NULL, comment TEXT NOT NULL);
  CREATE INDEX IF NOT EXISTS comments_of_rows ON comments (number);
`;

/** Result codes of SQLite. */
const busy = 5;
const readOnly = 8;
const corrupt = 11;
const full = 13;
const cannotOpen = 14;
const notDatabase = 26;

const pollMs = 20;
const waitMs = 10_000;

export class DraftDatabase implements Disposable {
  readonly path: string;
  readonly #database: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();
  #writes = 0;

  private constructor(path: string, database: DatabaseSync) {
    this.path = path;
    this.#database = database;
  }

  /** Created if missing; closed by `using`. @throws {UseCaseError} `draft_not_stored`, also for a damaged or foreign file. */
  static async open(path: string): Promise<DraftDatabase> {
    return onDatabase(path, () => {
      const database = new DatabaseSync(path, { timeout: 0 });
      try {
        // A power failure may undo the last commits, but damages nothing. `writeSynced` prevents it.
        database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL');
        create(database, path);
        return new DraftDatabase(path, database);
      } catch (error) {
        database.close();
        throw error;
      }
    });
  }

  [Symbol.dispose](): void {
    this.#database.close();
  }

  /** A file whose lock a check holds. */
  get lockPath(): string {
    return join(dirname(this.path), 'checking');
  }

  /** Differs from an earlier one if anything was written since, by whatever process. */
  get version(): string {
    const { data_version: others } = this.get<{ data_version: number }>('PRAGMA data_version') ?? {};
    return `${this.#writes} ${others}`;
  }

  get<T>(sql: string, ...values: readonly SQLInputValue[]): T | undefined {
    return this.#read(() => this.#prepare(sql).get(...values)) as T | undefined;
  }

  all<T>(sql: string, ...values: readonly SQLInputValue[]): readonly T[] {
    return this.#read(() => this.#prepare(sql).all(...values)) as unknown as readonly T[];
  }

  /** Only within `write`. */
  run(sql: string, ...values: readonly SQLInputValue[]): void {
    this.#prepare(sql).run(...values);
  }

  /** @throws {UseCaseError} `draft_not_stored` if it is damaged. */
  fact<T>(name: string): T | undefined {
    const found = this.get<{ value: Uint8Array }>('SELECT value FROM facts WHERE name = ?', name);
    return found && this.decode(() => deserialize(found.value) as T);
  }

  /** Reads a stored value. @throws {UseCaseError} `draft_not_stored` if the work throws. */
  decode<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      throw damaged(this.path, error);
    }
  }

  /** Stores a value that `structuredClone` can copy. Only within `write`. */
  setFact(name: string, value: unknown): void {
    this.run('INSERT OR REPLACE INTO facts VALUES (?, ?)', name, serialize(value));
  }

  /** One transaction. @param work takes some ms; if it throws, nothing is written. @throws {UseCaseError} `draft_not_stored`, `draft_changed`. */
  async write<T>(work: () => T): Promise<T> {
    return onDatabase(this.path, () => {
      this.#database.exec('BEGIN IMMEDIATE');
      try {
        const result = work();
        this.#database.exec('COMMIT');
        this.#writes += 1;
        return result;
      } catch (error) {
        // A full disk has ended it already.
        if (this.#database.isTransaction) this.#database.exec('ROLLBACK');
        throw error;
      }
    });
  }

  /** As `write`; no power failure undoes it once it has ended. */
  async writeSynced<T>(work: () => T): Promise<T> {
    this.#database.exec('PRAGMA synchronous = FULL');
    try {
      return await this.write(work);
    } finally {
      this.#database.exec('PRAGMA synchronous = NORMAL');
    }
  }

  #prepare(sql: string): StatementSync {
    const known = this.#statements.get(sql);
    if (known !== undefined) return known;
    if (!this.#database.isOpen) throw draftNotFound();
    const statement = this.#database.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }

  #read<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      throw told(this.path, error);
    }
  }
}

function create(database: DatabaseSync, path: string): void {
  const read = (name: string) => Object.values(database.prepare(`PRAGMA ${name}`).get() ?? {})[0];
  const tables = () => Object.values(database.prepare('SELECT count(*) FROM sqlite_schema').get() ?? {})[0];
  if (tables() === 0) {
    database.exec('BEGIN IMMEDIATE');
    // Another process may have been faster.
    if (tables() === 0) database.exec(schema);
    database.exec('COMMIT');
  }
  if (read('application_id') !== applicationId || read('user_version') !== format) throw damaged(path);
  database.exec(comments);
}

/** Repeats work while another process holds the database. */
async function onDatabase<T>(path: string, work: () => T): Promise<T> {
  for (const until = Date.now() + waitMs; ; ) {
    try {
      return work();
    } catch (error) {
      if (resultCode(error) !== busy) throw told(path, error);
      if (Date.now() > until) throw draftBusy();
    }
    await delay(pollMs);
  }
}

function resultCode(error: unknown): number | undefined {
  const { errcode } = error as { errcode?: unknown };
  // The upper bytes have details.
  return typeof errcode === 'number' ? errcode & 0xff : undefined;
}

/** The error for people; one that is not of SQLite as it is. */
function told(path: string, error: unknown): unknown {
  const code = resultCode(error);
  if (code === undefined) return error;
  if (code === corrupt || code === notDatabase) return damaged(path, error);
  if (code === busy) return draftBusy();
  const system = { [full]: 'ENOSPC', [readOnly]: 'EACCES', [cannotOpen]: 'EACCES' }[code];
  return draftNotStored(system === undefined ? error : Object.assign(new Error(), { code: system }));
}

function damaged(path: string, cause?: unknown): UseCaseError {
  return new UseCaseError('draft_not_stored', `${path} is damaged, or was made by another version`, {
    fix: "Add the sheet again, as a new draft. Your file and the database are still in the draft's folder.",
    cause,
  });
}
