/**
 * Everything that a sandbox remembers. It is in memory, and with a file each change is also written there. Fast rather than durable:
 * a killed process loses nothing, a power failure may.
 */
import { randomBytes } from 'node:crypto';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import type { CreateAiGenerationSchedule } from '../service/contract/generation.ts';
import type { CheckedCreatorPost } from '../service/contract/posts.ts';
import { type CreatorProfile, seedCreators, seedProducts } from './creators.ts';

export interface Effect {
  /** Number of the call that caused it. */
  readonly call: number;
  readonly at: number;
}

export interface StoredFile extends Effect {
  readonly fileId: number;
  readonly hash: string;
  readonly name: string;
  readonly contentType: string;
  readonly size: number;
  /** `registered` by presign, `stored` by the PUT, `confirmed` by the confirmation. */
  readonly state: 'registered' | 'stored' | 'confirmed';
}

/** A post that a sandbox has. Repetitions are not detected: the same call twice makes two posts. */
export interface StoredPost extends Effect {
  readonly id: number;
  readonly postId: string;
  readonly creatorId: string;
  readonly title: string;
  readonly businessId: string;
  readonly videoUrl: string;
  readonly scheduledAt: number | null;
  readonly request: CheckedCreatorPost;
  /** What is wrong with it, though the contract allows it. Empty if the sandbox is strict. */
  readonly notes: readonly string[];
}

export interface StoredSchedule extends Effect {
  readonly scheduleId: string;
  /** When its tasks begin: at `execAt`, else at once. */
  readonly beginAt: number;
  readonly request: CreateAiGenerationSchedule;
}

export interface StoredTask {
  readonly position: number;
  readonly taskId: string;
  /** The final status; `stuck` never ends. */
  readonly outcome: string;
}

export interface Generation extends StoredSchedule {
  readonly tasks: readonly StoredTask[];
  /** How many schedules of the same type were made before it. */
  readonly turn: number;
}

export interface ShowcaseAddition extends Effect {
  /** Account table id of the creator. */
  readonly id: number;
  readonly added: readonly string[];
  readonly refused: readonly string[];
}

/** A cover that a sandbox has: the URI stands for the file in `socialShop.coverUri`. */
export interface StoredCover extends Effect {
  readonly uri: string;
  readonly fileId: number;
}

/** All effects, in order. `call` is the number of the call that caused one. */
export interface Effects {
  readonly posts: readonly StoredPost[];
  readonly generations: readonly (StoredSchedule & { readonly taskIds: readonly string[] })[];
  readonly files: readonly StoredFile[];
  readonly showcase: readonly ShowcaseAddition[];
  readonly covers: readonly StoredCover[];
}

/** Rows of one kind by one of their fields, in the order in which they were first put. A row is replaced, never changed. */
class Rows<Row, Key extends string | number = string> extends Map<Key, Row> {
  readonly #kind: string;
  readonly #keyOf: (row: Row) => Key;
  readonly #write: StatementSync | undefined;

  /** Reads the rows of the database, if there is one. */
  constructor(database: DatabaseSync | undefined, kind: string, keyOf: (row: Row) => Key) {
    super();
    this.#kind = kind;
    this.#keyOf = keyOf;
    const insert = 'INSERT INTO record VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET value = excluded.value';
    this.#write = database?.prepare(insert);
    const read = database?.prepare('SELECT value FROM record WHERE kind = ? ORDER BY rowid');
    for (const { value } of read?.iterate(kind) ?? []) {
      const row = JSON.parse(String(value)) as Row;
      this.set(keyOf(row), row);
    }
  }

  put(row: Row): Row {
    const key = this.#keyOf(row);
    this.set(key, row);
    this.#write?.run(this.#kind, key, JSON.stringify(row));
    return row;
  }
}

const schema = `
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = OFF;
  CREATE TABLE IF NOT EXISTS record (kind TEXT NOT NULL, key NOT NULL, value TEXT NOT NULL, UNIQUE (kind, key));
`;

