/** `/campaigns/new/DRAFT`: the sheet with its problems, its columns, times, options, plan, and the button that starts it. */
import { mayDo } from '../../../../app/access/roles.ts';
import { findCampaign } from '../../../../app/campaigns/find.ts';
import { readFilesProgress } from '../../../../app/drafts/files/progress.ts';
import type { DraftView } from '../../../../app/drafts/view.ts';
import type { Campaign } from '../../../../ledger/campaigns/campaign.ts';
import { UseCaseError } from '../../../../manifest/problems/use-case-error.ts';
import { asSentence, plural, thousands } from '../../../../manifest/wording.ts';
import { fixOnDraft } from '../../../hints.ts';
import { type Html, html, words } from '../../../html.ts';
import { crumbs, dotsMenu, liveStream, notice as noticeOf } from '../../../parts/blocks.ts';
import { form, questionLink } from '../../../parts/form.ts';
import { inZoneOf, moment } from '../../../parts/numbers.ts';
import type { Answer, Notice, PageRequest, Stream } from '../../../request.ts';
import { columnsSection, lackedColumns } from './columns.ts';
import {
  action,
  draftForm,
  draftPath,
  draftRowQuery,
  hiddenFields,
  isReady,
  pageForm,
  readQuery,
  type ShownDraft,
  takesMedia,
  withoutFixedKind,
} from './draft-view.ts';
import { commentsSection, warningsSection } from './notes.ts';
import { offeredName, optionsSection } from './options.ts';
import { dock, firstPosts, mostCovers, planSection } from './plan.ts';
import { downloads, problemsSection, searchForm } from './problems.ts';
import { inputs, lastSteps, otherReading } from './reading.ts';
import { timesFacts, timesSection, timesSpan } from './times.ts';
import { updateSection } from './update.ts';

/** Id of the element that shows the progress of the check. */
const part = 'draft-progress';

/** A refused form, to show again. */
export interface Returned {
  readonly notice: Notice;
  readonly typed: URLSearchParams;
  readonly status: number;
}

export async function showDraft(given: PageRequest, returned?: Returned): Promise<Answer> {
  const { drafts, params } = given;
  const view = await drafts.look(params.draft ?? '');
  const request = inZoneOf(given, { timezone: view.checked?.timezone ?? null });
  const { id, campaign: started } = view.draft;
  if (started !== undefined) return showStarted(request, started);
  if (view.state === 'empty') return { kind: 'redirect', to: draftPath(id, '/files') };
  const sent = readQuery(request.query.has('rows') ? request.query : request.form);
  const asked = withoutFixedKind(sent, view.checked);
  const campaign = await updatedBy(request, view.draft);
  const { checked } = view;
  const { body, hasSure } = checked
    ? await sections({ request, view, checked, asked, typed: returned?.typed })
    : { body: progress(request, view), hasSure: false };
  const main = html`${head({ request, view, asked, campaign, hasSure })}
    ${returned === undefined ? '' : noticeOf(returned.notice)}
    ${view.failure === undefined ? '' : failure(request, view)}
    ${body}`;
  return {
    kind: 'page',
    title: `${nameOf(view, campaign)}, ${progressOf(view)}`,
    main,
    scripts: mayDo(request, 'edit') ? ['draft.js', 'sheet.js', 'uploads.js'] : ['draft.js'],
    zone: request.zone,
    stream: draftPath(id, `/events?rows=${asked.rows}`),
    status: returned?.status,
  };
}

/** Shows the page after an outage, with the typed texts in its fields. Changes nothing. */
export function showFormInput(request: PageRequest): Promise<Answer> {
  const text = 'Redis answers again. What you typed is in its fields.';
  const notice: Notice = { state: 'warning', text, more: 'It is not saved yet: press the button again.' };
  return showDraft(request, { notice, typed: request.form, status: 200 });
}

/** The campaign that the sheet updates; undefined for a new one. */
export async function updatedBy(
  { runtime }: PageRequest,
  draft: DraftView['draft'],
): Promise<Pick<Campaign, 'id' | 'name'> | undefined> {
  const { into } = draft;
  if (into === undefined) return undefined;
  return findCampaign(runtime, into).catch(() => ({ id: into, name: into }));
}

function nameOf({ draft, checked }: DraftView, campaign: Pick<Campaign, 'name'> | undefined): string {
  if (campaign !== undefined) return `${draft.sheet?.name ?? 'Sheet'} into ${campaign.name}`;
  return draft.options.name ?? offeredName(draft, checked);
}

/** What is left to do, for the title: several drafts may be open side by side. */
function progressOf({ checked }: DraftView): string {
  if (checked === undefined) return 'being checked';
  return checked.refused > 0 ? `${thousands(checked.refused)} to fix` : 'checked';
}

