/** Imports a manifest: its rows are staged first, then one atomic script makes them a campaign. */

import type { ApproveRule } from '../../manifest/campaign-options.ts';
import type { ColumnMap } from '../../manifest/headers/column-map.ts';
import type { RowIndex } from '../../manifest/row.ts';
import type { CampaignFacts, CreatorRef, SheetDelimiter } from '../campaigns/campaign.ts';
import { type LedgerContext, LedgerPart } from '../ledger-part.ts';
import type { PlannedPosts, PostBlocks } from '../planned-posts.ts';
import { type ImportedRow, StagedRows } from './staged-rows.ts';

export type NewCampaign = Pick<
  CampaignFacts,
  'name' | 'sha256' | 'header' | 'mediaRoot' | 'timezone' | 'source' | 'window' | 'leftOut'
> & {
  readonly map?: ColumnMap | undefined;
  /** Default: a comma. */
  readonly delimiter?: SheetDelimiter | undefined;
  readonly canary?: number | undefined;
  /** The rows of the canary; undefined if they are the first ones. */
  readonly canaryRows?: readonly RowIndex[] | undefined;
  readonly canaryOf?: string | undefined;
  readonly stopAfter?: number | undefined;
  readonly lead?: number | null | undefined;
  /** Default: none. */
  readonly approve?: ApproveRule | undefined;
  readonly startedBy?: string | undefined;
  readonly creators: ReadonlyMap<string, CreatorRef>;
  /** Import the manifest even if it was imported before. Its rows may be the same posts as other rows. */
  readonly again: boolean;
  /** Digest of the request that imports it, if it may be sent again. */
  readonly origin?: string | undefined;
  /** How long the origin is remembered, in milliseconds; 25 hours unless given. */
  readonly originMs?: number | undefined;
  /** Version of the index of planned posts that the rows were compared with; undefined if they are imported whatever it has. */
  readonly postsVersion?: string | undefined;
};

export interface ImportedCampaign {
  /** Empty if there is none. */
  readonly id: string;
  /** `known`: imported before, as this campaign. `repeated`: by this request. `overtaken`: others added posts: compare again. */
  readonly kind: 'created' | 'known' | 'repeated' | 'overtaken';
}

/** Longer than answers to a request are kept (`kept-answers.ts`). */
const usualOriginMs = 25 * 3600 * 1000;

/** Dispose of it at the end (`await using`): rows that were not committed are dropped. */
export class CampaignImport extends LedgerPart implements AsyncDisposable {
  readonly #staged: StagedRows;
  /** False once a campaign may have the rows. */
  #isOpen = true;
  readonly #posts: PlannedPosts;

  /** @param most bytes that its rows may take, packed; default: any. */
  constructor(context: LedgerContext, posts: PlannedPosts, most?: number) {
    super(context);
    this.#staged = new StagedRows(context, most);
    this.#posts = posts;
  }

  add(rows: readonly ImportedRow[]): Promise<void> {
    return this.#staged.add(rows);
  }

  /** Creates the campaign from the staged rows; drops them if the campaign exists already, or the import was overtaken. */
  async commit(campaign: NewCampaign): Promise<ImportedCampaign> {
    await this.#staged.flush();
    const blocks = await this.#posts.add(this.#staged.posts);
    this.#isOpen = false;
    let seen = campaign.postsVersion;
    for (;;) {
      const [id, kind] = await this.#commit(campaign, blocks, seen);
      if (kind === 'created') return { id, kind };
      if (kind === 'overtaken' && seen !== undefined) {
        const version = await this.#posts.version();
        const isRepeated = await this.#posts.isRepeatedSince(seen, this.#staged.posts);
        seen = version;
        if (!isRepeated) continue;
      }
      await this.#staged.discard();
      return { id, kind };
    }
  }

  #commit(campaign: NewCampaign, { segment, first, count }: PostBlocks, seen = '') {
    const { store, chunks, rows, again } = this.#staged;
    const facts = Object.entries({
      name: campaign.name,
      header: JSON.stringify(campaign.header),
      map: JSON.stringify([...(campaign.map ?? [])]),
      mediaRoot: campaign.mediaRoot,
      timezone: campaign.timezone ?? '',
      source: campaign.source,
      window: campaign.window,
      leftOut: campaign.leftOut,
      delimiter: campaign.delimiter ?? ',',
      canary: campaign.canary ?? '',
      'stop-after': campaign.stopAfter ?? '',
      lead: campaign.lead ?? '',
      approve: campaign.approve ?? 'none',
      'canary-of': campaign.canaryOf ?? '',
      'started-by': campaign.startedBy ?? '',
    }).flat();
    const creators = [...campaign.creators].flatMap(([name, account]) => [name, JSON.stringify(account)]);
    return this.run<[string, ImportedCampaign['kind']]>('imports/commit-import', [
      ...[campaign.sha256, campaign.again ? '1' : '0', this.clock, store, chunks, rows],
      ...[campaign.origin ?? '', campaign.originMs ?? usualOriginMs],
      ...[seen, segment.name, segment.keptMs, first, count],
      ...[JSON.stringify(campaign.canaryRows ?? []), JSON.stringify(campaign.again ? [] : again)],
      facts.length,
      ...facts,
      ...creators,
    ]);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    // What is left expires by itself.
    if (this.#isOpen) await this.#staged.discard().catch(() => undefined);
  }
}
