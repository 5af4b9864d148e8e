/** The time of a row's post, and of its generation: which may be sent. How a time is written, and which the clocks leave out: `time.ts`. */

import { leadRule, readLead } from '../campaign-options.ts';
import type { ColumnName } from '../columns.ts';
import { type CellProblem, showValue } from '../problems/problem.ts';
import type { Row } from '../row.ts';
import type { RowInput } from '../row-input.ts';
import { sheetTime } from '../wording.ts';
import { readTime } from './time.ts';
import { isOpenTime, noTime, type TimeFault } from './time-faults.ts';
import { inFullHours } from './time-of-day.ts';
import { readWritten } from './written-time.ts';
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

/** Whether a time has its own offset, so that no zone is needed to read it. */
export function hasOffset(text: string): boolean {
  return /(?:[Zz]|[+-]\d{2}:?(?:\d{2})?)$/.test(text);
}

const midnight = /(?:[ T]0{1,2}:00(?::00(?:\.0{1,9})?)?|,? 12:00(?::00)? ?am)$/i;

/** What is read of the two cells: `7pm` in full, and a date without the midnight that spreadsheet programs put there. */
export function scheduleParts(date: string, timeOfDay: string): readonly [date: string, time: string] {
  const time = inFullHours(timeOfDay);
  return [time === '' ? date : date.replace(midnight, ''), time];
}

/** Time of day from `scheduled_time`, if filled. Without them, posts when ready. An offset wins over the settings' zone. */
export function readSchedule(input: RowInput, zone: Zone | null): Row['schedule'] {
  const [date, time] = scheduleParts(input.text('scheduled_at'), input.text('scheduled_time'));
  const text = joinTime(date, time);
  if (text === '') return undefined;
  if (date !== '' && time !== '' && hasTimeOfDay(date)) {
    const problem = `${input.title('scheduled_at')} has a time of day too`;
    input.report('scheduled_time', 'two_times', problem, 'Clear one of the two times of day.');
    return undefined;
  }
  const reading = readTime(text, zone);
  if ('fault' in reading) {
    reportScheduleFault(input, reading.fault, date, time);
    return undefined;
  }
  const isZoneUsed = input.text('scheduled_tz') !== '' || !hasOffset(text);
  return { at: reading.at, tz: isZoneUsed ? zone?.name : undefined };
}

/** In the cell that is at fault; in both if each is by itself. */
function reportScheduleFault(input: RowInput, fault: TimeFault, date: string, time: string): void {
  const faultOf = (part: TimeFault['part'], text: string) => {
    const reading = time === '' ? undefined : readTime(text, null);
    if (reading === undefined || 'at' in reading) return undefined;
    return reading.fault.part === part || reading.fault.problem === noTime ? reading.fault : undefined;
  };
  const ofDate = faultOf('date', joinTime(date, '12:00'));
  const ofTime = faultOf('time', joinTime('2000-01-01', time));
  if (ofDate && ofTime && !(isOpenTime(ofDate.problem) && isOpenTime(ofTime.problem))) {
    reportFault(input, 'scheduled_at', ofDate, date);
    reportFault(input, 'scheduled_time', ofTime, time);
    return;
  }
  // The date may have its time with it.
  const isApart = readWritten(date)[0]?.rest === '' && input.present.includes('scheduled_time');
  if (fault.part === 'time' && isApart) reportFault(input, 'scheduled_time', fault, time);
  else reportFault(input, 'scheduled_at', fault, date);
}

/** @returns as `readLead`; undefined for an empty cell, too. */
export function readLeadCell(input: RowInput): Row['lead'] {
  const text = input.text('lead');
  if (text === '') return undefined;
  const lead = readLead(text);
  if (lead === undefined)
    input.report(
      'lead',
      'invalid_lead',
      'this is not a length of time',
      `Write ${leadRule}, or clear the cell.`,
    );
  return lead;
}

/** A date and a time of day from two cells, as one text. */
export function joinTime(date: string, time: string): string {
  return `${date} ${time}`.trim();
}

/** Whether a text is a time by itself, whether or not that exists. */
function hasTimeOfDay(text: string): boolean {
  const reading = readTime(text, null);
  return 'at' in reading || reading.fault.code === 'zoneless_time';
}

/** Reads a time of the row in milliseconds since the epoch, and reports its faults. */
export function readInstant(input: RowInput, column: ColumnName, zone: Zone | null): number | undefined {
  const text = input.text(column);
  if (text === '') return undefined;
  const reading = readTime(text, zone);
  if ('at' in reading) return reading.at;
  reportFault(input, column, reading.fault, text);
  return undefined;
}

function reportFault(input: RowInput, column: ColumnName, { code, problem, fix }: TimeFault, value: string) {
  // An unknown zone is reported once, in its own column.
  const zoneMissing = code === 'zoneless_time' && input.text('scheduled_tz') !== '';
  if (!zoneMissing) input.report(column, code, problem, fix, { value });
}

/** Reports a time in the past. Not part of reading, which must not depend on the clock. @param zone of the sheet. @param typed as in the sheet. */
export function checkTime(
  row: Pick<Row, 'schedule'>,
  { now, zone }: { readonly now: number; readonly zone: string | null },
  typed = '',
): CellProblem | null {
  if (row.schedule === undefined || row.schedule.at > now) return null;
  return {
    column: 'scheduled_at',
    code: 'time_past',
    value: typed === '' ? new Date(row.schedule.at).toISOString() : showValue(typed),
    problem: `this time is in the past; it is now ${sheetTime(now, zone)}`,
    fix: 'Choose a future time, or clear scheduled_at to post now.',
  };
}
