/** Finds the few rows of a sheet whose times are far from those of all others: a slip in the day, the month or the year. */
import type { CellProblem, RowPlace } from '../../manifest/problems/problem.ts';
import { sheetTime } from '../../manifest/wording.ts';
import type { CheckedRow } from './checked-row.ts';
import { farMs } from './row-warnings.ts';

const dayMs = 86_400_000;
/** Fewer times show no pattern. */
const leastTimes = 4;
/** Days between a time and the others that are not remarkable. */
const usualDays = 45;
/** Most rows that are lone. More are a part of the plan. */
const mostLone = 50;

type LoneRow = RowPlace & Pick<CheckedRow, 'number' | 'key'>;
type TimeColumn = 'scheduled_at' | 'ai_exec_at';

interface Day {
  count: number;
  /** The first ones. */
  readonly rows: (LoneRow & { readonly at: number; readonly zone: string | null })[];
}

/** Days that follow each other closely. */
interface Cluster {
  readonly first: number;
  last: number;
  count: number;
}

interface LoneTime {
  readonly row: LoneRow;
  readonly warning: CellProblem;
}

/** Counts the times of one column by day: at most a year of days. */
export class LoneTimes {
  readonly #column: TimeColumn;
  readonly #now: number;
  readonly #days = new Map<number, Day>();
  #total = 0;

  /** @param now milliseconds since the epoch. */
  constructor(column: TimeColumn, now: number) {
    this.#column = column;
    this.#now = now;
  }

  /** Times more than a year ahead have a warning of their own. @param at milliseconds since the epoch. @param zone of the row. */
  add({ line, worksheet, number, key }: LoneRow, at: number, zone: string | null): void {
    if (at < this.#now || at > this.#now + farMs) return;
    this.#total += 1;
    const dayNumber = Math.floor(at / dayMs);
    const day = this.#days.get(dayNumber) ?? { count: 0, rows: [] };
    if (day.count === 0) this.#days.set(dayNumber, day);
    day.count += 1;
    if (day.count <= mostLone) day.rows.push({ line, worksheet, number, key, at, zone });
  }

  find(): readonly LoneTime[] {
    const clusters = this.#clusters();
    const [main] = clusters.toSorted((one, other) => other.count - one.count);
    if (main === undefined || this.#total < leastTimes) return [];
    const lone = this.#total - main.count;
    if (lone > Math.min(mostLone, Math.max(1, this.#total / 10))) return [];
    const leastDays = Math.max(usualDays, 2 * (main.last - main.first));
    return clusters
      .filter((each) => each !== main && distance(each, main) > leastDays)
      .flatMap((each) => this.#warningsOf(each, main));
  }

  #clusters(): readonly Cluster[] {
    const clusters: Cluster[] = [];
    for (const [day, { count }] of [...this.#days].sort(([one], [other]) => one - other)) {
      const cluster = clusters.at(-1);
      if (cluster === undefined || day - cluster.last > usualDays) {
        clusters.push({ first: day, last: day, count });
      } else {
        cluster.last = day;
        cluster.count += count;
      }
    }
    return clusters;
  }

  #warningsOf(cluster: Cluster, main: Cluster): readonly LoneTime[] {
    const days = [...this.#days].filter(([day]) => day >= cluster.first && day <= cluster.last);
    return days.flatMap(([day, { rows }]) => {
      const [apart, side] = day > main.last ? [day - main.last, 'after'] : [main.first - day, 'before'];
      return rows.map(({ at, zone, ...row }) => ({
        row,
        warning: {
          column: this.#column,
          code: 'time_apart',
          value: sheetTime(at, zone),
          problem: `this time is ${apart} days ${side} those of the other rows`,
          fix: 'Check the day, the month and the year.',
        },
      }));
    });
  }
}

function distance(one: Cluster, other: Cluster): number {
  return Math.max(one.first - other.last, other.first - one.last);
}
