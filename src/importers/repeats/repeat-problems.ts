/** A row that repeats a post of another campaign, or of another row of its own: a problem, or a warning. */
import { hint } from '../../manifest/problems/hint.ts';
import {
  type CellProblem,
  describePlace,
  type RowPlace,
  showValue,
} from '../../manifest/problems/problem.ts';
import { sheetTime } from '../../manifest/wording.ts';
import type { Repeat } from './repeats.ts';

/** @param zone of dates: IANA name; `null`: UTC. @param now milliseconds since the epoch. */
export interface DateContext {
  readonly zone: string | null;
  readonly now: number;
}

/** Codes of warnings about rows that are posted although they repeat a post. */
export const codesOfRepeats = ['already_posted', 'posted_at_another_time'] as const;

const ofRow = { column: null, code: 'already_posted', value: '' } as const;

export function isPosted(repeat: Repeat, dates: DateContext): CellProblem {
  return {
    ...ofRow,
    problem: describe(repeat, dates),
    fix: ['Remove the row.', hint('skipInvalid'), hint('postAgain')],
  };
}

/**
 * The row is new in a campaign that has its post under another key, which a spreadsheet program may have changed.
 * @param key of the new row.
 */
export function isPostedUnder(key: string, repeat: Repeat, dates: DateContext): CellProblem {
  const was = showValue(repeat.row);
  return {
    column: 'key',
    code: 'already_posted',
    value: showValue(key),
    problem: describe(repeat, dates),
    fix: [`If it is that row, write ${was} as its key.`, hint('skipInvalid'), hint('postAgain')],
    meant: repeat.row,
  };
}

/** The row has no key of its own, and may be one of the campaign: only a person can tell. @param key of that row. */
export function mayBeRow(key: string): CellProblem {
  const was = showValue(key);
  return {
    column: 'key',
    code: 'may_be_row',
    value: '',
    problem: `it may be row ${was} of the campaign: it has the same creator, and the same media or place in the sheet, but the rest differs`,
    fix: [`If it is that row, write ${was} as its key.`, hint('skipInvalid'), hint('postAgain')],
    meant: key,
  };
}

/** For a row that is the same post as an earlier row of the sheet. @param line of that row. */
export function isSameAs(place: RowPlace): CellProblem {
  return {
    ...ofRow,
    code: 'post_repeats',
    problem: `the row on ${describePlace(place)} is the same post`,
    fix: ['Remove one of them.', hint('skipInvalid'), hint('postAgain')],
  };
}

/** For a row that a person wants to post again. */
export function isPostedAgain(repeat: Repeat, dates: DateContext): CellProblem {
  return {
    ...ofRow,
    problem: `${describe(repeat, dates)}; it will be posted again`,
    fix: 'If you do not want that, remove the row.',
  };
}

export function isPostedAtAnotherTime(repeat: Repeat, dates: DateContext): CellProblem {
  const { at } = repeat;
  const time = at === undefined ? ': without one' : `: ${sheetTime(at, dates.zone)}`;
  const isScheduled = repeat.post?.delivery === 'scheduled';
  const which = isScheduled ? `scheduled for another time${time}` : `but with another time${time}`;
  return {
    column: 'scheduled_at',
    code: 'posted_at_another_time',
    value: '',
    problem: `${isScheduled ? placeOf(repeat) : describe(repeat, dates)}, ${which}`,
    fix: 'Check that this should be another post. Platforms treat equal posts as spam.',
  };
}

function placeOf({ campaign, row, place = `row ${row}` }: Repeat): string {
  return `already in ${campaign}, ${place}`;
}

function describe(repeat: Repeat, dates: DateContext): string {
  const place = placeOf(repeat);
  const { state, post } = repeat;
  switch (state) {
    case 'posted':
      return `${place}, ${post === undefined ? 'posted' : describePost(post, dates)}`;
    case 'review':
      return `${place}, which is in review and may be posted`;
    case 'failed':
      return `${place}, which failed and can be retried`;
    case 'cancelled':
      return `${place}, which was cancelled`;
    default:
      return `${place}, which is not posted yet`;
  }
}

/** The service has accepted it, which does not mean that it is published. */
function describePost({ delivery, at }: NonNullable<Repeat['post']>, dates: DateContext): string {
  if (delivery === 'scheduled') return `scheduled for ${sheetTime(at, dates.zone)}`;
  if (delivery === 'unconfirmed') return `due ${day(at, dates)} and not confirmed live`;
  return `posted ${day(at, dates)}`;
}

/** `3 Mar`; of another year `3 Mar 2025`. */
function day(at: number, { zone, now }: DateContext): string {
  const of = (time: number, options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat('en-GB', { timeZone: zone ?? 'UTC', ...options }).format(time);
  const year = { year: 'numeric' } as const;
  const isThisYear = of(at, year) === of(now, year);
  return of(at, { day: 'numeric', month: 'short', ...(isThisYear ? {} : year) });
}