export class Store implements Disposable {
  readonly creators: Rows<CreatorProfile, number>;
  readonly files: Rows<StoredFile, number>;
  readonly posts: Rows<StoredPost>;
  readonly generations: Rows<Generation>;
  readonly covers: Rows<StoredCover>;
  readonly #additions: Rows<ShowcaseAddition, number>;
  /** Signs the presigned URLs; stored, so that they outlive a restart. */
  readonly secret: string;
  readonly #database: DatabaseSync | undefined;
  readonly #showcases = new Map<number, Set<string>>();
  /** Ids of confirmed files by their hashes. */
  readonly #confirmed = new Map<string, number>();
  #nextFileId: number;

  /** @param now time of the start, from which a new store derives its first file id: a later start in memory must not repeat the ids. */
  constructor(file: string | undefined, now: number) {
    const database = file === undefined ? undefined : new DatabaseSync(file);
    database?.exec(schema);
    this.#database = database;
    this.creators = new Rows(database, 'creator', ({ id }) => id);
    this.files = new Rows(database, 'file', ({ fileId }) => fileId);
    this.posts = new Rows(database, 'post', ({ postId }) => postId);
    this.generations = new Rows(database, 'generation', ({ scheduleId }) => scheduleId);
    this.covers = new Rows(database, 'cover', ({ uri }) => uri);
    this.#additions = new Rows(database, 'addition', ({ call }) => call);
    const secrets = new Rows<string>(database, 'secret', () => '');
    this.secret = secrets.get('') ?? secrets.put(randomBytes(32).toString('hex'));
    if (this.creators.size === 0) for (const creator of seedCreators()) this.creators.put(creator);
    this.#fillShowcases();
    this.#nextFileId = Math.floor(now / 1000) * 1000 + 1;
    for (const { fileId, state, hash } of this.files.values()) {
      this.#nextFileId = Math.max(this.#nextFileId, fileId + 1);
      if (state === 'confirmed') this.#confirmed.set(hash, fileId);
    }
  }

  creatorBy(creatorId: string): CreatorProfile | undefined {
    return [...this.creators.values()].find((creator) => creator.creatorId === creatorId);
  }

  register(file: Omit<StoredFile, 'fileId' | 'state'>): StoredFile {
    return this.files.put({ fileId: this.#nextFileId++, ...file, state: 'registered' });
  }

  confirm(file: StoredFile): StoredFile {
    this.#confirmed.set(file.hash, this.confirmedFile(file.hash)?.fileId ?? file.fileId);
    return this.files.put({ ...file, state: 'confirmed' });
  }

  /** The first confirmed file with this content, if any: presign answers it with `isNew` false. */
  confirmedFile(hash: string): StoredFile | undefined {
    return this.files.get(this.#confirmed.get(hash) ?? 0);
  }

  /** The products in the showcase of an account, in order of addition. */
  showcase(id: number): Set<string> {
    const products = this.#showcases.get(id) ?? new Set();
    this.#showcases.set(id, products);
    return products;
  }

  addProducts(addition: ShowcaseAddition): void {
    this.#additions.put(addition);
    for (const product of addition.added) this.showcase(addition.id).add(product);
  }

  effects(): Effects {
    return {
      posts: [...this.posts.values()],
      generations: [...this.generations.values()].map(({ tasks, turn, ...schedule }) => {
        return { ...schedule, taskIds: tasks.map(({ taskId }) => taskId) };
      }),
      files: [...this.files.values()],
      showcase: [...this.#additions.values()],
      covers: [...this.covers.values()],
    };
  }

  get lastEffect(): number {
    const effects = Object.values(this.effects()).flat();
    return effects.reduce((last, { call }) => Math.max(last, call), 0);
  }

  /** Forgets all effects; creators stay. */
  reset(): void {
    this.#database?.exec("DELETE FROM record WHERE kind NOT IN ('creator', 'secret')");
    for (const rows of [this.files, this.posts, this.generations, this.covers, this.#additions]) rows.clear();
    this.#confirmed.clear();
    this.#fillShowcases();
  }

  [Symbol.dispose](): void {
    this.#database?.close();
  }

  /** Fills the showcases with the products of the start, and those of all additions. */
  #fillShowcases(): void {
    this.#showcases.clear();
    for (const { id, added } of [...seedProducts, ...this.#additions.values()]) {
      for (const product of added) this.showcase(id).add(product);
    }
  }
}
