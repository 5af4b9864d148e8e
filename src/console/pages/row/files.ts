/** Files that are chosen on the row of a campaign: they are sent to a draft without a sheet, and come from there. */
import { findCampaign } from '../../../app/campaigns/find.ts';
import { draftRefused } from '../../../app/drafts/draft.ts';
import { findUnstartedDraft } from '../../../app/drafts/drafts.ts';
import { bringMedia } from '../../../app/drafts/files/media.ts';
import { draftOperations } from '../../../app/operations/drafts.ts';
import { rowPath } from '../../parts/list.ts';
import type { Answer, PageRequest } from '../../request.ts';

/** Puts them into the folder of the campaign; the draft goes. A file of the campaign is not replaced: other rows may name it. */
export async function bringFiles(request: PageRequest): Promise<Answer> {
  const { runtime, drafts, params, form, person } = request;
  const { id = '', key = '' } = params;
  const campaign = await findCampaign(runtime, id);
  const draft = await findUnstartedDraft(runtime, form.get('draft') ?? '');
  if (draft.sheet !== undefined) throw draftRefused('this draft has a sheet of its own');
  const isThere = await bringMedia(runtime, draft.id, campaign, person.name);
  if (!isThere) throw draftRefused('the files of this campaign are not in the folder of the console');
  await drafts.discard(draft.id);
  await request.record(draftOperations.discardDraft, { id: draft.id }, { discarded: draft.id });
  return { kind: 'redirect', to: rowPath(id, key) };
}
