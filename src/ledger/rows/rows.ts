/** Reads states, progress, errors and results of rows for pages, reports and repairs. */
import { chunkSize } from '../keys.ts';
import { LedgerPart } from '../part.ts';
import { parts } from '../parts.ts';
import { type RowError, type RowState, type RowStatus, stateOfLetter } from '../states.ts';
import { readStored, rowError, texts } from '../stored-json.ts';
import { rowsOfGroups } from '../transitions/admission.ts';
import { type RowVersion, readVersions } from '../transitions/steps.ts';
import { type PostedResult, unpackResult, unpackResults } from './results.ts';
import { emptyRowProgress, parseRowProgress, type RowProgress } from './row-progress.ts';

/** State of a row with its result or error. */
export interface RowOutcome extends RowStatus {
  /** The post of a posted row; of a failed row, its latest post that was not published. */
  readonly result: PostedResult | undefined;
  readonly error: RowError | undefined;
  readonly assets: readonly string[];
  /** Progress of a row that is not posted. */
  readonly progress: RowProgress | undefined;
}

/** What pages show of a row. */
export interface RowFacts extends Pick<RowOutcome, 'state' | 'revision' | 'result' | 'error'> {
  /** When its state last changed, if it is among the last thousand that did. Unix epoch, milliseconds. */
  readonly changedAt: number | undefined;
  /** Progress of a row that runs. */
  readonly progress: RowProgress | undefined;
  /** Whether it runs and waits for the showcase, with others. */
  readonly isInGroup: boolean;
}

/** A row that failed or is in review. */
export interface EndedBadly {
  readonly row: number;
  readonly state: Extract<RowState, 'failed' | 'review'>;
  readonly error: RowError | undefined;
}

/** Rows read at one place when a sample is spread over many. */
const stretch = 100;
/** More in one script would block Redis for too long. */
const rowsAtOnce = 500;
/** Codes that are counted one by one: a service could invent one for each row. */
const mostCodes = 1000;

export class RowLedger extends LedgerPart {
  /** States of `count` rows from `first`. */
  statuses(id: string, first: number, count: number): Promise<readonly RowStatus[]> {
    return this.statusesFrom(this.keys.states(id), first, count);
  }

  /** States of these rows, in their order; undefined for a row that does not exist. */
  statusesOf(id: string, rows: readonly number[]): Promise<readonly (RowStatus | undefined)[]> {
    return this.statusesAt(this.keys.states(id), rows);
  }

  /** The byte string of states, or that of `count` rows from `first`: a letter and a revision for each row. */
  stateBytes(id: string, first = 0, count?: number): Promise<Buffer> {
    const end = count === undefined ? -1 : (first + count) * 2 - 1;
    return this.redis.getrangeBuffer(this.keys.states(id), first * 2, end);
  }

