/**
 * Searches texts of stored rows in a thread of its own: decoding rows takes most of the time of a search, and would delay all
 * other pages. There is one thread, started by the first search and ended after a while without searches. Searches take turns,
 * so that at most one batch of rows is in memory, however many people search.
 */
import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { chunkSize } from '../../ledger/keys.ts';
import type { PackedRows, RowSheet, RowStore } from '../../ledger/rows/stored-rows.ts';
import type { ColumnName } from '../../manifest/columns.ts';

/** A row must match every given field. */
export interface TextFilter {
  /** Creator, as written in the sheet. */
  readonly creator?: string | undefined;
  /** Part of the key, caption or product, in any case. Plain text, not a pattern. */
  readonly text?: string | undefined;
}

/** Position of each column in the cells of a row; -1 for a column that the sheet does not have. */
export type TextColumns = Readonly<
  Record<Extract<ColumnName, 'key' | 'creator' | 'caption' | 'product_id' | 'product_title'>, number>
>;

/** Question to the thread. The answer has the positions of the matching rows. */
export interface TextQuestion {
  readonly packed: readonly PackedRows[];
  readonly columns: TextColumns;
  readonly filter: TextFilter;
}

export interface SearchedRows {
  readonly store: Pick<RowStore, 'packed'>;
  readonly sheet: RowSheet;
  readonly columns: TextColumns;
  /** Positions in the campaign. */
  readonly rows: readonly number[];
}

/** Chunks to read at once; of a chunk with long rows, only parts. */
export const chunksABatch = 8;
/** Rows take a few megabytes at a time. Without a bound, their garbage would stay in memory. */
const resourceLimits = { maxOldGenerationSizeMb: 20, maxYoungGenerationSizeMb: 2 };
const idleMs = 60_000;

export class TextSearch {
  readonly #start: () => Worker;
  #thread: Worker | undefined;
  #idle: NodeJS.Timeout | undefined;
  /** The last search of a batch. */
  #last: Promise<unknown> = Promise.resolve();

  /** @param start begins the thread. */
  constructor(start = startThread) {
    this.#start = start;
  }

  /**
   * Finds the matching rows among the given ones, in their order.
   * @param left ends the search with its reason, because nobody waits for the answer any more.
   */
  async matching(searched: SearchedRows, filter: TextFilter, left?: AbortSignal): Promise<readonly number[]> {
    const chunks = [...new Set(searched.rows.map((row) => Math.floor(row / chunkSize)))];
    const matching = new Set<number>();
    for (let first = 0; first < chunks.length; first += chunksABatch) {
      const some = chunks.slice(first, first + chunksABatch);
      const turn = this.#last.then(() => this.#searchBatch(searched, some, filter, left));
      this.#last = turn.catch(() => undefined);
      for (const row of await turn) matching.add(row);
    }
    return searched.rows.filter((row) => matching.has(row));
  }

  /** Ends the thread. A later search begins another. */
  async close(): Promise<void> {
    clearTimeout(this.#idle);
    await this.#thread?.terminate();
  }

  async #searchBatch(
    { store, sheet, columns }: SearchedRows,
    chunks: readonly number[],
    filter: TextFilter,
    left: AbortSignal | undefined,
  ): Promise<readonly number[]> {
    const matching: number[] = [];
    left?.throwIfAborted();
    for await (const packed of store.packed(sheet, chunks)) {
      left?.throwIfAborted();
      matching.push(...(await this.#ask({ packed: packed.map(copied), columns, filter })));
    }
    return matching;
  }

  async #ask(question: TextQuestion): Promise<readonly number[]> {
    const thread = this.#running();
    const { promise, resolve, reject } = Promise.withResolvers<readonly number[]>();
    const ended = (code: number) => reject(new Error(`the thread of the text search ended with ${code}`));
    thread.once('message', resolve).once('error', reject).once('exit', ended);
    clearTimeout(this.#idle);
    thread.ref();
    thread.postMessage(
      question,
      question.packed.map(({ bytes }) => bytes.buffer as ArrayBuffer),
    );
    try {
      return await promise;
    } finally {
      thread.off('message', resolve).off('error', reject).off('exit', ended);
      thread.unref();
      this.#idle = setTimeout(() => void thread.terminate(), idleMs).unref();
    }
  }

  #running(): Worker {
    if (this.#thread) return this.#thread;
    const thread = this.#start();
    const forget = () => {
      if (this.#thread === thread) this.#thread = undefined;
    };
    thread.on('error', forget).on('exit', forget);
    this.#thread = thread;
    return thread;
  }
}

function startThread(): Worker {
  // Works from the sources (`.ts`) and compiled (`.js`).
  const file = new URL(`./text-thread${extname(import.meta.url)}`, import.meta.url);
  return new Worker(file, { resourceLimits });
}

/** Copies the bytes: those from Redis are a view of a larger buffer, which cannot be transferred to a thread. */
function copied({ first, bytes }: PackedRows): PackedRows {
  return { first, bytes: new Uint8Array(bytes) };
}
