/** Rows that a retry leaves out, and why. */
import type { Campaign } from '../../ledger/campaigns.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { type RowState, rowStates } from '../../ledger/states.ts';
import type { CommandDocument } from '../documents/commands.ts';
import { shownCounts } from '../shown-states.ts';
import { keysOf } from './find-row.ts';
import { decidableOf, decisionCommands } from './repairs.ts';

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
 * @param retried `named`: the single row that was selected, if any; `matched`: how many failed rows match.
 * @returns for a single row its state, else all other rows of the campaign.
 */
export async function leftOutOf(
  ledger: Ledger,
  campaign: Campaign,
  { named, matched }: { readonly named: number | undefined; readonly matched: number },
): Promise<readonly LeftOut[]> {
  const all = named === undefined ? campaign.counts : await countOne(ledger, campaign, named);
  const counts = shownCounts({ state: campaign.state, counts: all });
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

/** @param rows by why their posts could not be looked up again. */
export function unreadPosts(rows: ReadonlyMap<string, number>): readonly LeftOut[] {
  return [...rows].map(([why, count]) => ({
    state: 'failed',
    rows: count,
    unread: true,
    why: `the post was not published, and is looked up again before another one is made, but ${why}`,
    commands: [],
  }));
}

async function countOne(ledger: Ledger, { id }: Campaign, row: number): Promise<Record<RowState, number>> {
  const [status] = await ledger.rows.statuses(id, row, 1);
  const counts = rowStates.map((state) => [state, Number(state === status?.state)]);
  return Object.fromEntries(counts) as Record<RowState, number>;
}

async function decisions(
  ledger: Ledger,
  campaign: Campaign,
  named: number | undefined,
): Promise<readonly string[]> {
  const { id } = campaign;
  const rows = named === undefined ? (await ledger.rows.inState(id, 'review')).slice(0, shown) : [named];
  const errors = await ledger.rows.errors(id, rows);
  const keyOf = keysOf(ledger, campaign);
  const commands = rows.map(async (row, index) => {
    const error = errors[index];
    return error ? decisionCommands(id, await keyOf(row), decidableOf(error)) : [];
  });
  return (await Promise.all(commands)).flat();
}