  /** Progress of these rows, in their order. */
  async progressOf(id: string, rows: readonly number[]): Promise<readonly RowProgress[]> {
    const records: RowProgress[] = [];
    for (const some of parts(rows, rowsAtOnce)) {
      const flats = await this.run<string[][]>('read-progress', [id, ...some]);
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
      this.redis.hgetall(this.keys.results(id, chunk)),
      this.redis.hmget(this.keys.earlier(id), ...rowNumbers),
      this.redis.hmget(this.keys.errors(id), ...rowNumbers),
      this.redis.hmget(this.keys.assets(id), ...rowNumbers),
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
        result: resultOf(status.state, result, earlier[index]),
        error: readStored(rowError, error),
        assets: readStored(texts, made) ?? progress?.assets ?? [],
        progress,
      };
    });
  }

  /** What pages show of these rows, in their order; undefined for a row that does not exist. */
  async facts(id: string, rows: readonly number[]): Promise<readonly (RowFacts | undefined)[]> {
    const facts: (RowFacts | undefined)[] = [];
    for (const some of parts(rows, rowsAtOnce)) {
      const [read, groups] = await this.run<[ReadFacts[], string[]]>('read-facts', [id, ...some]);
      const grouped = new Set(rowsOfGroups(groups));
      for (const [index, one] of read.entries()) facts.push(factsOf(one, grouped.has(some[index] ?? -1)));
    }
    return facts;
  }

  /** As `outcomes`, of one row; undefined for a row that does not exist. */
  async outcome(id: string, row: number): Promise<Omit<RowOutcome, 'progress'> | undefined> {
    const [[status], result, error, made, progress] = await Promise.all([
      this.statuses(id, row, 1),
      this.redis.hget(this.keys.results(id, Math.floor(row / chunkSize)), String(row % chunkSize)),
      this.redis.hget(this.keys.errors(id), String(row)),
      this.redis.hget(this.keys.assets(id), String(row)),
      this.progress(id, row),
    ]);
    if (!status) return undefined;
    return {
      ...status,
      result: status.state === 'posted' && result ? unpackResult(result) : undefined,
      error: readStored(rowError, error),
      assets: readStored(texts, made) ?? progress.assets,
    };
  }

  /** The nearest rows before and after a row that are in this state. */
  async neighbours(
    id: string,
    state: Extract<RowState, 'failed' | 'review'>,
    row: number,
  ): Promise<{ readonly before: number | undefined; readonly after: number | undefined }> {
    const index = this.keys.index(id, state);
    const [[before], [after]] = await Promise.all([
      this.redis.zrevrangebyscore(index, `(${row}`, '-inf', 'LIMIT', 0, 1),
      this.redis.zrangebyscore(index, `(${row}`, '+inf', 'LIMIT', 0, 1),
    ]);
    const number = (text: string | undefined) => (text === undefined ? undefined : Number(text));
    return { before: number(before), after: number(after) };
  }

  /** The next rows in a state from a position on, or before it if descending, with their errors. At most 1000. */
  async nextInState(
    id: string,
    state: EndedBadly['state'],
    {
      from,
      limit,
      descending,
    }: { readonly from: number; readonly limit: number; readonly descending: boolean },
  ): Promise<readonly EndedBadly[]> {
    const args = [id, state, from, limit, descending ? '1' : '0'];
    const [rows, errors] = await this.run<[string[], (string | null)[]]>('read-ended-badly', args);
    return rows.map((row, index) => ({
      row: Number(row),
      state,
      error: readStored(rowError, errors[index]),
    }));
  }

  /** All rows in a state, ascending. */
  async inState(id: string, state: Extract<RowState, 'failed' | 'review'>): Promise<readonly number[]> {
    return (await this.redis.zrange(this.keys.index(id, state), '0', '-1')).map(Number);
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
    const pipeline = this.redis.pipeline();
    for (let index = 0; index < stretches; index += 1) {
      const start = Math.floor((index * count) / stretches);
      pipeline.zrange(this.keys.index(id, state), String(start), String(start + stretch - 1));
    }
    return ((await this.exec(pipeline)) as string[][]).flat().map(Number);
  }

  /** Errors of these rows; undefined for a row without one. */
  async errors(id: string, rows: readonly number[]): Promise<readonly (RowError | undefined)[]> {
    if (rows.length === 0) return [];
    const errors = await this.redis.hmget(this.keys.errors(id), ...rows.map(String));
    return errors.map((error) => readStored(rowError, error));
  }

  /** How many rows failed or are in review, by error code; `other` beyond a thousand codes. Reads them all. */
  async errorCodes(id: string): Promise<Readonly<Record<string, number>>> {
    const counts = new Map<string, number>();
    for await (const entries of this.redis.hscanStream(this.keys.errors(id), { count: 1000 })) {
      for (const [index, json] of (entries as readonly string[]).entries()) {
        if (index % 2 === 0) continue;
        const error = readStored(rowError, json);
        if (!error) continue;
        const code = counts.size < mostCodes || counts.has(error.code) ? error.code : 'other';
        counts.set(code, (counts.get(code) ?? 0) + 1);
      }
    }
    return Object.fromEntries(counts);
  }

  /**
   * Sends failed rows back to waiting, in their next revision.
   * @returns the rows sent back, with their old revision, whose jobs are superseded.
   */
  async redo(id: string, rows: readonly number[]): Promise<readonly RowVersion[]> {
    const sentBack: RowVersion[] = [];
    for (const some of parts(rows, rowsAtOnce)) {
      const versions = readVersions(await this.run<number[]>('redo-rows', [id, this.now(), ...some]));
      for (const version of versions) sentBack.push(version);
    }
    return sentBack;
  }
}

/** A row as `read-facts.lua` tells it. */
type ReadFacts = readonly [
  letter: string,
  revision: number,
  error: string | null,
  changedAt: string | null,
  result: string | null,
  progress: readonly string[],
];

function factsOf([letter, revision, error, at, result, fields]: ReadFacts, isGrouped: boolean) {
  if (letter === '') return undefined;
  const state = stateOfLetter(letter);
  return {
    state,
    revision,
    error: readStored(rowError, error),
    result: resultOf(state, result, result),
    changedAt: at === null ? undefined : Number(at),
    progress: state === 'running' ? parseRowProgress(fields) : undefined,
    isInGroup: state === 'running' && isGrouped,
  };
}

/** @param packed of a posted row. @param earlier posts of a row that were not published. */
function resultOf(
  state: RowState,
  packed: string | null | undefined,
  earlier: string | null | undefined,
): PostedResult | undefined {
  if (state === 'posted') return packed ? unpackResult(packed) : undefined;
  return state === 'failed' && earlier ? unpackResults(earlier).at(-1) : undefined;
}
