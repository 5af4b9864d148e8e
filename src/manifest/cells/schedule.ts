/** The time of a row's post, and of its generation: which may be sent. How a time is written, and which the clocks leave out: `time.ts`. */
import type { ColumnName } from '../columns.ts';
import { type CellProblem, showValue } from '../problems/problem.ts';
import type { Row } from '../row.ts';
import type { RowInput } from '../row-input.ts';
import { readTime } from './time.ts';
import type { Zone } from './zone.ts';

/** The zone of the row's times: its own, else that of the settings; `null` if there is none. */
export function readZone(input: RowInput): Zone | null {
  const name = input.text('scheduled_tz');
  if (name === '') return input.context.defaultZone;
  const zone = input.context.zones.find(name);
  if (zone === null) {
    input.report(
      'scheduled_tz',
      'unknown_zone',
      'there is no such time zone',
      'Write the name of an IANA time zone, such as Asia/Shanghai or America/New_York.',
      { meant: input.context.zones.nearest(name) },
    );
  }
  return zone;
}

const withOffset = /(?:[Zz]|[+-]\d{2}:?(?:\d{2})?)$/;

/** Reads `scheduled_at`. Without it, the row is posted as soon as it is ready. A time with an offset does not use the zone of the settings. */
export function readSchedule(input: RowInput, zone: Zone | null): Row['schedule'] {
  const at = readInstant(input, 'scheduled_at', zone);
  if (at === undefined) return undefined;
  const isZoneUsed = input.text('scheduled_tz') !== '' || !withOffset.test(input.text('scheduled_at'));
  return { at, tz: isZoneUsed ? zone?.name : undefined };
}

/** Reads a time of the row in milliseconds since the epoch, and reports its faults. */
export function readInstant(input: RowInput, column: ColumnName, zone: Zone | null): number | undefined {
  const text = input.text(column);
  if (text === '') return undefined;
  const reading = readTime(text, zone);
  if ('at' in reading) return reading.at;
  // An unknown zone is reported once, in its own column.
  const zoneMissing = reading.fault.code === 'zoneless_time' && input.text('scheduled_tz') !== '';
  if (!zoneMissing) input.report(column, reading.fault.code, reading.fault.problem, reading.fault.cure);
  return undefined;
}

/** Reports a time in the past. Not part of reading, which must not depend on the clock. @param typed as in the sheet. */
export function checkTime(row: Pick<Row, 'schedule'>, now: number, typed = ''): CellProblem | null {
  if (row.schedule === undefined || row.schedule.at > now) return null;
  return {
    column: 'scheduled_at',
    code: 'time_past',
    value: typed === '' ? new Date(row.schedule.at).toISOString() : showValue(typed),
    problem: `this time is in the past; it is now ${new Date(now).toISOString()}`,
    cure: 'Choose a future time, or clear scheduled_at to post at once.',
  };
}
