/** The tables of the sandbox. Fast rather than durable: a killed process loses nothing, a power failure may. */
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';

const schema = `
  CREATE TABLE IF NOT EXISTS creator (
    id INTEGER PRIMARY KEY, creator_id TEXT NOT NULL UNIQUE, username TEXT NOT NULL UNIQUE, valid INTEGER NOT NULL,
    auth_source TEXT NOT NULL, selection_region TEXT NOT NULL, photo INTEGER NOT NULL, profile TEXT NOT NULL
  );
  CREATE TABLE IF NOT EXISTS file (
    file_id INTEGER PRIMARY KEY, call INTEGER NOT NULL, at INTEGER NOT NULL, hash TEXT NOT NULL, name TEXT NOT NULL,
    content_type TEXT NOT NULL, size INTEGER NOT NULL, state TEXT NOT NULL, content BLOB, path TEXT
  );
  CREATE INDEX IF NOT EXISTS file_known ON file (hash) WHERE state = 'confirmed';
  CREATE TABLE IF NOT EXISTS post (
    id INTEGER PRIMARY KEY, call INTEGER NOT NULL, at INTEGER NOT NULL, post_id TEXT NOT NULL UNIQUE,
    creator_id TEXT NOT NULL, title TEXT NOT NULL, business_id TEXT NOT NULL, video_url TEXT NOT NULL,
    scheduled_at INTEGER, request TEXT NOT NULL, notes TEXT NOT NULL
  );
  CREATE INDEX IF NOT EXISTS post_creator ON post (creator_id);
  CREATE TABLE IF NOT EXISTS schedule (
    schedule_id TEXT PRIMARY KEY, call INTEGER NOT NULL, at INTEGER NOT NULL, begin_at INTEGER NOT NULL,
    type TEXT NOT NULL, prompt TEXT NOT NULL, request TEXT NOT NULL
  ) WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS schedule_prompt ON schedule (prompt);
  CREATE INDEX IF NOT EXISTS schedule_turn ON schedule (type, call);
  CREATE TABLE IF NOT EXISTS task (
    schedule_id TEXT NOT NULL, position INTEGER NOT NULL, task_id TEXT NOT NULL, outcome TEXT NOT NULL,
    PRIMARY KEY (schedule_id, position)
  ) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS showcase_product (
    position INTEGER PRIMARY KEY, id INTEGER NOT NULL, product_id TEXT NOT NULL, UNIQUE (id, product_id)
  );
  CREATE TABLE IF NOT EXISTS showcase_addition (
    call INTEGER PRIMARY KEY, at INTEGER NOT NULL, id INTEGER NOT NULL, added TEXT NOT NULL, refused TEXT NOT NULL
  );
  CREATE TABLE IF NOT EXISTS cover (
    uri TEXT PRIMARY KEY, call INTEGER NOT NULL, at INTEGER NOT NULL, file_id INTEGER NOT NULL
  ) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS setting (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
`;

/** A part of the store. */
export abstract class Table {
  protected readonly database: Database;

  constructor(database: Database) {
    this.database = database;
  }
}

/** The tables that a reset empties. */
const recordTables = ['file', 'post', 'schedule', 'task', 'showcase_product', 'showcase_addition', 'cover'];

export class Database implements Disposable {
  readonly #database: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();

  /** Opens or creates the database: in memory, or in a file that outlives the process. */
  constructor(file: string | undefined) {
    this.#database = new DatabaseSync(file ?? ':memory:');
    this.#database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF; PRAGMA temp_store = MEMORY;');
    this.#database.exec(schema);
  }

  /** @returns the id of the last inserted row. */
  run(sql: string, ...values: readonly SQLInputValue[]): number {
    return Number(this.#prepare(sql).run(...values).lastInsertRowid);
  }

  get<Row>(sql: string, ...values: readonly SQLInputValue[]): Row | undefined {
    return this.#prepare(sql).get(...values) as Row | undefined;
  }

  all<Row>(sql: string, ...values: readonly SQLInputValue[]): Row[] {
    return this.#prepare(sql).all(...values) as Row[];
  }

  /**
   * One page of the rows that meet all conditions, and how many rows meet them in all.
   * @param conditions values by SQL condition, as in `id = ?`; an undefined value leaves its condition out.
   */
  page<Row>(
    { columns, table, order }: Readonly<Record<'columns' | 'table' | 'order', string>>,
    conditions: Readonly<Record<string, SQLInputValue | undefined>>,
    offset: number,
    limit: number,
  ): { list: Row[]; total: number } {
    const used = Object.entries(conditions).filter((entry) => entry[1] !== undefined);
    const values = used.map(([, value]) => value as SQLInputValue);
    const from = `FROM ${table} WHERE ${['true', ...used.map(([condition]) => condition)].join(' AND ')}`;
    const list = this.all<Row>(
      `SELECT ${columns} ${from} ORDER BY ${order} LIMIT ? OFFSET ?`,
      ...values,
      limit,
      offset,
    );
    return { list, total: this.number(`SELECT count(*) ${from}`, ...values) };
  }

  /** The one number of a query; 0 for none. */
  number(sql: string, ...values: readonly SQLInputValue[]): number {
    const [value] = Object.values(this.get<Record<string, number | null>>(sql, ...values) ?? {});
    return value ?? 0;
  }

  /** Runs the work in one transaction; an error undoes it. */
  transaction(work: () => void): void {
    this.#database.exec('BEGIN');
    try {
      work();
      this.#database.exec('COMMIT');
    } catch (error) {
      this.#database.exec('ROLLBACK');
      throw error;
    }
  }

  /** Forgets all effects; creators and the signing secret stay. */
  emptyRecords(): void {
    this.transaction(() => {
      for (const table of recordTables) this.#database.exec(`DELETE FROM ${table}`);
    });
  }

  /** The number of the last call with an effect, from which the numbering continues after a restart. */
  lastEffect(): number {
    const tables = ['file', 'post', 'schedule', 'showcase_addition', 'cover'];
    const highest = tables.map((table) => `SELECT max(call) AS call FROM ${table}`).join(' UNION ALL ');
    return this.number(`SELECT max(call) FROM (${highest})`);
  }

  [Symbol.dispose](): void {
    this.#database.close();
  }

  #prepare(sql: string): StatementSync {
    const statement = this.#statements.get(sql) ?? this.#database.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }
}
