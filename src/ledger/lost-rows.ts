/** Rows that may have been sent although Redis has lost the record of it. */
import { hint } from '../manifest/problems/hint.ts';
import type { RowVersion } from '../manifest/row.ts';
import type { ScriptArgument } from '../platform/redis/script.ts';
import type { Campaign, PauseReason } from './campaigns/campaign.ts';
import type { CampaignLedger } from './campaigns/campaigns.ts';
import type { JournalMark } from './journal-position.ts';
import { LedgerPart, readVersions } from './ledger-part.ts';
import type { RowState } from './states.ts';

/** A waiting, running or ready row. */
interface LostRow extends RowVersion {
  readonly runs: boolean;
}

const rowsAtOnce = 20_000;
/** The admission chooses among this many waiting rows, or as many as the window has. */
const lookAhead = 1000;

export class LostRows extends LedgerPart {
  /**
   * Finds the rows of a campaign that may have been sent: those that run or are ready, and those that the admission may have admitted since. It
   * takes rows that wait again first, then the others in their order.
   * @param admitted most rows that were admitted in what is lost; undefined if that is unknown: then any row may have been.
   */
  async *find(
    { id, rows, window }: Pick<Campaign, 'id' | 'rows' | 'window'>,
    admitted: number | undefined,
  ): AsyncGenerator<readonly LostRow[]> {
    // Twice: some rows are passed over for later ones, and a window of rows may have been admitted after the last look.
    const reach = (admitted ?? Number.POSITIVE_INFINITY) + 2 * Math.max(window, lookAhead);
    let [again, others] = [0, 0];
    for (let first = 0; first < rows; first += rowsAtOnce) {
      const statuses = await this.statusesFrom(this.keys.states(id), first, rowsAtOnce);
      const found: LostRow[] = [];
      for (const [index, { state, revision }] of statuses.entries()) {
        if (state !== 'running' && state !== 'waiting' && state !== 'ready') continue;
        // Ready rows go in the order of their times, or by hand: any may have been sent.
        const nth = state !== 'waiting' ? 0 : revision > 0 ? again++ : others++;
        if (nth < reach) found.push({ row: first + index, revision, runs: state === 'running' });
      }
      yield found;
    }
  }

  /** Rows that failed or are in review: somebody may have had them sent again in what is lost. */
  async ended(
    campaign: string,
    state: Extract<RowState, 'failed' | 'review'>,
  ): Promise<readonly RowVersion[]> {
    const rows = await this.rowsOf(campaign, state);
    const statuses = await this.statusesAt(this.keys.states(campaign), rows);
    return rows.map((row, index) => ({ row, revision: statuses[index]?.revision ?? 0 }));
  }

  /**
   * Sends rows to review: waiting, running and ready ones, and failed ones that failed before a loss. Rows in review are of unknown outcome anew. Rows that
   * have changed since stay as they are.
   * @param rows with the number of the generation that may have been created; undefined for none.
   * @param span when their calls may have been sent, and are over at the latest (Unix epoch, ms). Failed rows have their own.
   * @returns how many went to review, and those that ran: their jobs are no longer needed.
   */
  async markUnknown(
    campaign: string,
    rows: readonly (RowVersion & { readonly generation?: number | undefined })[],
    span?: Readonly<Record<'from' | 'until' | 'over', number>>,
  ): Promise<{ readonly rows: number; readonly ran: readonly RowVersion[] }> {
    const text = span ? `${span.from} ${span.until} ${span.over}` : '';
    const args: ScriptArgument[] = [campaign, this.clock, text];
    for (const { row, revision, generation } of rows) args.push(row, revision, generation ?? '');
    const [count = 0, ...ran] = await this.run<number[]>('journal/mark-unknown', args);
    return { rows: count, ran: readVersions(ran) };
  }
}

/** Code of the pause. Campaigns paused with it go on once the journal is accepted. */
export const journalBehindCode = 'journal_behind';

/** @param marks `found` in Redis, and `seen` by this process. */
export function journalBehind(marks: Readonly<Record<'found' | 'seen', JournalMark>>): PauseReason {
  const seen = new Date(marks.seen.at).toISOString();
  const last =
    marks.found.at === 0
      ? 'no record is left'
      : `the last one is from ${new Date(marks.found.at).toISOString()}`;
  const message =
    `Redis lost records of what was sent: one from ${seen} is missing, and ${last}. ` +
    'Posts and generations sent in between may exist at the service without a record here. ' +
    'When an operator accepts the loss, rows that may have been sent go to review, and all others resume.';
  return { code: journalBehindCode, message, hints: [hint('acceptJournal')] };
}

export async function holdAll(
  campaigns: CampaignLedger,
  marks: Parameters<typeof journalBehind>[0],
): Promise<void> {
  const reason = journalBehind(marks);
  for (const { id, state } of await campaigns.list()) {
    if (state === 'running') await campaigns.pause(id, reason);
  }
}