interface DraftHead extends Pick<ShownDraft, 'request' | 'view' | 'asked'> {
  /** That the draft updates. */
  readonly campaign: Pick<Campaign, 'id' | 'name'> | undefined;
  readonly hasSure: boolean;
}

function head({ request, view, asked, campaign, hasSure }: DraftHead): Html {
  const { draft, checked, edits } = view;
  const links =
    campaign === undefined &&
    mayDo(request, 'manage') &&
    questionLink(request, draftPath(draft.id, '/links'), 'Client links…', '');
  const discard = questionLink(request, draftPath(draft.id, '/discard'), 'Discard…', 'danger');
  const sure = `/suggestions${draftRowQuery(asked)}&sure`;
  const fixes = hasSure && questionLink(request, draftPath(draft.id, sure), 'Sure fixes…', '');
  const undo =
    checked !== undefined &&
    edits.last !== undefined &&
    draftForm({ request, view, asked }, { path: '/undo', body: html`<button>Undo the last change</button>` });
  const entries = [fixes, undo, links, discard];
  const more = mayDo(request, 'edit') && html`<div class="actions">${dotsMenu('this draft', entries)}</div>`;
  const above = [['/campaigns', 'Campaigns'] as const];
  if (campaign !== undefined) {
    return html`${crumbs(request, [...above, [`/campaigns/${campaign.id}`, campaign.id]], 'sheet')}
      <div class="head"><div><h1>${words(nameOf(view, campaign))}</h1><p class="about">${saved(request, view)} Nothing is sent before you press Update.</p></div>${more}</div>`;
  }
  return html`${crumbs(request, above, 'New')}
    <div class="head"><div><h1>${words(nameOf(view, undefined))}</h1><p class="about">${saved(request, view)} Nothing is sent before you press Start.</p></div>${more}</div>`;
}

/** When the draft was changed last, and what differs from its sheet. */
function saved({ zone, now }: PageRequest, { draft, edits, checked }: DraftView): Html {
  const { rows } = edits;
  const { leftOut } = checked ?? edits;
  const changed = [
    ...(rows > 0 ? [`Edited rows: ${thousands(rows)}.`] : []),
    ...(leftOut > 0 ? [`Skipped: ${thousands(leftOut)}.`] : []),
  ];
  return html`Draft, saved ${moment(draft.changedAt, zone, now)} by ${words(draft.changedBy)}. ${changed.join(' ')}`;
}

function failure(request: PageRequest, { draft, failure: why }: DraftView): Html {
  const again = mayDo(request, 'edit')
    ? form(request, { path: draftPath(draft.id, '/check'), body: html`<button>Check it again</button>` })
    : '';
  const text = asSentence(why?.message ?? '');
  return noticeOf({ state: 'failed', text, more: fixOnDraft(why?.fix) || undefined }, again);
}

/** @returns an element that is updated while the check runs, and loads the page at its end. */
function progress({ link }: PageRequest, { draft, rowsRead, failure }: DraftView): Html {
  if (failure !== undefined) return html`<div id="${part}"></div>`;
  const rows = rowsRead === undefined ? '' : `${plural(rowsRead, 'row')} so far.`;
  return html`<div id="${part}" role="status"><p><b>${words(draft.sheet?.name ?? '')} is being checked.</b> ${rows}</p><p class="note"><a href="${link(draftPath(draft.id))}">Look again</a></p></div>`;
}

/** Only a page that shows the progress has such a part. An answer may be lost: it is asked for until it has come. */
function loads({ link }: PageRequest, { draft }: DraftView): Html {
  const path = link(draftPath(draft.id));
  return html`<div id="${part}" hx-get="${path}" hx-trigger="load, every 10s" hx-target="#main" hx-select="#main" hx-swap="outerHTML"><p>The check has ended. <a href="${path}">Look at the result</a></p></div>`;
}

