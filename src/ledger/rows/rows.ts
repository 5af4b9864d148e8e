/** Reads states, progress, errors and results of rows for pages, reports and repairs. */

import type { RowIndex, RowVersion } from '../../manifest/row.ts';
import { chunkSize } from '../keys.ts';
import { batches, flatVersions, LedgerPart, pairs, readVersions, rowNumbers } from '../ledger-part.ts';
import { type RowError, type RowState, type RowStatus, rowError } from '../states.ts';
import { readStored } from '../stored-json.ts';
import { undoableMs, undoWindowMs } from '../transitions/decisions.ts';
import { type Assets, type PostedResult, readAssets, unpackResult, unpackResults } from './results.ts';
import { emptyRowProgress, parseRowProgress, type RowProgress } from './row-progress.ts';

export interface RowOutcome extends RowStatus {
  /** The post of a posted row; of a failed row, its latest post that was not published. */
  readonly result: PostedResult | undefined;
  readonly error: RowError | undefined;
  readonly assets: readonly string[];
  readonly progress: RowProgress | undefined;
}

/** Adjacent rows to read at each place of a sample. */
const stretch = 100;
/** Rows of one script: more would block Redis for too long. */
const rowsAtOnce = 500;
const errorsAtOnce = 1000;
/** Most codes to count separately: a service could invent one for each row. */
const mostCodes = 1000;

export class RowLedger extends LedgerPart {
  statuses(id: string, first: number, count: number): Promise<readonly RowStatus[]> {
    return this.statusesFrom(this.keys.states(id), first, count);
  }

  /** States of these rows, in their order; undefined for a row that does not exist. */
  statusesOf(id: string, rows: readonly RowIndex[]): Promise<readonly (RowStatus | undefined)[]> {
    return this.statusesAt(this.keys.states(id), rows);
  }

  /** The byte string of states, or that of `count` rows from `first`: a letter and a revision for each row. */
  stateBytes(id: string, first = 0, count?: number): Promise<Buffer> {
    const end = count === undefined ? -1 : (first + count) * 2 - 1;
    return this.redis.getrangeBuffer(this.keys.states(id), first * 2, end);
  }

  /** Cancels one waiting or ready row, in its next revision. @returns false if it is no longer so, in this revision. */
  async cancelOne(id: string, { row, revision }: RowVersion, by: string): Promise<boolean> {
    return (await this.run('rows/cancel-row', [id, row, revision, this.clock, by])) === 'ok';
  }

  async progressOf(id: string, rows: readonly RowIndex[]): Promise<readonly RowProgress[]> {
    const records: RowProgress[] = [];
    for (const batch of batches(rows, rowsAtOnce)) {
      const flats = await this.run<string[][]>('rows/read-progress', [id, ...batch]);
      for (const flat of flats) records.push(parseRowProgress(flat));
    }
    return records;
  }

  async progress(id: string, row: RowIndex): Promise<RowProgress> {
    const [progress = emptyRowProgress] = await this.progressOf(id, [row]);
    return progress;
  }

