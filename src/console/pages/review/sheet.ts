/** Decides in a sheet: a person downloads the rows in review, fills in decisions and uploads the sheet. Its plan is shown first. */
import { kindOf } from '../../../campaigns/decisions/list-review.ts';
import type { ReviewItem } from '../../../campaigns/decisions/review-item.ts';
import { isNotFound } from '../../../campaigns/decisions/unproven.ts';
import { findCampaign } from '../../../campaigns/find.ts';
import { listCampaigns } from '../../../campaigns/list.ts';
import { canLook } from '../../../campaigns/records.ts';
import { type Html, html, words } from '../../html.ts';
import {
  type Asked,
  ask,
  asksFirst,
  type Change,
  questionLink,
  select,
  sheetField,
} from '../../parts/form.ts';
import { count, number } from '../../parts/numbers.ts';
import { icon } from '../../parts/state.ts';
import type { PageRequest } from '../../request.ts';
import { keepSheet } from '../campaign/sheet/plan.ts';

const upload: Change = {
  path: '/review/sheet',
  section: '/review',
  home: () => '/review',
  takesSheet: true,
  ask: askSheet,
  carryOut: async (request) => {
    const { id } = await findCampaign(request.runtime, request.form.get('campaign') ?? '');
    return request.sheet === undefined ? ask(request, upload) : keepSheet(request.sheet, id, 'decisions');
  },
};

export const decisionSheetRoutes = asksFirst(upload);

async function askSheet({ runtime, query, link }: PageRequest): Promise<Asked> {
  const { campaigns } = await listCampaigns(runtime);
  const waiting = campaigns.filter(({ counts }) => counts.review > 0);
  const title = 'Decide in a sheet';
  if (waiting.length === 0) return { title, text: html`<p>No rows need review.</p>`, button: undefined };
  const sheet = (id: string) => link(`/campaigns/${id}/results.xlsx?only=review`);
  const named = waiting.map(({ id, name }) => [id, name] as const);
  return {
    title,
    text: html`<ol>
    <li>Download the rows in review: ${waiting.map(({ id, name, counts }, index) => html`${index > 0 ? '; ' : ''}<a href="${sheet(id)}" download>${words(name)}, ${count(counts.review, 'row')}</a>`)}.</li>
    <li>Fill in the column <code>decision</code>: <code>posted POST_ID</code> or <code>not-posted</code>; for an AI generation <code>generated SCHEDULE_ID</code> or <code>not-generated</code>. Check the creator’s profile, or the service’s dashboard, first. An empty cell decides nothing.</li>
    <li>Upload the sheet. You confirm its decisions before anything is sent.</li>
  </ol>`,
    isUpload: true,
    fields: html`<p>${select('Campaign', 'campaign', named, query.get('campaign') ?? '')}</p>${sheetField()}`,
    back: 'Back',
    button: 'Preview decisions',
  };
}

/** The link beside the title of the review. */
export function sheetLink(request: PageRequest, campaign: string | undefined): Html {
  const query = campaign === undefined ? '' : `?${new URLSearchParams({ campaign })}`;
  return questionLink(request, `/review/sheet${query}`, html`${icon('down')}Decide in a sheet…`);
}

/** The buttons only choose: the page comes back with the choices, and nothing is sent. */
export function allAtOnce({ link, runtime }: PageRequest, items: readonly ReviewItem[]): Html {
  const absent = items.filter((item) => isNotFound(item.about, item)).length;
  const open = items.filter(
    (item) => kindOf(item.about, item) === 'no-record' && !isNotFound(item.about, item),
  );
  const unseen = open.filter(({ lookedAt }) => lookedAt === null).length;
  const button = (value: string, text: string) =>
    html`<button formaction="${link('/review/all')}" name="all" value="${value}">${text}</button>`;
  const none = absent === 0 ? '' : button('no-record', `Mark ${count(absent, 'post')} as not posted`);
  const found =
    absent === 0
      ? ''
      : html`<p class="note">The publishing records do not have ${absent === 1 ? 'this post' : 'these posts'}. They may lag.</p>`;
  const why =
    open.length === 0
      ? ''
      : html`<p class="note">Decide ${count(open.length, 'post')} one by one: ${whyOneByOne(open.length, unseen, canLook(runtime))}</p>`;
  return html`<p class="actions"><span class="note">All at once:</span> ${none} ${button('later', 'Clear all decisions')}</p>${found}${why}`;
}

/** @param unseen rows that no search has a result for. */
function whyOneByOne(rows: number, unseen: number, canLook: boolean): string {
  if (!canLook) return 'the publishing records cannot be read here.';
  const those = unseen === rows ? '' : ` for ${number(unseen)} of them`;
  if (unseen > 0)
    return `the publishing records have not been searched${those}, or could not be read. Search them now.`;
  return 'the last search does not prove that they were not posted. Each row shows what was found.';
}
