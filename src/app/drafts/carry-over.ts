/** What the sheet of a draft lacks, and the campaign that it updates has. */
import type { EditEntry, Edits } from '../campaigns/import/edits.ts';
import { carryOver } from '../campaigns/import/next-version.ts';
import type { Runtime } from '../runtime/runtime.ts';
import { sheetOf, sheetOptionsOf, updatedCampaign } from './check/inputs.ts';
import type { Draft } from './draft.ts';
import { changeDraft } from './drafts.ts';
import { readingId } from './edits.ts';
import type { DraftDatabase } from './store/database.ts';
import { addEdit } from './store/edits.ts';

interface Sheet {
  readonly edits: Edits;
  readonly mediaRoot: string;
  readonly open: () => Promise<DraftDatabase>;
}

/** The first edit of a sheet that updates a campaign. It can be taken back, and is not made again. @returns undefined if there is none. */
export async function carryOverOnce(
  runtime: Runtime,
  draft: Draft,
  { edits, mediaRoot, open }: Sheet,
): Promise<{ readonly draft: Draft; readonly entry: EditEntry } | undefined> {
  const of = readingId(draft);
  const campaign = await updatedCampaign(runtime, draft);
  if (campaign === undefined || of === undefined || edits.isTouched) return undefined;
  const sheet = sheetOptionsOf(draft.reading);
  const manifest = sheetOf(runtime, draft, mediaRoot);
  const carried = await carryOver(runtime, campaign, manifest, sheet);
  if (carried === undefined) return undefined;
  const by = `campaign ${campaign.id}`;
  const entry = { ...carried, at: runtime.now(), by, of };
  const change = { by: draft.changedBy, version: draft.version, what: 'kept what the campaign has' };
  const changed = await changeDraft(runtime, draft.id, change, async (now) =>
    addEdit(await open(), now, entry),
  );
  return { draft: changed, entry };
}
