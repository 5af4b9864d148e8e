/** Rows of creators whose authorization has expired. A retry leaves them out, because they would only fail again. */
import { authorizationExpiredCode } from '../../api/contract/showcase.ts';
import type { Campaign } from '../../ledger/campaigns/campaigns.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { CampaignView } from '../../processors/runner/campaign-view.ts';
import { resumeCommands } from '../causes/commands.ts';
import type { LeftOut } from './left-out.ts';

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
