/** Reads states, progress, errors and results of rows for pages, reports and repairs. */
import type { Redis } from 'ioredis';
import type { RunScript } from '../redis/script.ts';
import type { LedgerContext } from './context.ts';
import { chunkSize, type LedgerKeys } from './keys.ts';
import { type PostedResult, unpackResult, unpackResults } from './results.ts';
import { emptyRowProgress, parseRowProgress, type RowProgress } from './row-progress.ts';
import { type RowError, type RowState, type RowStatus, statusAt } from './states.ts';
import { type RowVersion, readVersions } from './steps.ts';
import { readStored, rowError, texts } from './stored-json.ts';

/** State of a row with its result or error. */
export interface RowOutcome extends RowStatus {
  /** The post of a posted row; of a failed row, its latest post that was not published. */
  readonly result: PostedResult | undefined;
  readonly error: RowError | undefined;
  readonly assets: readonly string[];
  /** Progress of a row that is not posted. */
  readonly progress: RowProgress | undefined;
}

/** Rows read at one place when a sample is spread over many. */
const stretch = 100;

export class RowLedger {
  readonly #redis: Redis;
  readonly #keys: LedgerKeys;
  readonly #read: RunScript;
  readonly #redo: RunScript;
  readonly #now: () => number;

  constructor({ redis, keys, script, now }: LedgerContext) {
    this.#redis = redis;
    this.#keys = keys;
    this.#read = script('read-progress');
    this.#redo = script('redo-rows');
    this.#now = now;
  }

  /** States of `count` rows from `first`. */
  async statuses(id: string, first: number, count: number): Promise<readonly RowStatus[]> {
    const bytes = await this.#redis.getrangeBuffer(this.#keys.states(id), first * 2, (first + count) * 2 - 1);
    const statuses: RowStatus[] = [];
    for (let index = 0; index * 2 + 1 < bytes.length; index++) {
      const status = statusAt(bytes, index);
      if (status) statuses.push(status);
    }
    return statuses;
  }

  /** States of these rows, in their order; undefined for a row that does not exist. */
  async statusesOf(id: string, rows: readonly number[]): Promise<readonly (RowStatus | undefined)[]> {
    if (rows.length === 0) return [];
    const pipeline = this.#redis.pipeline();
    for (const row of rows) pipeline.getrangeBuffer(this.#keys.states(id), row * 2, row * 2 + 1);
    const replies = (await pipeline.exec()) ?? [];
    return replies.map(([error, bytes]) => {
      if (error) throw error;
      return statusAt(bytes as Buffer, 0);
    });
  }

  /** Progress of these rows, in their order. */
  async progressOf(id: string, rows: readonly number[]): Promise<readonly RowProgress[]> {
    const records: RowProgress[] = [];
    for (let start = 0; start < rows.length; start += 500) {
      const flats = (await this.#read([id, ...rows.slice(start, start + 500)])) as string[][];
      for (const flat of flats) records.push(parseRowProgress(flat));
    }
    return records;
  }

  async progress(id: string, row: number): Promise<RowProgress> {
    const [progress = emptyRowProgress] = await this.progressOf(id, [row]);
    return progress;
  }

  /** Outcomes of the rows of one chunk, in order. */
  async outcomes(id: string, chunk: number): Promise<readonly RowOutcome[]> {
    const first = chunk * chunkSize;
    const statuses = await this.statuses(id, first, chunkSize);
    const rowNumbers = statuses.map((_status, index) => String(first + index));
    if (rowNumbers.length === 0) return [];
    const unfinished = statuses.flatMap((status, index) => (status.state === 'posted' ? [] : [index]));
    const [results, earlier, errors, assets, records] = await Promise.all([
      this.#redis.hgetall(this.#keys.results(id, chunk)),
      this.#redis.hmget(this.#keys.earlier(id), ...rowNumbers),
      this.#redis.hmget(this.#keys.errors(id), ...rowNumbers),
      this.#redis.hmget(this.#keys.assets(id), ...rowNumbers),
      this.progressOf(
        id,
        unfinished.map((index) => first + index),
      ),
    ]);
    const progressOf = new Map(unfinished.map((index, position) => [index, records[position]]));
    return statuses.map((status, index) => {
      const result = results[String(index)];
      const error = errors[index];
      const progress = progressOf.get(index);
      const made = assets[index];
      return {
        ...status,
        result: resultOf(status, result, earlier[index]),
        error: readStored(rowError, error),
        assets: readStored(texts, made) ?? progress?.assets ?? [],
        progress,
      };
    });
  }

  /** As `outcomes`, of one row; undefined for a row that does not exist. */
  async outcome(
    id: string,
    row: number,
  ): Promise<Pick<RowOutcome, 'state' | 'revision' | 'result' | 'error'> | undefined> {
    const [status] = await this.statuses(id, row, 1);
    if (!status) return undefined;
    const [result, error] = await Promise.all([
      this.#redis.hget(this.#keys.results(id, Math.floor(row / chunkSize)), String(row % chunkSize)),
      this.#redis.hget(this.#keys.errors(id), String(row)),
    ]);
    return {
      ...status,
      result: status.state === 'posted' && result ? unpackResult(result) : undefined,
      error: readStored(rowError, error),
    };
  }

  /** All rows in a state, ascending. */
  async inState(id: string, state: Extract<RowState, 'failed' | 'review'>): Promise<readonly number[]> {
    return (await this.#redis.zrange(this.#keys.index(id, state), '0', '-1')).map(Number);
  }

  /**
   * Some rows in a state, ascending: all if there are at most `most`, else about `most` of them, spread evenly.
   * @param count how many rows are in the state.
   */
  async someInState(
    id: string,
    state: Extract<RowState, 'failed' | 'review'>,
    count: number,
    most: number,
  ): Promise<readonly number[]> {
    if (count <= most) return this.inState(id, state);
    const stretches = Math.ceil(most / stretch);
    const pipeline = this.#redis.pipeline();
    for (let index = 0; index < stretches; index += 1) {
      const start = Math.floor((index * count) / stretches);
      pipeline.zrange(this.#keys.index(id, state), String(start), String(start + stretch - 1));
    }
    const replies = (await pipeline.exec()) ?? [];
    return replies.flatMap(([error, rows]) => {
      if (error) throw error;
      return (rows as string[]).map(Number);
    });
  }

  /** Errors of these rows; undefined for a row without one. */
  async errors(id: string, rows: readonly number[]): Promise<readonly (RowError | undefined)[]> {
    if (rows.length === 0) return [];
    const errors = await this.#redis.hmget(this.#keys.errors(id), ...rows.map(String));
    return errors.map((error) => readStored(rowError, error));
  }

  /**
   * Sends failed rows back to waiting, in their next revision.
   * @returns the rows sent back, with their old revision, whose jobs are superseded.
   */
  async redo(id: string, rows: readonly number[]): Promise<readonly RowVersion[]> {
    const sentBack: RowVersion[] = [];
    for (let start = 0; start < rows.length; start += 500) {
      const reply = await this.#redo([id, this.#now(), ...rows.slice(start, start + 500)]);
      sentBack.push(...readVersions(reply as number[]));
    }
    return sentBack;
  }
}

function resultOf(
  { state }: RowStatus,
  packed: string | undefined,
  earlier: string | null | undefined,
): PostedResult | undefined {
  if (state === 'posted') return packed ? unpackResult(packed) : undefined;
  return state === 'failed' && earlier ? unpackResults(earlier).at(-1) : undefined;
}
