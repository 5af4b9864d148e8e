/** Makes the media of a ready post anew: another generation, or another upload of a file that has changed. */
import { z } from 'zod';
import { chunkSize } from '../../ledger/keys.ts';
import { UseCaseError } from '../../manifest/problems/use-case-error.ts';
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

/**
 * The row goes back to waiting, in its next revision. What it has is not posted.
 * @param row.revision of the row as the person saw it. @param by name of the person.
 * @throws {UseCaseError} `campaign_not_found`, `row_not_found`, `approval_refused`.
 */
export async function renewPost(
  runtime: Pick<Runtime, 'ledger' | 'views' | 'queues'>,
  {
    campaign: id,
    key,
    revision,
  }: { readonly campaign: string; readonly key: string; readonly revision: number },
  by: string,
): Promise<Document<typeof renewedSchema>> {
  const { ledger, views, queues } = runtime;
  const campaign = await findCampaign(runtime, id);
  const row = await findRow(runtime, campaign, key);
  const [status] = await ledger.rows.statusesOf(id, [row]);
  const view = await views.open(id, campaign.sheetVersion);
  const spec = await view?.readableRow(row);
  if (status?.state !== 'ready' || !spec) throw refused(`row ${key} is not ready: nothing was changed`);
  const isGenerated = spec.generation !== undefined;
  const why = await ledger.edits.edit(campaign, {
    row,
    revision,
    chunk: Math.floor(row / chunkSize),
    outdated: { files: true, cover: true, references: false, generations: isGenerated },
    header: campaign.header,
    map: campaign.map,
    creator: undefined,
    rows: undefined,
    what: `${by}: ${isGenerated ? 'generate again' : 'upload again'}`,
  });
  if (why !== undefined)
    throw refused(`row ${key} has changed since it was shown: nothing was changed. Look at it again.`);
  if (campaign.state !== 'paused') await queues.wakeAdmission(id);
  return { id, key, state: 'waiting', outputs: spec.generation?.count ?? 0 };
}

function refused(message: string): UseCaseError {
  return new UseCaseError('approval_refused', message);
}
