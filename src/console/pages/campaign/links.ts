/** Client links of a campaign or draft: a question that lists them, makes one and revokes one. */
import { longestLabel, usualShareMs } from '../../../app/approvals/shares.ts';
import { findCampaign } from '../../../app/campaigns/find.ts';
import { refuseStarted } from '../../../app/drafts/draft.ts';
import { findDraft } from '../../../app/drafts/drafts.ts';
import { approvalOperations } from '../../../app/operations/approvals.ts';
import { writeLead } from '../../../manifest/campaign-options.ts';
import { plural } from '../../../manifest/wording.ts';
import { html, words } from '../../html.ts';
import { asksFirst, confirmForm, done, type QuestionText, questionLink, select } from '../../parts/form.ts';
import { moment } from '../../parts/numbers.ts';
import type { Page, PageRequest, Question, Redirect, Route } from '../../request.ts';

export const linkRoutes = ['/campaigns/:id/links', '/campaigns/new/:draft/links'].flatMap(
  (path): readonly Route[] => [
    { method: 'get', path, right: 'manage', handle: showLinks },
    { method: 'post', path, right: 'manage', handle: makeLink },
    ...asksFirst({
      path: `${path}/:link/revoke`,
      right: 'manage',
      home: linksPath,
      ask: askRevoke,
      carryOut: revokeLink,
    }),
  ],
);

function homeOf({ id, draft }: PageRequest['params']): string {
  return draft === undefined ? `/campaigns/${id}` : `/campaigns/new/${draft}`;
}

function linksPath({ params }: Pick<PageRequest, 'params'>): string {
  return `${homeOf(params)}/links`;
}

function linksOf({ carryOut, params: { id, draft } }: PageRequest) {
  return carryOut(approvalOperations.listShares, { campaign: id, draft });
}

async function showLinks(request: PageRequest): Promise<Question> {
  const { runtime, params, zone, now } = request;
  const { draft } = params;
  const path = linksPath(request);
  if (draft !== undefined) refuseStarted(await findDraft(runtime, draft));
  const { links } = await linksOf(request);
  const lines = links.map(
    ({ id: link, label, mayApprove, by, expiresAt }) => html`<li>
      <div><b>${label === '' ? html`<code>${link}</code>` : words(label)}</b><small>${mayApprove ? 'can approve and reject' : 'can only look'} · by ${words(by)}</small></div>
      <div><small>until ${moment(Date.parse(expiresAt), zone, now)}</small></div>
      ${questionLink(request, `${path}/${link}/revoke`, html`Revoke…<span class="hidden"> ${words(label || link)}</span>`)}</li>`,
  );
  const terms = ['1d', '7d', writeLead(usualShareMs), '30d', '90d'].map(
    (term) => [term, plural(Number.parseInt(term, 10), 'day')] as const,
  );
  const fields = html`<p><label>For whom <input name="name" maxlength="${longestLabel}"></label></p>
    <p>${select('Open for', 'expires', terms, writeLead(usualShareMs))}</p>
    <p><label class="tick"><input type="checkbox" name="approve" value="yes"> Guests may approve and reject</label></p>`;
  return {
    kind: 'question',
    title: 'Client links',
    body: html`<p>Anyone with the link sees the posts of this ${draft === undefined ? 'campaign' : 'plan'} with all comments, and nothing else. No account is needed.</p>
      ${draft !== undefined && html`<p>Guests can only comment now. Once you start the campaign, the same link shows it.</p>`}
      ${lines.length > 0 && html`<ul class="card lines">${lines}</ul>`}
      ${confirmForm(request, path, homeOf(params), { fields, button: 'Make a link' })}`,
  };
}

/** Shows the address in the answer itself. A redirect would have to store it somewhere. */
async function makeLink({
  carryOut,
  params,
  form: fields,
  link,
  zone,
  now,
  runtime,
}: PageRequest): Promise<Page> {
  const { id = '', draft } = params;
  const given = {
    name: fields.get('name') ?? '',
    expires: fields.get('expires') ?? '',
    approve: fields.get('approve') === 'yes',
  };
  const {
    link: made,
    path: own,
    url,
  } = draft === undefined
    ? await carryOut(approvalOperations.shareCampaign, { id, ...given })
    : await carryOut(approvalOperations.shareDraft, { id: draft, ...given });
  const of = draft === undefined ? (await findCampaign(runtime, id)).name : 'the draft';
  const can = made.mayApprove ? 'approve and reject posts' : 'look at the posts';
  return {
    kind: 'page',
    title: 'Client link',
    main: html`<section class="card question">
      <h1>Client link to ${words(of)}</h1>
      <p><b>Copy it now.</b> It is not shown again; only a hash of it is stored.</p>
      <p><a href="${link(own)}" rel="noreferrer"><code class="token">${url ?? link(own)}</code></a></p>
      <p>Guests can ${can}${draft !== undefined && made.mayApprove && ', once the campaign is started,'} until ${moment(Date.parse(made.expiresAt), zone, now)}.</p>
      <p class="actions"><a class="button" href="${link(homeOf(params))}">I have copied it</a></p>
    </section>`,
  };
}

async function askRevoke(request: PageRequest): Promise<QuestionText> {
  const { link = '' } = request.params;
  const { links } = await linksOf(request);
  const label = links.find(({ id }) => id === link)?.label ?? '';
  return {
    title: `Revoke the link${label === '' ? '' : ` for ${label}`}?`,
    text: html`<p><b>Nobody will be able to open it.</b> Comments and decisions of guests stay. You cannot undo this: the address itself is not stored. Make a new link instead.</p>`,
    back: 'Keep the link',
    button: 'Revoke the link',
    isDangerous: true,
  };
}

async function revokeLink({ carryOut, params }: PageRequest): Promise<Redirect> {
  await carryOut(approvalOperations.revokeShare, { link: params.link ?? '' });
  return done(homeOf(params), 'The link is revoked. It no longer works.');
}
