/** Where to go after an upload: the check of the draft, or the campaign that the sheet belongs to. */
import type { DraftDesk } from '../../../../drafts/desk.ts';
import { handOverSheet } from '../../../../drafts/files/sheet-home.ts';
import type { Runtime } from '../../../../runtime/runtime.ts';
import type { Notice, Redirect } from '../../../request.ts';

/** @param notice outcome of the upload. */
export async function leadOn(
  { runtime, drafts }: { readonly runtime: Runtime; readonly drafts: DraftDesk },
  draft: string,
  notice?: Notice,
): Promise<Redirect> {
  const home = await handOverSheet(runtime, drafts, draft);
  if (home === undefined)
    return { kind: 'redirect', to: `/campaigns/new/${encodeURIComponent(draft)}`, notice };
  const { campaign, kind, token, file } = home;
  const query = new URLSearchParams({ name: file });
  const place = kind === 'results' ? 'into' : 'decisions';
  return { kind: 'redirect', to: `/campaigns/${campaign.id}/${place}/${token}?${query}` };
}
