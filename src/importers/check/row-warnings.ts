/** What may be right and is worth a second look: nothing of it keeps a row from being posted. */
import { videoPermission } from '../../api/contract/creators.ts';
import { type CellProblem, showValue } from '../../manifest/problem.ts';
import type { Row } from '../../manifest/row.ts';
import { RecentTexts } from './text-register.ts';

/** A time that is nearer is easily missed: files have to be uploaded first. */
const soonMs = 15 * 60_000;
/** Captions are compared with those of so many rows before, at least: the memory stays flat. */
const captionsKept = 50_000;

const none: readonly CellProblem[] = [];

export class RowWarnings {
  readonly #now: number | null;
  readonly #captions = new RecentTexts(captionsKept);

  /** @param now milliseconds since the epoch; `null` where times are not looked at. */
  constructor(now: number | null) {
    this.#now = now;
  }

  /** The warnings of a row that is right. @param line the line that it stands on. */
  check(row: Row, line: number): readonly CellProblem[] {
    const earlier = this.#captions.add(row.creator, line, row.caption);
    const soon = this.#now !== null && row.schedule !== undefined && row.schedule.at < this.#now + soonMs;
    if (earlier === 0 && !soon) return none;
    return [...(earlier === 0 ? [] : [repeats(row, earlier)]), ...(soon ? [isSoon(row)] : [])];
  }
}

function repeats({ caption }: Row, line: number): CellProblem {
  return {
    column: 'caption',
    code: 'caption_repeats',
    value: showValue(caption),
    problem: `line ${line} has the same caption for this creator`,
    cure: 'Make sure that this is meant: platforms take equal posts for spam.',
  };
}

function isSoon({ schedule }: Row): CellProblem {
  return {
    column: 'scheduled_at',
    code: 'time_soon',
    value: new Date(schedule?.at ?? 0).toISOString(),
    problem: 'this time is less than 15 minutes away',
    cure: 'Make sure that the upload can be done by then, or choose a later time.',
  };
}

/** A video of a creator whose account does not list the permission for videos: the contract asks for none, services may. */
export function mayLackPermission({ creator }: Row): CellProblem {
  return {
    column: 'creator',
    code: 'creator_video_permission',
    value: showValue(creator),
    problem: `the account does not list the permission for video posts (${videoPermission})`,
    cure: 'Let the creator grant it, if the service refuses the post.',
  };
}

/** A row whose post another campaign has as well. */
export function repeatsPost(campaign: string): CellProblem {
  return {
    column: null,
    code: 'post_repeats',
    value: '',
    problem: `campaign ${campaign} has a row of this creator with the same media, product and time`,
    cure: `Where that row was posted, leave this one out: campaigns show ${campaign}`,
  };
}

/** A row whose time would pass before its turn. @param at when its turn can be, at the earliest: milliseconds since the epoch. */
export function missesItsTime(row: Row, at: number): CellProblem {
  return {
    column: 'scheduled_at',
    code: 'time_missed',
    value: new Date(row.schedule?.at ?? 0).toISOString(),
    problem: `with the budgets that are set, its turn does not come before ${new Date(at).toISOString()}`,
    cure: 'Choose a later time, put the row further up, or raise the budgets where the service allows it.',
  };
}
