/** Decides in a sheet: the rows in review are downloaded, their column `decision` is filled in, and what it would do is shown first. */
import { html } from 'hono/html';
import { decideSheet, type SheetDecided } from '../../../campaigns/decisions/decide-sheet.ts';
import { findCampaign } from '../../../campaigns/find.ts';
import { dropKeptSheet, keepSheet, openKeptSheet } from '../../../campaigns/hand-in/kept-sheet.ts';
import { listCampaigns } from '../../../campaigns/list.ts';
import type { Campaign } from '../../../ledger/campaigns.ts';
import type { RowState } from '../../../ledger/states.ts';
import type { Html } from '../../html.ts';
import { form } from '../../parts/form.ts';
import { icon } from '../../parts/icons.ts';
import { words } from '../../parts/language.ts';
import { count, number } from '../../parts/numbers.ts';
import { point } from '../../parts/points.ts';
import { problemsTable } from '../../parts/problems.ts';
import { wayBack } from '../../parts/question.ts';
import { wordOf } from '../../parts/state.ts';
import type { Answer, Page, PageRequest, Question, Redirect, Route } from '../../request.ts';

/** A sheet of rows in review is small: a person has to read them all. */
const maxUploadBytes = 32 * 1024 * 1024;

export const decisionSheetRoutes: readonly Route[] = [
  { method: 'get', path: '/review/sheet', role: 'operator', handle: askSheet },
  { method: 'post', path: '/review/sheet', role: 'operator', maxUploadBytes, handle: takeSheet },
  { method: 'get', path: '/review/sheet/:token', role: 'operator', handle: showDecisions },
  { method: 'post', path: '/review/sheet/:token', role: 'operator', handle: carryOut },
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
    <li>Hand it in. You see what it does before anything is sent.</li>
  </ol>
  ${form(request, {
    path: '/review/sheet',
    isUpload: true,
    body: html`<p><label>Campaign <select name="campaign">${waiting.map(({ id, name }) => html`<option value="${id}"${id === asked ? html` selected` : ''}>${name}</option>`)}</select></label></p>
    <p><label>Sheet: CSV, Excel or JSON<input type="file" name="sheet" accept=".csv,.tsv,.txt,.xlsx,.json,.jsonl" required></label></p>
    <p class="actions">${wayBack(request, '/review', 'Back')} <button class="primary">See what it does</button></p>`,
  })}`;
}

/** Keeps the sheet, and leads to what it would do. */
async function takeSheet(request: PageRequest): Promise<Answer> {
  const { runtime, upload, form: fields } = request;
  const campaign = await findCampaign(runtime, fields.get('campaign') ?? '');
  if (upload === undefined || upload.bytes.length === 0) return askSheet(request);
  const token = await keepSheet(runtime, upload.bytes);
  const query = new URLSearchParams({ campaign: campaign.id, name: upload.name });
  return { kind: 'redirect', to: `/review/sheet/${token}?${query}` };
}

/** Campaign, file name and token of the sheet that a request is about. */
function asked({ params, query, form: fields }: PageRequest) {
  const value = (name: string) => fields.get(name) ?? query.get(name) ?? '';
  return { token: params.token ?? '', id: value('campaign'), name: value('name') };
}

async function showDecisions(request: PageRequest): Promise<Page> {
  const { runtime, link } = request;
  const { token, id, name } = asked(request);
  const campaign = await findCampaign(runtime, id);
  const sheet = await openKeptSheet(runtime, token, name);
  const decided = await decideSheet(runtime, campaign, sheet, { dryRun: true });
  const { problems, rows } = decided;
  return {
    kind: 'page',
    title: 'Decide in a sheet',
    section: '/review',
    main: html`
      <nav class="crumbs" aria-label="Where you are"><a href="${link('/review')}">Review</a> / sheet</nav>
      <div class="head"><div><h1>${words(sheet.file)} about ${words(campaign.name)}</h1><p class="about">${count(rows, 'row')} in the sheet. Nothing has been decided.</p></div></div>
      ${problems.total > 0 ? html`${problemsTable(problems.kept, problems.total)}<p class="actions">${wayBack(request, '/review', 'Back to the review')}</p>` : secondLook(request, campaign, decided)}`,
  };
}

/** In the words of a list: `12 rows: posted`. */
const outcomes: Partial<Readonly<Record<RowState, string>>> = {
  posted: 'posted from now on. Sends nothing',
  waiting: 'go on: what is not there is sent again',
  failed: 'failed, because their scheduled time has passed: give them a new one',
};

function secondLook(request: PageRequest, { id }: Campaign, decided: SheetDecided): Html {
  const { matched, changed, states, empty, ended } = decided;
  const { token, name } = asked(request);
  const rows = matched - changed;
  const left = Object.entries(ended) as [RowState, number][];
  const lines = [
    ...(Object.entries(states) as [RowState, number][]).map(([state, many]) =>
      point({ state, what: html`<b>${count(many, 'row')}: ${outcomes[state] ?? wordOf(state)}.</b>` }),
    ),
    ...left.map(([state, many]) =>
      point({
        state,
        what: html`<b>${count(many, 'row')} left alone.</b>`,
        more: `No longer in review, but ${wordOf(state)}.`,
      }),
    ),
    ...(empty === 0
      ? []
      : [
          point({
            state: 'review',
            what: html`<b>${count(empty, 'row')} without a decision.</b>`,
            more: 'Stays in review.',
          }),
        ]),
  ];
  const sendsAgain = (states.waiting ?? 0) > 0;
  const sure = html`<p><label><input type="checkbox" name="sure" value="yes" required> I have looked in the service: what the sheet says is not there is not there</label></p>`;
  const button = html`<button class="primary">Save ${count(rows, 'decision')}</button>`;
  return html`<section aria-labelledby="does"><div class="section"><h2 id="does">What it does</h2></div><ul class="points">${lines}</ul></section>
    ${form(request, {
      path: `/review/sheet/${token}`,
      body: html`<input type="hidden" name="campaign" value="${id}"><input type="hidden" name="name" value="${name}">
      ${rows > 0 && sendsAgain ? sure : ''}
      <p class="actions">${wayBack(request, '/review', 'Back')} ${rows === 0 ? '' : button}</p>`,
    })}`;
}

async function carryOut(request: PageRequest): Promise<Page | Redirect> {
  const { runtime, form: fields } = request;
  const { token, id, name } = asked(request);
  const campaign = await findCampaign(runtime, id);
  const sheet = await openKeptSheet(runtime, token, name);
  const planned = await decideSheet(runtime, campaign, sheet, { dryRun: true });
  const mayGoOn = (planned.states.waiting ?? 0) === 0 || fields.get('sure') === 'yes';
  if (planned.problems.total > 0 || !mayGoOn) return showDecisions(request);
  const { matched, changed } = await decideSheet(runtime, campaign, sheet, { dryRun: false });
  await dropKeptSheet(runtime, token);
  const more =
    changed === 0 ? undefined : `${count(changed, 'row')} left alone: somebody else decided meanwhile.`;
  return {
    kind: 'redirect',
    to: `/review?${new URLSearchParams({ campaign: id })}`,
    notice: {
      state: 'done',
      text: `${number(matched - changed)} ${matched - changed === 1 ? 'decision' : 'decisions'} saved.`,
      more: more ?? 'They go on in 10 seconds.',
    },
  };
}

/** Beside the title of the review. */
export function sheetLink({ link }: PageRequest, campaign: string | undefined): Html {
  const query = campaign === undefined ? '' : `?${new URLSearchParams({ campaign })}`;
  const address = link(`/review/sheet${query}`);
  return html`<a class="button" href="${address}" hx-get="${address}" hx-target="#question" hx-swap="innerHTML">${icon('down')}Decide in a sheet…</a>`;
}
