/**
 * Looks for texts in stored rows, in a thread of its own: to decode rows takes most of the time of a search, and everybody else's pages
 * would wait for it. There is one thread, begun by the first search and ended when none has come for a while. Searches take turns, so
 * that the rows of one batch at most are in memory, however many people search.
 */
import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { chunkSize } from '../../ledger/keys.ts';
import type { PackedRows, RowSheet, RowStore } from '../../ledger/rows/stored-rows.ts';
import type { ColumnName } from '../../manifest/columns.ts';

/** What a row must have; every given field counts. */
export interface TextFilter {
  /** Creator, as written in the sheet. */
  readonly creator?: string | undefined;
  /** Part of the key, caption or product, in any case. Plain text, no pattern. */
  readonly text?: string | undefined;
}

/** Position of each column in the cells of a row; -1 for a column that the sheet does not have. */
export type TextColumns = Readonly<
  Record<Extract<ColumnName, 'key' | 'creator' | 'caption' | 'product_id' | 'product_title'>, number>
>;

/** What the thread is asked. It answers the positions of the rows that match. */
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

/** Chunks that are read at once; with long rows, parts of one. */
export const chunksABatch = 8;
/** A part of long rows takes a few megabytes. Without a bound, the garbage of many would stay. */
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
   * Those of some rows that match, in their order.
   * @param left nobody waits for the answer any more: the search ends with its reason.
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
  // The sources run as they are, and compiled.
  const file = new URL(`./text-thread${extname(import.meta.url)}`, import.meta.url);
  return new Worker(file, { resourceLimits });
}

/** Bytes that came from Redis are a view of a larger buffer, which cannot be handed over. */
function copied({ first, bytes }: PackedRows): PackedRows {
  return { first, bytes: new Uint8Array(bytes) };
}
