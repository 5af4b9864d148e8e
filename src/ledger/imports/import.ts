/** Imports a manifest: its rows are staged first, then one atomic script makes them a campaign. */
import type { ColumnMap } from '../../manifest/headers/column-map.ts';
import type { CampaignFacts, CreatorRef, SheetDelimiter } from '../campaigns/campaigns.ts';
import type { PlannedPosts } from '../campaigns/planned-posts.ts';
import { type LedgerContext, LedgerPart } from '../part.ts';
import { type ImportedRow, StagedRows } from './staged-rows.ts';

export type NewCampaign = Omit<
  CampaignFacts,
  | 'id'
  | 'rows'
  | 'store'
  | 'sheetId'
  | 'sheetVersion'
  | 'createdAt'
  | 'map'
  | 'delimiter'
  | 'canary'
  | 'stopAfter'
> & {
  readonly map?: ColumnMap | undefined;
  /** Default: a comma. */
  readonly delimiter?: SheetDelimiter | undefined;
  readonly canary?: number | undefined;
  readonly stopAfter?: number | undefined;
  readonly creators: ReadonlyMap<string, CreatorRef>;
  /** Import the manifest even if it was imported before. */
  readonly again: boolean;
  /** Digest of the request that imports it, if it may be sent again. */
  readonly origin?: string | undefined;
  /** How long the origin is remembered, in milliseconds; 25 hours unless given. */
  readonly originMs?: number | undefined;
};

export interface ImportedCampaign {
  readonly id: string;
  /** `known`: the manifest was imported before, as this campaign. `repeated`: the same request created this campaign earlier. */
  readonly kind: 'created' | 'known' | 'repeated';
}

/** Longer than answers to a request are kept (`kept-answers.ts`). */
const usualOriginMs = 25 * 3600 * 1000;

export class CampaignImport extends LedgerPart {
  readonly #staged: StagedRows;
  readonly #posts: PlannedPosts;

  constructor(context: LedgerContext, posts: PlannedPosts) {
    super(context);
    this.#staged = new StagedRows(context);
    this.#posts = posts;
  }

  /** Stages rows in their order. */
  add(rows: readonly ImportedRow[]): Promise<void> {
    return this.#staged.add(rows);
  }

  /** Creates the campaign from the staged rows; drops them if the campaign exists already. */
  async commit(campaign: NewCampaign): Promise<ImportedCampaign> {
    await this.#staged.flush();
    const { store, chunks, rows } = this.#staged;
    const facts = Object.entries({
      name: campaign.name,
      header: JSON.stringify(campaign.header),
      map: JSON.stringify([...(campaign.map ?? [])]),
      account: campaign.account,
      mediaRoot: campaign.mediaRoot,
      timezone: campaign.timezone ?? '',
      source: campaign.source,
      window: campaign.window,
      leftOut: campaign.leftOut,
      delimiter: campaign.delimiter ?? ',',
      canary: campaign.canary ?? '',
      'stop-after': campaign.stopAfter ?? '',
    }).flat();
    const creators = [...campaign.creators].flatMap(([name, account]) => [name, JSON.stringify(account)]);
    const [id, kind] = await this.run<[string, ImportedCampaign['kind']]>('imports/commit-import', [
      ...[campaign.sha256, campaign.again ? '1' : '0', this.clock, store, chunks, rows],
      ...[campaign.origin ?? '', campaign.originMs ?? usualOriginMs, facts.length],
      ...facts,
      ...creators,
    ]);
    if (kind === 'created') await this.#staged.rememberPosts(this.#posts, campaign.account, id);
    else await this.discard();
    return { id, kind };
  }

  discard(): Promise<void> {
    return this.#staged.discard();
  }
}
