/** The database of a draft that requests use: opened when it is first needed, closed when the draft is and no request uses it. */
import { draftNotFound } from '../draft.ts';
import { DraftDatabase } from './database.ts';

export class UsedDatabase {
  readonly #path: string;
  #database: DraftDatabase | undefined;
  #users = 0;
  #isClosed = false;

  constructor(path: string) {
    this.#path = path;
  }

  get isOpen(): boolean {
    return this.#database !== undefined;
  }

  get isInUse(): boolean {
    return this.#users > 0;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** @throws {UseCaseError} as `DraftDatabase.open`; `draft_not_found` after it was closed. */
  async open(): Promise<DraftDatabase> {
    // Its files may be removed by now.
    if (this.#isClosed && this.#database === undefined) throw draftNotFound();
    this.#database ??= await DraftDatabase.open(this.#path);
    return this.#database;
  }

  /** Runs work of a request, until whose end it stays open. */
  async use<T>(work: () => Promise<T>): Promise<T> {
    this.#users += 1;
    try {
      return await work();
    } finally {
      this.#users -= 1;
      this.#closeUnused();
    }
  }

  /** @param stop ends what still uses it apart from requests. */
  async close(stop: () => Promise<void>): Promise<void> {
    this.#isClosed = true;
    await stop();
    this.#closeUnused();
  }

  #closeUnused(): void {
    if (!this.#isClosed || this.isInUse) return;
    this.#database?.[Symbol.dispose]();
    this.#database = undefined;
  }
}
