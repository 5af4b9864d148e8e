/** Times as people write them in a sheet, read as instants; whatever could be read in two ways is refused. */
import type { CellProblem } from './problem.ts';
import type { Zone } from './zone.ts';

export type TimeFault = Pick<CellProblem, 'code' | 'problem' | 'cure'>;

export type TimeReading = { readonly at: number } | { readonly fault: TimeFault };

const example = 'Write it as 2026-12-01 10:00 with a time zone, or as 2026-12-01T10:00:00+08:00.';

/** Year first, so that it has one reading only: `-` or `/` between the parts of the date, `T` or a space before the time. */
const written =
  /^(\d{4})([-/])(\d{1,2})\2(\d{1,2})(?:[Tt]|\s+)(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?\s*([Zz]|[+-]\d{2}(?::?\d{2})?)?$/;

/**
 * Reads a time with an offset, or one that is local to `zone`.
 * @param zone of the row or of the settings; `null` where neither names one.
 * @returns milliseconds since the epoch, or what is wrong with the text.
 */
export function readTime(text: string, zone: Zone | null): TimeReading {
  const match = written.exec(text);
  if (match === null) return { fault: describeForm(text) };
  const [, year, , month, day, hour, minute, second, fraction, offset] = match;
  const local = wallTime(
    Number(year),
    Number(month),
    Number(day),
    Number(hour),
    Number(minute),
    Number(second ?? 0),
  );
  if (local === null) return { fault: impossible };
  const milliseconds = fraction === undefined ? 0 : Math.floor(Number(`0.${fraction}`) * 1000);
  if (offset !== undefined) return atOffset(local + milliseconds, offset);
  return zone === null ? { fault: zoneless } : inZone(local + milliseconds, zone);
}

/** The wall-clock time as if it were UTC; `null` where the calendar has no such day or the clock no such time. */
function wallTime(
  year: number,
  month: number,
  day: number,
  hour: number,
  minute: number,
  second: number,
): number | null {
  if (month < 1 || month > 12 || day < 1 || hour > 23 || minute > 59 || second > 59) return null;
  if (day > 28 && day > daysIn(year, month)) return null;
  // A year below 100 would be taken for one of the 20th century.
  return year < 1000 ? null : Date.UTC(year, month - 1, day, hour, minute, second);
}

function daysIn(year: number, month: number): number {
  return new Date(Date.UTC(year, month, 0)).getUTCDate();
}

function atOffset(local: number, offset: string): TimeReading {
  if (offset === 'Z' || offset === 'z') return { at: local };
  const hours = Number(offset.slice(1, 3));
  const minutes = Number(offset.slice(3).replace(':', ''));
  if (hours > 14 || minutes > 59) return { fault: impossibleOffset };
  const shift = (hours * 60 + minutes) * 60_000;
  return { at: offset.startsWith('-') ? local + shift : local - shift };
}

function inZone(local: number, zone: Zone): TimeReading {
  const time = zone.resolve(local);
  switch (time.kind) {
    case 'instant':
      return { at: time.at };
    case 'gap':
      return {
        fault: {
          code: 'time_in_gap',
          problem: `this time does not exist in ${zone.name}: the clocks are put forward over it`,
          cure: 'Choose a time before or after the change of clocks, or give an offset.',
        },
      };
    case 'overlap':
      return {
        fault: {
          code: 'time_in_overlap',
          problem: `this time exists twice in ${zone.name}: the clocks are put back over it`,
          cure: 'Give the time with its offset, as in 2026-10-25T02:30:00+01:00.',
        },
      };
  }
}

const impossible: TimeFault = {
  code: 'impossible_time',
  problem: 'there is no such date or time of day',
  cure: example,
};

const impossibleOffset: TimeFault = {
  code: 'impossible_time',
  problem: 'there is no such offset',
  cure: 'Offsets go from -14:00 to +14:00.',
};

const zoneless: TimeFault = {
  code: 'zoneless_time',
  problem: 'the time names no time zone',
  cure: 'Fill in scheduled_tz (as in Asia/Shanghai), give the time an offset, or set `timezone` in the settings.',
};

/** Why a text that is not in the form of a time is refused: the common cases by name. */
function describeForm(text: string): TimeFault {
  if (/^\d{1,2}[-/.]\d{1,2}[-/.]\d{2,4}\b/.test(text)) {
    return {
      code: 'ambiguous_time',
      problem: 'it cannot be told which number is the day and which is the month',
      cure: `Put the year first. ${example}`,
    };
  }
  if (/^\d{4}[-/]\d{1,2}[-/]\d{1,2}$/.test(text)) {
    return { code: 'invalid_time', problem: 'the time of day is missing', cure: example };
  }
  if (/^\d+([.,]\d+)?$/.test(text)) {
    return {
      code: 'invalid_time',
      problem: 'this is a bare number, as a spreadsheet keeps a date',
      cure: `Format the column as text. ${example}`,
    };
  }
  return { code: 'invalid_time', problem: 'this is not a time that can be read', cure: example };
}
