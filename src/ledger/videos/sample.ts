/**
 * Samples of a video's public counters, one for each look-up. The ledger stores each as a row of JSON, oldest first:
 *
 *     [1767232800,1200,30,4,null,6]                      time (Unix epoch, seconds), then a figure for each of `countColumns`
 *     [1767319200,1190,31,4,7,6,"play_count_fell"]       flags, if there are any
 */
import { countColumns } from '../../manifest/result-columns.ts';
import { UnreadableRecordError } from '../stored-json.ts';

/** In the order of `countColumns`. A counter that the service did not give is undefined. */
export type Counts = readonly (number | undefined)[];

export interface Snapshot {
  /** Unix epoch, seconds. */
  readonly at: number;
  readonly counts: Counts;
}

/** Counters of a video as one look-up found them. */
export interface Sample extends Snapshot {
  /** `play_count_fell|digg_count_capped`: counters that are lower than before, or beyond `mostCount`. */
  readonly flags: string;
}

/** Stands for every larger figure, too: such a figure has the flag `capped`. */
export const mostCount = Number.MAX_SAFE_INTEGER;

const noneKnown: readonly number[] = countColumns.map(() => 0);

/** Makes a sample of the service's figures, which may be of any size. @param known before it. */
export function sampleOf(at: number, figures: readonly (number | bigint | undefined)[], known = noneKnown) {
  const flags: string[] = [];
  const counts = countColumns.map((column, index) => {
    const figure = figures[index];
    if (figure === undefined) return undefined;
    const count = figure > mostCount ? mostCount : Number(figure);
    if (count < (known[index] ?? 0)) flags.push(`${column}_fell`);
    if (figure > mostCount) flags.push(`${column}_capped`);
    return count;
  });
  const sample: Sample = { at, counts, flags: flags.join('|') };
  return { sample, known: counts.map((count, index) => count ?? known[index] ?? 0) };
}

export function rowOf({ at, counts, flags }: Sample): string {
  // Unknown counters become null.
  return JSON.stringify(flags === '' ? [at, ...counts] : [at, ...counts, flags]);
}

type Row = readonly [at: number, ...figures: (number | null)[], flags: string];

/** Reads a row as parsed. The history is read by the million, so it is checked only for what would end a report. */
export function readRow(row: unknown): Sample {
  const [at, play, digg, comment, share, collect, flags = ''] = row as Row;
  const counts = [play, digg, comment, share, collect].map((count) => count ?? undefined);
  return { at, counts, flags } as Sample;
}

/** Rows, separated by commas. @param key of the list that they are from. @throws {UnreadableRecordError} */
export function readRows(text: string, key: string): readonly Sample[] {
  try {
    return (JSON.parse(`[${text}]`) as unknown[]).map(readRow);
  } catch {
    throw new UnreadableRecordError(key);
  }
}

/** Spans of growth that are kept, in days. */
export const keptDays = [1, 7, 30] as const;

/** What lists and reports read instead of the history. */
export interface Summary {
  readonly latest: Sample;
  /** The last known value of each counter; 0 if there never was one. */
  readonly known: readonly number[];
  /** What growth over each of `keptDays` is measured against; undefined if no sample is old enough. */
  readonly before: readonly (Snapshot | undefined)[];
}

/** @param text `[latest row, known counters, [row or null, ...]]`. @throws for anything else. */
export function readSummary(text: string): Summary {
  const [latest, known, before] = JSON.parse(text) as readonly [
    Row,
    readonly number[],
    readonly (Row | null)[],
  ];
  return { latest: readRow(latest), known, before: before.map((row) => (row ? readRow(row) : undefined)) };
}

const daySeconds = 86_400;
/** Nights are not exactly a day apart. */
const toleranceSeconds = 43_200;

/**
 * The newest time that a sample may have to count as `days` older than one at `at`. The newest sample up to then is what growth is
 * measured against: where that night is missing, it is the one before. Unix epoch, seconds.
 */
export function limitOf(at: number, days: number): number {
  return at - days * daySeconds + toleranceSeconds;
}
