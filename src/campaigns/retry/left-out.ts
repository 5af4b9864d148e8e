/** Rows that a retry leaves out, and why. */
import { authorizationExpiredCode } from '../../api/contract/showcase.ts';
import type { Campaign } from '../../ledger/campaigns/campaign.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { type RowState, rowStates } from '../../ledger/states.ts';
import type { CampaignView } from '../../processors/runner/campaign-view.ts';
import { decidableOf, decisionCommands, resumeCommands, sheetCommand } from '../causes/commands.ts';
import type { CommandDocument } from '../documents/commands.ts';
import { shownCounts } from '../find.ts';

export type LeftOut = CommandDocument<'retry'>['leftOut'][number];

const reasons: Readonly<Record<RowState, string>> = {
  waiting: 'not begun yet',
  running: 'under way',
  posted: 'accepted by the service',
  failed: 'not selected',
  review: 'must be decided first, because the outcome is unknown',
  cancelled: 'cancelled',
};

/** Commands are shown for this many rows in review. */
const shown = 2;

/**
 * @param retried `named`: the rows that were chosen, if any; `counts`: their states before the retry, else those of all rows;
 * `matched`: how many failed rows match.
 * @returns rows that do not match: of the chosen rows, or else of all rows of the campaign.
 */
export async function leftOutOf(
  ledger: Ledger,
  campaign: Campaign,
  retried: {
    readonly named: ReadonlySet<number> | undefined;
    readonly counts: Campaign['counts'];
    readonly matched: number;
  },
): Promise<readonly LeftOut[]> {
  const { named, matched } = retried;
  const counts = shownCounts({ state: campaign.state, counts: retried.counts });
  const left = { ...counts, failed: Math.max(0, counts.failed - matched) };
  const review = left.review > 0 ? await decisions(ledger, campaign, named) : [];
  return rowStates
    .filter((state) => left[state] > 0)
    .map((state) => ({
      state,
      rows: left[state],
      why:
        state === 'waiting' && campaign.state === 'paused'
          ? 'wait until the campaign is resumed'
          : reasons[state],
      commands: state === 'review' ? review : [],
    }));
}

/** @param rows number of rows, by the reason why their posts could not be looked up again. */
export function unreadPosts(rows: ReadonlyMap<string, number>): readonly LeftOut[] {
  return [...rows].map(([why, count]) => ({
    state: 'failed',
    rows: count,
    unread: true,
    why: `the post was not published, and must be looked up again before another one is created, but ${why}`,
    commands: [],
  }));
}

/** @param rows number of rows that failed before Redis lost records, and are in review now. */
export function failedBeforeLoss(campaign: string, rows: number): readonly LeftOut[] {
  if (rows === 0) return [];
  const why = 'failed before Redis lost records: may have been posted since, so a person decides';
  return [{ state: 'review', rows, why, commands: [sheetCommand(campaign, 'review')] }];
}

/** @param rows number of rows that changed between the look at them and the retry. */
export function changedRows(rows: number): readonly LeftOut[] {
  if (rows === 0) return [];
  return [{ state: 'failed', rows, changed: true, why: 'changed meanwhile', commands: [] }];
}

/** Number of rows in each state. */
export async function countStates(
  ledger: Ledger,
  { id }: Campaign,
  rows: readonly number[],
): Promise<Record<RowState, number>> {
  const statuses = await ledger.rows.statusesOf(id, rows);
  const counts = rowStates.map((state) => [
    state,
    statuses.filter((status) => status?.state === state).length,
  ]);
  return Object.fromEntries(counts) as Record<RowState, number>;
}

async function decisions(
  ledger: Ledger,
  campaign: Campaign,
  named: ReadonlySet<number> | undefined,
): Promise<readonly string[]> {
  const { id } = campaign;
  const inReview = await ledger.rows.inState(id, 'review');
  const rows = inReview.filter((row) => named === undefined || named.has(row)).slice(0, shown);
  const errors = await ledger.rows.errors(id, rows);
  const commands = rows.map(async (row, index) => {
    const error = errors[index];
    return error ? decisionCommands(id, await ledger.rowKeys.of(campaign, row), decidableOf(error)) : [];
  });
  return (await Promise.all(commands)).flat();
}

export class CreatorsOnHold {
  readonly #ledger: Ledger;
  readonly #view: CampaignView;
  /** As written in the sheet. */
  readonly #names: ReadonlySet<string>;
  /** Rows left out so far, by creator; `others` failed for another reason than the authorization. */
  readonly #rows = new Map<string, { all: number; others: number }>();

  private constructor(ledger: Ledger, view: CampaignView, names: ReadonlySet<string>) {
    this.#ledger = ledger;
    this.#view = view;
    this.#names = names;
  }

  /** @param released creator to treat as authorized again, as written in the sheet. */
  static async of(
    ledger: Ledger,
    view: CampaignView,
    { id, account }: Campaign,
    released?: string,
  ): Promise<CreatorsOnHold> {
    const [creators, breakers] = await Promise.all([
      ledger.campaigns.creators(id),
      ledger.creators.openBreakers(account),
    ]);
    const free = released === undefined ? undefined : creators.get(released)?.creatorId;
    const names = [...creators].flatMap(([name, { creatorId }]) =>
      breakers.has(creatorId) && creatorId !== free ? [name] : [],
    );
    return new CreatorsOnHold(ledger, view, new Set(names));
  }

  /** @returns the rows of all other creators. Counts the rest. */
  async leaveOut(rows: readonly number[]): Promise<readonly number[]> {
    if (this.#names.size === 0) return rows;
    const errors = await this.#ledger.rows.errors(this.#view.campaign.id, rows);
    const left: number[] = [];
    for (const [index, row] of rows.entries()) {
      const creator = (await this.#view.readableRow(row))?.creator;
      if (creator === undefined || !this.#names.has(creator)) left.push(row);
      else this.#count(creator, errors[index]?.code);
    }
    return left;
  }

  #count(creator: string, code: string | undefined): void {
    const rows = this.#rows.get(creator) ?? { all: 0, others: 0 };
    rows.all += 1;
    if (code !== String(authorizationExpiredCode)) rows.others += 1;
    this.#rows.set(creator, rows);
  }

  /** The rows left out, by creator, with the commands that redo them. */
  finish(): readonly LeftOut[] {
    const { id } = this.#view.campaign;
    return [...this.#rows].map(([creator, { all, others }]) => ({
      state: 'failed',
      rows: all,
      why: `${creator} is on hold until the creator authorizes again`,
      creator,
      commands: resumeCommands(id, creator, others > 0),
    }));
  }
}
