/** Makes the media of a post anew: another generation, also after a rejection, or another upload of a file that has changed. */
import { z } from 'zod';
import { chunkSize } from '../../ledger/keys.ts';
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

/**
 * What it would take. A ready post can be renewed, and a rejected one whose media were generated.
 * @returns undefined for any other row. @throws {UseCaseError} `campaign_not_found`, `row_not_found`.
 */
export async function planRenewal(
  { ledger, views }: Pick<Runtime, 'ledger' | 'views'>,
  { campaign: id, key }: { readonly campaign: string; readonly key: string },
): Promise<Renewal | undefined> {
  const campaign = await findCampaign({ ledger }, id);
  const position = await findRow({ ledger }, campaign, key);
  const outcome = await ledger.rows.outcome(id, position);
  const view = await views.open(id, campaign.sheetVersion);
  const spec = await view?.readableRow(position);
  if (!outcome || !spec) return undefined;
  const { state, revision, error } = outcome;
  const { generation } = spec;
  const isRejected = state === 'failed' && error?.code === 'rejected' && generation !== undefined;
  if (state !== 'ready' && !isRejected) return undefined;
  return { position, revision, state: isRejected ? 'failed' : 'ready', generation };
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
  const planned = await planRenewal(runtime, row);
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
