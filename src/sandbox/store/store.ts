/** The sandbox's memory, and the effects of its calls. */
import { randomBytes } from 'node:crypto';
import { Covers, type StoredCover } from './covers.ts';
import { Creators } from './creators.ts';
import { Database } from './database.ts';
import { Files, type StoredFile } from './files.ts';
import { Generations, type StoredSchedule } from './generations.ts';
import { Posts, type StoredPost } from './posts.ts';
import { type ShowcaseAddition, Showcases } from './showcase.ts';

/** All effects, in order. `call` is the number of the call that caused one. */
export interface Effects {
  readonly posts: readonly StoredPost[];
  readonly generations: readonly (StoredSchedule & { readonly taskIds: readonly string[] })[];
  readonly files: readonly StoredFile[];
  readonly showcase: readonly ShowcaseAddition[];
  readonly covers: readonly StoredCover[];
}

export type Store = ReturnType<typeof openStore>;

/** @param now time of the start; a new database derives its first file id from it. */
export function openStore(file: string | undefined, now: number) {
  const database = new Database(file);
  database.run("INSERT OR IGNORE INTO setting VALUES ('secret', ?)", randomBytes(32).toString('hex'));
  const secret = database.get<{ value: string }>("SELECT value FROM setting WHERE name = 'secret'")?.value;
  const tables = {
    creators: new Creators(database),
    files: new Files(database, Math.floor(now / 1000) * 1000 + 1),
    posts: new Posts(database),
    generations: new Generations(database),
    showcases: new Showcases(database),
    covers: new Covers(database),
  };
  return {
    ...tables,
    /** Signs the presigned URLs; stored, so that they outlive a restart. */
    secret: secret ?? '',
    /** Number of the last call with an effect. */
    lastEffect: database.lastEffect(),
    effects: (): Effects => ({
      posts: tables.posts.all(),
      generations: tables.generations.all().map((schedule) => ({
        ...schedule,
        taskIds: tables.generations.tasks(schedule.scheduleId).map((task) => task.taskId),
      })),
      files: tables.files.all(),
      showcase: tables.showcases.additions(),
      covers: tables.covers.all(),
    }),
    /** Forgets all effects; creators stay. */
    reset: () => database.emptyRecords(),
    [Symbol.dispose]: () => database[Symbol.dispose](),
  };
}
