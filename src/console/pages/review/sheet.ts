/** Decides in a sheet: a person downloads the rows in review, fills in decisions and uploads the sheet. Its plan is shown first. */
import type { ReviewItem } from '../../../campaigns/decisions/review-item.ts';
import { isNotFound } from '../../../campaigns/decisions/unproven.ts';
import { findCampaign } from '../../../campaigns/find.ts';
import { listCampaigns } from '../../../campaigns/list.ts';
import { type Html, html, words } from '../../html.ts';
import {
  type Asked,
  ask,
  asksFirst,
  type Change,
  form,
  hiddenFields,
  questionLink,
  select,
  sheetField,
} from '../../parts/form.ts';
import { count } from '../../parts/numbers.ts';
import { icon } from '../../parts/state.ts';
import type { PageRequest } from '../../request.ts';
import { keepSheet } from '../campaign/sheet/plan.ts';
import { choiceField } from './second-look.ts';

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

/** Decides all posts of a list that a search of the records did not find. Asks first. @param kept filter and place of the list. */
export function allAtOnce(
  request: PageRequest,
  items: readonly ReviewItem[],
  kept: URLSearchParams,
): Html | string {
  const absent = items.filter((item) => isNotFound(item.about, item));
  if (absent.length === 0) return '';
  const choices = absent.map((item) => [choiceField(item), 'not-posted'] as const);
  const body = html`${hiddenFields([...choices, ['home', String(kept)]])}<button hx-post="${request.link('/review')}" hx-target="#question" hx-swap="innerHTML">Mark ${count(absent.length, 'post')} as not posted…</button>`;
  return form(request, { path: '/review', body });
}