  #fields(key: string, fields: readonly (number | string)[]): Promise<readonly (string | null)[]> {
    return this.redis.hmget(key, ...fields.map(String));
  }

  async outcomes(id: string, chunk: number): Promise<readonly RowOutcome[]> {
    const first = chunk * chunkSize;
    const statuses = await this.statuses(id, first, chunkSize);
    const rowNumbers = statuses.map((_status, index) => String(first + index));
    if (rowNumbers.length === 0) return [];
    const unfinished = statuses.flatMap((status, index) => (status.state === 'posted' ? [] : [index]));
    const unfinishedRows = unfinished.map((index) => first + index);
    const [results, earlier, errors, assets, records] = await Promise.all([
      this.redis.hgetall(this.keys.results(id, chunk)),
      this.#fields(this.keys.earlier(id), rowNumbers),
      this.#fields(this.keys.errors(id), rowNumbers),
      this.#fields(this.keys.assets(id), rowNumbers),
      this.progressOf(id, unfinishedRows),
    ]);
    const progressOf = new Map(unfinished.map((index, position) => [index, records[position]]));
    return statuses.map((status, index) => {
      const packed = results[String(index)];
      const post = status.state === 'posted' && packed ? unpackResult(packed) : undefined;
      const error = errors[index];
      const progress = progressOf.get(index);
      const made = assets[index];
      return {
        ...status,
        result: post ?? earlierPost(status, earlier[index]),
        error: readStored(rowError, error),
        assets: readAssets(made)?.assets ?? progress?.assets ?? [],
        progress,
      };
    });
  }

  async assetsOf(id: string, rows: readonly RowIndex[]): Promise<readonly Assets[]> {
    if (rows.length === 0) return [];
    const [ended, records] = await Promise.all([
      this.#fields(this.keys.assets(id), rows),
      this.progressOf(id, rows),
    ]);
    return rows.map((_row, index) => readAssets(ended[index]) ?? records[index] ?? emptyRowProgress);
  }

  /** State, result and error of these rows, in their order; undefined for a row that does not exist. */
  async outcomesOf(
    id: string,
    rows: readonly RowIndex[],
  ): Promise<readonly (Pick<RowOutcome, 'state' | 'revision' | 'result' | 'error'> | undefined)[]> {
    if (rows.length === 0) return [];
    const [statuses, errors, earlier] = await Promise.all([
      this.statusesOf(id, rows),
      this.errors(id, rows),
      this.#fields(this.keys.earlier(id), rows),
    ]);
    const posted = rows.filter((_row, index) => statuses[index]?.state === 'posted');
    const posts = await this.postsOf(id, posted);
    return statuses.map((status, index) => {
      if (status === undefined) return undefined;
      const result = posts.get(rows[index] ?? -1) ?? earlierPost(status, earlier[index]);
      return { ...status, result, error: errors[index] };
    });
  }

  /** Posts of these rows, by row, without rows that have none. Needs a command for each chunk. */
  async postsOf(id: string, rows: readonly RowIndex[]): Promise<ReadonlyMap<RowIndex, PostedResult>> {
    const posts = new Map<RowIndex, PostedResult>();
    const readChunk = async (chunk: number, batch: readonly RowIndex[]) => {
      const fields = batch.map((row) => row % chunkSize);
      const packed = await this.#fields(this.keys.results(id, chunk), fields);
      for (const [index, row] of batch.entries()) {
        const text = packed[index];
        if (text) posts.set(row, unpackResult(text));
      }
    };
    const chunks = Map.groupBy(rows, (row) => Math.floor(row / chunkSize));
    await Promise.all([...chunks].map(([chunk, batch]) => readChunk(chunk, batch)));
    return posts;
  }

  /** As `outcomes`, of one row, but without the earlier post of a failed one; undefined for a row that does not exist. */
  async outcome(id: string, row: RowIndex): Promise<Omit<RowOutcome, 'progress'> | undefined> {
    const [[outcome], [made]] = await Promise.all([this.outcomesOf(id, [row]), this.assetsOf(id, [row])]);
    if (!outcome) return undefined;
    const result = outcome.state === 'posted' ? outcome.result : undefined;
    return { ...outcome, result, assets: made?.assets ?? [] };
  }

  /** The next rows in a state from a position on, or down from it if descending. */
  async nextInState(
    id: string,
    state: Extract<RowState, 'failed' | 'review'>,
    page: { readonly from: number; readonly limit: number; readonly descending: boolean },
  ): Promise<readonly number[]> {
    const { from, limit, descending } = page;
    const index = this.keys.index(id, state);
    const reading = descending
      ? this.redis.zrevrangebyscore(index, from, '-inf', 'LIMIT', 0, limit)
      : this.redis.zrangebyscore(index, from, '+inf', 'LIMIT', 0, limit);
    return rowNumbers(await reading);
  }

  /** All rows in a state, ascending. */
  async inState(id: string, state: Extract<RowState, 'failed' | 'review'>): Promise<readonly number[]> {
    return this.rowsOf(id, state);
  }

  /** Ascending: all if there are at most `most`, else about `most` of them, spread evenly. @param count rows in the state. */
  async someInState(
    id: string,
    state: Extract<RowState, 'failed' | 'review'>,
    count: number,
    most: number,
  ): Promise<readonly number[]> {
    if (count <= most) return this.inState(id, state);
    const stretches = Math.ceil(most / stretch);
    const pipeline = this.redis.pipeline();
    for (let index = 0; index < stretches; index += 1) {
      const start = Math.floor((index * count) / stretches);
      pipeline.zrange(this.keys.index(id, state), String(start), String(start + stretch - 1));
    }
    return rowNumbers(((await this.exec(pipeline)) as string[][]).flat());
  }

  /** Errors of these rows; undefined for a row without one. */
  async errors(id: string, rows: readonly RowIndex[]): Promise<readonly (RowError | undefined)[]> {
    if (rows.length === 0) return [];
    const errors = await this.#fields(this.keys.errors(id), rows);
    return errors.map((error) => readStored(rowError, error));
  }

  /** How many rows failed or are in review, by error code; `other` beyond a thousand codes. Reads them all. */
  async errorCodes(id: string): Promise<Readonly<Record<string, number>>> {
    const counts = new Map<string, number>();
    let cursor = '0';
    do {
      const [next, entries] = await this.redis.hscan(this.keys.errors(id), cursor, 'COUNT', errorsAtOnce);
      for (const [, json] of pairs(entries)) {
        const error = readStored(rowError, json);
        if (!error) continue;
        const code = counts.size < mostCodes || counts.has(error.code) ? error.code : 'other';
        counts.set(code, (counts.get(code) ?? 0) + 1);
      }
      cursor = next;
    } while (cursor !== '0');
    return Object.fromEntries(counts);
  }

  /**
   * Sends rows back to waiting. Skips those in another revision, and those whose earlier post was not looked up lately (`FailedPostsLedger.recordRechecks`).
   * @returns the rows in their old revision, whose jobs are superseded, and how many of them had a post: these can be taken back for a moment.
   */
  async redo(
    id: string,
    rows: readonly RowVersion[],
  ): Promise<{ readonly rows: readonly RowVersion[]; readonly held: number }> {
    const sentBack: RowVersion[] = [];
    let held = 0;
    for (const batch of batches(rows, rowsAtOnce)) {
      const args = [id, this.clock, undoWindowMs, undoableMs, ...flatVersions(batch)];
      const [waiting = 0, ...versions] = await this.run<number[]>('rows/redo-rows', args);
      held += waiting;
      for (const version of readVersions(versions)) sentBack.push(version);
    }
    return { rows: sentBack, held };
  }

  /** Sends rows without live jobs back to waiting; after several times, to review. @returns rows that ran, with the old revision of their jobs. */
  async runAgain(id: string, versions: readonly RowVersion[]): Promise<readonly RowVersion[]> {
    const sentBack: RowVersion[] = [];
    for (const batch of batches(versions, rowsAtOnce)) {
      const args = [id, this.clock, ...flatVersions(batch)];
      const replies = await this.run<number[]>('rows/run-again', args);
      for (const version of readVersions(replies)) sentBack.push(version);
    }
    return sentBack;
  }
}

/** The latest post of a failed row, which was not published. */
function earlierPost({ state }: RowStatus, earlier: string | null | undefined): PostedResult | undefined {
  return state === 'failed' && earlier ? unpackResults(earlier).at(-1) : undefined;
}
