/** What a program must know of the rows that it decides about all at once: it has seen them, or they came before a time that it names. */
import type { Campaign } from '../../ledger/campaigns/campaigns.ts';
import type { RowFilter } from '../../ledger/rows/query.ts';
import { readTime } from '../../manifest/cells/time.ts';
import { Zones } from '../../manifest/cells/zone.ts';
import { hint } from '../../manifest/problems/hint.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { UseCaseError } from '../../runtime/use-case-error.ts';
import { plural } from '../../runtime/wording.ts';
import type { ManyDecided } from '../documents/changes.ts';
import type { PlainVerdict } from './verdict.ts';

/** Which rows in review to decide about; all unless given. Rows must match every given field. */
export interface DecideFilter extends Pick<RowFilter, 'error' | 'creator'> {
  /** Only rows that have been in review since before this time. Unix epoch, milliseconds. */
  readonly before?: number | undefined;
}

/** What was seen of the rows that are decided about all at once. */
export interface Agreed {
  /** How many rows a dry run found. If it is another number now, nothing is decided. */
  readonly expect?: number | undefined;
}

/**
 * Refuses a decision about rows that nobody may have seen. A decision about no row needs no agreement.
 * @throws {UseCaseError} `decision_unseen`, `plan_changed`.
 */
export function refuseUnseen(
  { id }: Campaign,
  verdict: PlainVerdict,
  { matched }: Pick<ManyDecided, 'matched'>,
  { expect, ...filter }: DecideFilter & Agreed,
): void {
  const { error = null, creator = null } = filter;
  const look = hint('lookAtRows', { campaign: id, decision: verdict.kind, error, creator, rows: matched });
  if (expect !== undefined && expect !== matched) {
    const now = `${plural(matched, 'row')} in review of ${id} ${matched === 1 ? 'matches' : 'match'} now`;
    throw new UseCaseError('plan_changed', `nothing was decided: ${now}, not ${expect}`, {
      cure: ['Look at them again.', look],
    });
  }
  if (expect !== undefined || filter.before !== undefined || matched === 0) return;
  throw new UseCaseError(
    'decision_unseen',
    `nothing was decided about the ${plural(matched, 'row')} in review of ${id} that ${matched === 1 ? 'matches' : 'match'} now: more may have come since you looked`,
    {
      cure: ['Say how many rows you saw, or decide only about rows in review since before a time.', look],
    },
  );
}

/**
 * Reads the time before which rows must have come to review. A time without an offset is in the zone of the campaign, or else of the
 * settings. @returns Unix epoch, milliseconds.
 * @throws {UseCaseError} `date_invalid`, also for a time in the future: rows that nobody has seen may come until then.
 */
export function readBefore(
  { settings, now }: Pick<Runtime, 'settings' | 'now'>,
  { timezone }: Pick<Campaign, 'timezone'>,
  text: string,
): number {
  const zone = timezone ?? settings.timezone;
  const reading = readTime(text.trim(), zone === null ? null : new Zones().find(zone));
  if ('fault' in reading) {
    throw new UseCaseError('date_invalid', `"${text.slice(0, 40)}": ${reading.fault.problem}`, {
      cure: 'Write the time with its offset, such as 2026-12-01T10:00:00+08:00 or 2026-12-01T02:00:00Z.',
    });
  }
  if (reading.at <= now()) return reading.at;
  throw new UseCaseError('date_invalid', `"${text.slice(0, 40)}" is in the future`, {
    cure: `Give a time that has passed. It is ${new Date(now()).toISOString()} now.`,
  });
}
