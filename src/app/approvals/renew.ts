/** Makes the media of a post anew: another generation, also after a rejection, or another upload of a file that has changed. */
import { z } from 'zod';
import type { Campaign } from '../../ledger/campaigns/campaign.ts';
import { chunkSize } from '../../ledger/keys.ts';
import { type Cost, costOfOutputs } from '../../manifest/money.ts';
import { UseCaseError } from '../../manifest/problems/use-case-error.ts';
import type { Row, RowIndex } from '../../manifest/row.ts';
import { findCampaign, findRow } from '../campaigns/find.ts';
import { type Document, rowState } from '../runtime/documents.ts';
import type { Runtime } from '../runtime/runtime.ts';

export const renewedSchema = z.strictObject({
  id: z.string(),
  key: z.string(),
  state: rowState,
  /** AI outputs that are made anew, and paid for. */
  outputs: z.int(),
});

export interface Renewal {
  readonly position: RowIndex;
  readonly revision: number;
  readonly state: 'ready' | 'failed';
  /** Undefined for given media. */
  readonly generation: Row['generation'];
}

/** A ready post can be renewed, and a rejected one whose media were generated. @returns undefined for any other row. */
async function planAt(
  { ledger, views }: Pick<Runtime, 'ledger' | 'views'>,
  { id, rows, sheetVersion }: Campaign,
  position: RowIndex,
): Promise<Renewal | undefined> {
  if (position >= rows) return undefined;
  const outcome = await ledger.rows.outcome(id, position);
  const view = await views.open(id, sheetVersion);
  const spec = await view?.readableRow(position);
  if (!outcome || !spec) return undefined;
  const { state, revision, error } = outcome;
  const { generation } = spec;
  const isRejected = state === 'failed' && error?.code === 'rejected' && generation !== undefined;
  if (state !== 'ready' && !isRejected) return undefined;
  return { position, revision, state: isRejected ? 'failed' : 'ready', generation };
}

/** A post, as `planRenewals` gets it. */
interface RenewedPost {
  readonly campaign: string;
  readonly position: RowIndex;
}

export interface Renewals<Post extends RenewedPost> {
  readonly plans: readonly (Renewal & { readonly post: Post })[];
  /** AI outputs, which are paid for. */
  readonly outputs: number;
  readonly cost: Cost | null;
  /** Whether they are beyond a limit. */
  readonly isBeyond: boolean;
}

export const beyondLimit = 'This is beyond the limit of AI outputs: rows wait until an operator allows it.';

/** What it would take for several posts. Those that cannot be renewed have no plan. */
export async function planRenewals<Post extends RenewedPost>(
  runtime: Pick<Runtime, 'ledger' | 'views' | 'settings'>,
  posts: readonly Post[],
): Promise<Renewals<Post>> {
  const { ledger, settings } = runtime;
  const { maxOutputs, perMonth } = settings.spend;
  const plans: (Renewal & { readonly post: Post })[] = [];
  let isBeyond = false;
  for (const [id, some] of Map.groupBy(posts, ({ campaign }) => campaign)) {
    const campaign = await ledger.campaigns.find(id);
    if (campaign === undefined) continue;
    const before = plans.length;
    for (const post of some) {
      const plan = await planAt(runtime, campaign, post.position);
      if (plan !== undefined) plans.push({ ...plan, post });
    }
    isBeyond ||= maxOutputs !== null && campaign.outputs + outputsOf(plans.slice(before)) > maxOutputs;
  }
  const outputs = outputsOf(plans);
  isBeyond ||= perMonth !== null && (await ledger.approvals.outputsOfMonth()) + outputs > perMonth;
  const byModel = plans.map(({ generation }) => [generation?.model ?? '', generation?.count ?? 0] as const);
  return { plans, outputs, cost: costOfOutputs(byModel, settings.spend), isBeyond: outputs > 0 && isBeyond };
}

function outputsOf(plans: readonly Renewal[]): number {
  return plans.reduce((sum, { generation }) => sum + (generation?.count ?? 0), 0);
}

/**
 * The row goes back to waiting, in its next revision. What it has is not posted.
 * @param row.revision of the row as the person saw it. @param by name of the person.
 * @throws {UseCaseError} `campaign_not_found`, `row_not_found`, `approval_refused`.
 */
export async function renewPost(
  runtime: Pick<Runtime, 'ledger' | 'views' | 'queues'>,
  row: { readonly campaign: string; readonly key: string; readonly revision: number },
  by: string,
): Promise<Document<typeof renewedSchema>> {
  const { ledger, queues } = runtime;
  const { campaign: id, key, revision } = row;
  const campaign = await findCampaign(runtime, id);
  const planned = await planAt(runtime, campaign, await findRow(runtime, campaign, key));
  if (planned === undefined)
    throw refused(`row ${key} is neither ready nor a rejected post with AI media: nothing was changed`);
  const { position, state, generation } = planned;
  const outputs = generation?.count ?? 0;
  const why = await ledger.edits.edit(campaign, {
    row: position,
    revision,
    chunk: Math.floor(position / chunkSize),
    outdated: { files: true, cover: true, references: false, generations: outputs > 0 },
    header: campaign.header,
    map: campaign.map,
    creator: undefined,
    rows: undefined,
    what: `${by}: ${outputs > 0 ? 'generate again' : 'upload again'}`,
  });
  if (why !== undefined)
    throw refused(`row ${key} has changed since it was shown: nothing was changed. Look at it again.`);
  if (state === 'failed') await queues.removeFlow({ campaign: id, row: position, revision });
  if (campaign.state !== 'paused') await queues.wakeAdmission(id);
  return { id, key, state: 'waiting', outputs };
}

function refused(message: string): UseCaseError {
  return new UseCaseError('approval_refused', message);
}
