/** The tables of the sandbox. Speed over durability: a killed process loses nothing, a power failure may. */
import { DatabaseSync } from 'node:sqlite';

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
    scheduled_at INTEGER, request TEXT NOT NULL
  );
  CREATE INDEX IF NOT EXISTS post_creator ON post (creator_id);
  CREATE TABLE IF NOT EXISTS schedule (
    schedule_id TEXT PRIMARY KEY, call INTEGER NOT NULL, at INTEGER NOT NULL, begin_at INTEGER NOT NULL,
    type TEXT NOT NULL, prompt TEXT NOT NULL, request TEXT NOT NULL
  ) WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS schedule_prompt ON schedule (prompt);
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

/** What a reset empties. Creators and the signing secret stay. */
const recordTables = ['file', 'post', 'schedule', 'task', 'showcase_product', 'showcase_addition', 'cover'];

/** Opens (and makes, where it is new) the database: in memory, or in a file that outlives the process. */
export function openDatabase(file: string | undefined): DatabaseSync {
  const database = new DatabaseSync(file ?? ':memory:');
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF; PRAGMA temp_store = MEMORY;');
  database.exec(schema);
  return database;
}

export function emptyRecords(database: DatabaseSync): void {
  transaction(database, () => {
    for (const table of recordTables) database.exec(`DELETE FROM ${table}`);
  });
}

/** The number of the last call that had an effect: the numbering goes on from there after a restart. */
export function lastEffect(database: DatabaseSync): number {
  const tables = ['file', 'post', 'schedule', 'showcase_addition', 'cover'];
  const highest = tables.map((table) => `SELECT max(call) AS call FROM ${table}`).join(' UNION ALL ');
  const row = database.prepare(`SELECT max(call) AS call FROM (${highest})`).get() as { call: number | null };
  return row.call ?? 0;
}

/** Runs the work in one transaction; an error undoes all of it. */
export function transaction<T>(database: DatabaseSync, work: () => T): T {
  database.exec('BEGIN');
  try {
    const result = work();
    database.exec('COMMIT');
    return result;
  } catch (error) {
    database.exec('ROLLBACK');
    throw error;
  }
}
