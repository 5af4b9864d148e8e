/** Decides in a sheet: a person downloads the rows in review, fills in decisions and hands the sheet in. Its plan is shown first. */
import { html } from 'hono/html';
import { findCampaign } from '../../../campaigns/find.ts';
import { listCampaigns } from '../../../campaigns/list.ts';
import type { Campaign } from '../../../ledger/campaigns/campaigns.ts';
import type { Html } from '../../html.ts';
import { form } from '../../parts/form.ts';
import { icon } from '../../parts/icons.ts';
import { words } from '../../parts/language.ts';
import { count } from '../../parts/numbers/numbers.ts';
import { wayBack } from '../../parts/question.ts';
import type { Answer, PageRequest, Question, Route } from '../../request.ts';

export const decisionSheetRoutes: readonly Route[] = [
  { method: 'get', path: '/review/sheet', role: 'operator', handle: askSheet },
  { method: 'post', path: '/review/sheet', role: 'operator', takesSheet: true, handle: takeSheet },
];

async function askSheet(request: PageRequest): Promise<Question> {
  const { campaigns } = await listCampaigns(request.runtime);
  const waiting = campaigns.filter(({ counts }) => counts.review > 0);
  const asked = request.query.get('campaign') ?? '';
  return {
    kind: 'question',
    title: 'Decide in a sheet',
    section: '/review',
    body: waiting.length === 0 ? html`<p>No row is in review.</p>` : steps(request, waiting, asked),
  };
}

function steps(request: PageRequest, waiting: readonly Campaign[], asked: string): Html {
  const { link } = request;
  const sheet = (id: string) => link(`/campaigns/${id}/results.xlsx?only=review`);
  return html`<ol>
    <li>Download the rows in review: ${waiting.map(({ id, name, counts }, index) => html`${index > 0 ? '; ' : ''}<a href="${sheet(id)}" download>${words(name)}, ${count(counts.review, 'row')}</a>`)}.</li>
    <li>Fill in the column <code>decision</code>: <code>posted POST_ID</code> or <code>not-posted</code>; for an AI generation <code>generated SCHEDULE_ID</code> or <code>not-generated</code>. An empty cell decides nothing.</li>
    <li>Hand the sheet in. You see what it does before anything is sent.</li>
  </ol>
  ${form(request, {
    path: '/review/sheet',
    isUpload: true,
    body: html`<p><label>Campaign <select name="campaign">${waiting.map(({ id, name }) => html`<option value="${id}"${id === asked ? html` selected` : ''}>${name}</option>`)}</select></label></p>
    <p><label>Sheet: CSV, Excel or JSON<input type="file" name="sheet" accept=".csv,.tsv,.txt,.xlsx,.json,.jsonl" required></label></p>
    <p class="actions">${wayBack(request, '/review', 'Back')} <button class="primary">See what it does</button></p>`,
  })}`;
}

/** Keeps the sheet, and redirects to its plan. */
async function takeSheet(request: PageRequest): Promise<Answer> {
  const { runtime, sheet, form: fields } = request;
  const campaign = await findCampaign(runtime, fields.get('campaign') ?? '');
  if (sheet === undefined) return askSheet(request);
  const query = new URLSearchParams({ name: sheet.name });
  return { kind: 'redirect', to: `/campaigns/${campaign.id}/decisions/${sheet.keep()}?${query}` };
}

/** The link beside the title of the review. */
export function sheetLink({ link }: PageRequest, campaign: string | undefined): Html {
  const query = campaign === undefined ? '' : `?${new URLSearchParams({ campaign })}`;
  const address = link(`/review/sheet${query}`);
  return html`<a class="button" href="${address}" hx-get="${address}" hx-target="#question" hx-swap="innerHTML">${icon('down')}Decide in a sheet…</a>`;
}
