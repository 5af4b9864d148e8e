/** The note about rows of the sheet that were left out of the campaign, because of problems or by a person. */
import { html } from 'hono/html';
import { findDraftOf } from '../../../drafts/drafts.ts';
import type { Campaign } from '../../../ledger/campaigns/campaigns.ts';
import type { Html } from '../../html.ts';
import { count } from '../../parts/numbers/numbers.ts';
import type { PageRequest } from '../../request.ts';

export async function leftOutNote(request: PageRequest, campaign: Campaign): Promise<Html | string> {
  const { leftOut } = campaign;
  if (leftOut === 0) return '';
  const draft = await findDraftOf(request.runtime, campaign);
  const were = `${count(leftOut, 'row')} of the sheet ${leftOut === 1 ? 'was' : 'were'} left out.`;
  const sheet =
    draft === undefined
      ? ''
      : html` <a href="${request.link(`/campaigns/new/${draft.id}/sheet/problems`)}" download>Rows that were left out at the start, with their problems</a>`;
  return html`<p class="note">${were}${sheet}</p>`;
}
