/** What may be right and is worth a second look: nothing of it keeps a row from being posted. */
import { videoPermission } from '../../api/contract/creators.ts';
import { type CellProblem, showValue } from '../../manifest/problem.ts';
import type { Row } from '../../manifest/row.ts';
import { type HashWords, hashText } from './text-hash.ts';

/** A time that is nearer is easily missed: files have to be uploaded first. */
const soonMs = 15 * 60_000;
/** Captions are compared with so many others before: the memory stays flat. */
const captionsKept = 50_000;

const none: readonly CellProblem[] = [];

export class RowWarnings {
  readonly #now: number | null;
  /** Line of the row that had a caption first, by the hash of creator and caption: 53 bits of it are one number. */
  #captions = new Map<number, number>();
  #olderCaptions: ReadonlyMap<number, number> = new Map();
  readonly #hash: HashWords = new Uint32Array(2);

  /** @param now milliseconds since the epoch; `null` where times are not looked at. */
  constructor(now: number | null) {
    this.#now = now;
  }

  /** The warnings of a row that is right. @param line the line that it stands on. */
  check(row: Row, line: number): readonly CellProblem[] {
    const earlier = this.#findRepeated(row, line);
    const soon = this.#now !== null && row.schedule !== undefined && row.schedule.at < this.#now + soonMs;
    if (earlier === undefined && !soon) return none;
    return [...(earlier === undefined ? [] : [repeats(row, earlier)]), ...(soon ? [isSoon(row)] : [])];
  }

  #findRepeated({ creator, caption }: Row, line: number): number | undefined {
    hashText(this.#hash, creator, caption);
    const hash = (this.#hash[0] ?? 0) * 2 ** 21 + ((this.#hash[1] ?? 0) >>> 11);
    const earlier = this.#captions.get(hash) ?? this.#olderCaptions.get(hash);
    if (earlier !== undefined) return earlier;
    if (this.#captions.size >= captionsKept) {
      this.#olderCaptions = this.#captions;
      this.#captions = new Map();
    }
    this.#captions.set(hash, line);
    return undefined;
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
