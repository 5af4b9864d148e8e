/** When a row is to be posted, and when its generation begins. */
import type { ColumnName } from './columns.ts';
import type { CellProblem } from './problem.ts';
import type { Row } from './row.ts';
import type { RowInput } from './row-input.ts';
import { readTime } from './time.ts';
import type { Zone } from './zone.ts';

/** The zone that the row's times are local to: its own, else that of the settings; `null` where neither names one. */
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
    );
  }
  return zone;
}

/** Reads `scheduled_at`; without it the row is posted as soon as it is ready. */
export function readSchedule(input: RowInput, zone: Zone | null): Row['schedule'] {
  const at = readInstant(input, 'scheduled_at', zone);
  return at === undefined ? undefined : { at, tz: zone?.name };
}

/** Reads a time of the row as milliseconds since the epoch; reports what is wrong with it. */
export function readInstant(input: RowInput, column: ColumnName, zone: Zone | null): number | undefined {
  const text = input.text(column);
  if (text === '') return undefined;
  const reading = readTime(text, zone);
  if ('at' in reading) return reading.at;
  // A zone that does not exist is told once, in its own column.
  const zoneMissing = reading.fault.code === 'zoneless_time' && input.text('scheduled_tz') !== '';
  if (!zoneMissing) input.report(column, reading.fault.code, reading.fault.problem, reading.fault.cure);
  return undefined;
}

/** What is wrong with the row's time at this moment: nothing, or that it has passed. Apart from reading, which never changes its mind. */
export function checkTime(row: Pick<Row, 'schedule'>, now: number): CellProblem | null {
  if (row.schedule === undefined || row.schedule.at > now) return null;
  return {
    column: 'scheduled_at',
    code: 'time_past',
    value: new Date(row.schedule.at).toISOString(),
    problem: `this time has passed: it is now ${new Date(now).toISOString()}`,
    cure: 'Choose a time to come, or clear scheduled_at to post at once.',
  };
}
