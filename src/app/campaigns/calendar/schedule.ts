/** Scheduled times of rows, read chunk by chunk. They are cached, because a sheet rarely changes. */
import { LRUCache } from 'lru-cache';
import { Temporal } from 'temporal-polyfill';
import type { Campaign } from '../../../ledger/campaigns/campaign.ts';
import type { Ledger } from '../../../ledger/ledger.ts';
import { remembered } from '../../../ledger/remembered.ts';
import { placeIfKeyless } from '../../../ledger/rows/stored-rows.ts';
import { textOfCell } from '../../../manifest/cells/formula-guard.ts';
import { UseCaseError } from '../../../manifest/problems/use-case-error.ts';
import { createImportedRowReader } from '../../../manifest/reader.ts';

export interface ScheduledRow {
  readonly position: number;
  readonly key: string;
  /** `line 5`, of a row without a key of its own. */
  readonly place?: string | undefined;
  /** As written in the sheet. */
  readonly creator: string;
  readonly product: string;
  /** Unix epoch, milliseconds; undefined without a time. */
  readonly at: number | undefined;
  /** IANA zone of its time: the row's own, else that of the import. Undefined if there is neither and the time has an offset. */
  readonly tz: string | undefined;
}

/** A row of a draft, and its time. Its position is its number in the file, less one. */
export interface DraftedRow extends ScheduledRow {
  readonly at: number;
  /** Username; if it is not known, the creator as written in the sheet. */
  readonly name: string;
  readonly region: string | undefined;
  readonly caption: string;
}

export interface PlannedDraft {
  readonly id: string;
  readonly name: string;
  readonly posts: readonly DraftedRow[];
  /** False if it has more of them. */
  readonly isWhole: boolean;
}

/** About 100 bytes a row, so 50 MB at most. */
const chunksKept = 1000;

export class Schedules {
  readonly #ledger: Ledger;
  readonly #chunks = new LRUCache<string, Promise<readonly ScheduledRow[]>>({ max: chunksKept });

  constructor(ledger: Ledger) {
    this.#ledger = ledger;
  }

  ofChunk(campaign: Campaign, chunk: number): Promise<readonly ScheduledRow[]> {
    const key = `${campaign.sheetVersion} ${chunk}`;
    return remembered(this.#chunks, key, () => this.#read(campaign, chunk));
  }

  async #read(campaign: Campaign, chunk: number): Promise<readonly ScheduledRow[]> {
    const reader = createImportedRowReader(campaign);
    const { product_id, product_title } = reader.header.indexes;
    const scheduled: ScheduledRow[] = [];
    for await (const rows of this.#ledger.store.parts(campaign, chunk)) {
      for (const [position, stored] of rows) {
        const row = reader.row(stored);
        if (row === undefined) continue;
        const cell = (column: number) => textOfCell(stored.cells, column);
        const product = cell(product_title) || cell(product_id);
        const { creator, schedule } = row;
        const { at, tz } = schedule ?? {};
        const place = placeIfKeyless(reader.header, stored);
        scheduled.push({ position, key: reader.key(stored), place, creator, product, at, tz });
      }
    }
    return scheduled;
  }
}

export interface DaysQuery {
  /** First day, as an ISO date. */
  readonly from: string;
  readonly days: number;
  /** IANA zone in which the days begin and end. */
  readonly zone: string;
  /** Uses the zone of each row, and `zone` only for rows without one. */
  readonly ownZones?: boolean | undefined;
}

const dayMs = 86_400_000;

/** The zone of each post, and when the days of the query begin there. */
export class ZonesOfPosts {
  readonly #query: DaysQuery;
  /** By zone. Bounded, because there are only some 600 zones. */
  readonly #edges = new Map<string, readonly number[]>();

  /** @throws {UseCaseError} `date_invalid`. */
  constructor(query: DaysQuery) {
    this.#query = query;
    this.#edgesIn(query.zone);
  }

  zoneOf({ tz }: Pick<ScheduledRow, 'tz'>): string {
    const { zone, ownZones } = this.#query;
    return ownZones ? (tz ?? zone) : zone;
  }

  /** Start and end of the days in a zone: Unix epoch, milliseconds. */
  spanOf(zone: string): { readonly begin: number; readonly end: number } {
    const edges = this.#edgesIn(zone);
    return { begin: edges[0] ?? 0, end: edges.at(-1) ?? 0 };
  }

  /** Index of the day of a time that is within the days. */
  dayOf(at: number, zone: string): number {
    return dayOf(at, this.#edgesIn(zone));
  }

  #edgesIn(zone: string): readonly number[] {
    const edges = this.#edges.get(zone) ?? edgesOf({ ...this.#query, zone });
    this.#edges.set(zone, edges);
    return edges;
  }
}

/** Start of each day, and the end of the last one: Unix epoch, milliseconds. */
function edgesOf({ from, days, zone }: DaysQuery): readonly number[] {
  const startOf = (day: number) => addDays(from, day).toZonedDateTime(zone).epochMilliseconds;
  return Array.from({ length: days + 1 }, (_, day) => startOf(day));
}

function dayOf(at: number, edges: readonly number[]): number {
  // A day with a change of clocks is an hour longer or shorter.
  let day = Math.min(edges.length - 2, Math.max(0, Math.floor((at - (edges[0] ?? 0)) / dayMs)));
  while (day > 0 && at < (edges[day] ?? 0)) day -= 1;
  while (day < edges.length - 2 && at >= (edges[day + 1] ?? 0)) day += 1;
  return day;
}

/**
 * A time as a row has it in its cells: in its own zone, else with the offset that the zone of the page has then.
 * @param local such as `2027-03-13T09:30`, in the zone of the page; another text stays as it is. @param own zone of the row's time.
 */
export function timeForRow(local: string, zone: string, own: string | undefined): string {
  if (zone === own || !/^\d{4}-\d\d-\d\dT\d\d:\d\d$/.test(local)) return local;
  try {
    const at = Temporal.PlainDateTime.from(local).toZonedDateTime(zone);
    return own === undefined
      ? at.toString({ timeZoneName: 'never', smallestUnit: 'minute' })
      : at.withTimeZone(own).toPlainDateTime().toString({ smallestUnit: 'minute' });
  } catch {
    return local;
  }
}

/** @throws {UseCaseError} `date_invalid`. */
export function addDays(date: string, days: number): Temporal.PlainDate {
  try {
    // Temporal also takes dates that no time zone reaches, such as +275760-09-13.
    if (!/^\d{4}-\d\d-\d\d$/.test(date)) throw new RangeError('not of the form YYYY-MM-DD');
    return Temporal.PlainDate.from(date).add({ days });
  } catch (cause) {
    const problem = `"${date.slice(0, 40)}" is not a date`;
    throw new UseCaseError('date_invalid', problem, { fix: 'Write it as 2027-03-08.', cause });
  }
}