async function sections(shown: ShownDraft): Promise<{ body: Html; hasSure: boolean }> {
  const { request, view } = shown;
  const { id } = view.draft;
  const [{ problems, fixes, hasSure }, files, first, earlier, comments, planned] = await Promise.all([
    problemsSection(shown),
    readFilesProgress(request.runtime, id),
    request.drafts.window(id, 'all', 0, mostCovers),
    request.drafts.earlier(id),
    commentsSection(shown),
    plan(shown),
  ]);
  const may = mayDo(request, 'edit');
  const isUpdate = view.draft.into !== undefined;
  const isOpen = shown.checked.blocking.length > 0;
  const notes = html`${warningsSection(shown)}${comments}`;
  const columns = columnsSection(shown);
  const choices = html`<div>${isUpdate ? '' : timesSection(shown, first.rows[0])}${may && earlier === undefined && !isUpdate ? optionsSection(shown, isOpen) : ''}</div>`;
  const pictures = isReady(shown) ? await firstPosts(shown, first.rows) : '';
  const rest = isReady(shown)
    ? html`${isUpdate ? html`${planned}${pictures}${notes}${columns}` : html`${pictures}<div class="two"><div>${planned}${notes}${columns}</div>${choices}</div>`}${downloads(shown)}${otherReading(shown)}`
    : html`${notes}<div class="two">${columns}${choices}</div>${lackedColumns(shown)}${!isOpen && html`${otherReading(shown)}${planned}`}`;
  const all = html`${view.isBehind && progress(request, view)}${inputs(shown, files.media, await takesMedia(shown))}${isOpen && otherReading(shown)}${problems}
    ${rest}<div class="bars">${fixes}${earlier === undefined && !isOpen ? dock(shown) : ''}</div>`;
  const body = html`${earlier === undefined ? '' : known(request, earlier)}${searchForm(shown)}${may ? wholeForm(shown, all) : all}`;
  return { body, hasSure };
}

async function plan(shown: ShownDraft): Promise<Html> {
  return shown.view.draft.into === undefined ? planSection(shown) : updateSection(shown);
}

/** Makes the page one form, so that no button loses typed texts. Enter saves, because browsers press the first button. */
function wholeForm(shown: ShownDraft, body: Html): Html {
  return form(shown.request, {
    path: draftPath(shown.view.draft.id, mayDo(shown.request, 'run') ? '/start' : '/cells'),
    id: pageForm,
    body: html`<button ${action(shown, '/cells')} class="hidden" tabindex="-1" aria-hidden="true">Save</button>${hiddenFields(shown)}${body}`,
  });
}

type Earlier = NonNullable<Awaited<ReturnType<PageRequest['drafts']['earlier']>>>;

/** The notice that the sheet was imported before, with a link to its campaign. */
function known({ link }: PageRequest, earlier: Earlier): Html {
  if (earlier.kind === 'deleted') {
    const text = `This sheet was imported before, as campaign ${earlier.id}, which was deleted: rows of it were posted.`;
    return noticeOf({
      state: 'warning',
      text,
      more: 'You cannot start it again. Import a sheet with only the rows to post now.',
    });
  }
  const { id, name } = earlier.campaign;
  const to = html`<a class="button" href="${link(`/campaigns/${id}`)}">Look at it</a>`;
  return noticeOf(
    {
      state: 'warning',
      text: `This sheet was imported before, as ${name}.`,
      more: 'You cannot start it again. Continue on the campaign page.',
    },
    to,
  );
}

export async function streamDraft(request: PageRequest): Promise<Stream> {
  const { drafts, params } = request;
  const id = params.draft ?? '';
  const asked = readQuery(request.query);
  await drafts.look(id, { waitMs: 0 });
  return liveStream(request, { key: `draft ${id} ${asked.rows}` }, async (at) => {
    const view = await drafts.look(id, { waitMs: 0 }).catch(() => undefined);
    if (view === undefined) return {};
    // The draft itself is on disk. This reads from Redis, so that the page notices an outage.
    await drafts.earlier(id);
    const { checked } = view;
    if (checked === undefined) return { [part]: progress(at, view) };
    const shown: ShownDraft = { request: at, view, checked, asked, typed: undefined };
    const isNew = view.draft.into === undefined;
    const [first] = isNew ? (await drafts.window(id, 'all', 0, 1)).rows : [];
    return {
      [part]: view.isBehind ? progress(at, view) : loads(at, view),
      ...(isNew && { 'draft-span': timesSpan(shown), 'draft-times': timesFacts(shown, first) }),
      ...lastSteps(shown),
      'draft-warnings': warningsSection(shown),
      'draft-plan': await plan(shown),
      'draft-dock': dock(shown),
    };
  });
}

/** The answer for a draft that was started: each of its addresses and buttons leads to the campaign. @param campaign its id. */
export async function showStarted({ runtime }: PageRequest, campaign: string): Promise<Answer> {
  try {
    const text = startedBefore(await findCampaign(runtime, campaign));
    return { kind: 'redirect', to: `/campaigns/${campaign}`, notice: { state: 'done', text } };
  } catch (error) {
    if (!(error instanceof UseCaseError) || error.code !== 'campaign_not_found') throw error;
    const text = `This draft was started as campaign ${campaign}, which has been deleted since.`;
    return { kind: 'redirect', to: '/campaigns', notice: { state: 'warning', text } };
  }
}

export function startedBefore({ name }: Pick<Campaign, 'name'>): string {
  return `This is the campaign that was started from the draft: ${name}. Nothing was started a second time.`;
}
