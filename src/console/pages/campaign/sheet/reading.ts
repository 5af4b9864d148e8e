/** The page while a sheet is being read: shows the progress, then loads the plan by itself. */
import { html } from 'hono/html';
import type { Campaign } from '../../../../ledger/campaigns/campaigns.ts';
import type { Problem } from '../../../../manifest/problems/problem.ts';
import type { Html } from '../../../html.ts';
import { chosenEncoding, encodingChoice, isEncodingWrong } from '../../../parts/encoding.ts';
import { words } from '../../../parts/language.ts';
import { reading, readingEnded } from '../../../parts/reading.ts';
import type { Page, PageRequest, Stream } from '../../../request.ts';

/** The purpose of the sheet; a part of the plan's address. */
export type PlanKind = 'into' | 'decisions';

const part = 'plan-reading';

/** Identifies the plan among others of its kind. */
export function planName(request: Pick<PageRequest, 'params' | 'form' | 'query'>): string {
  const { params } = request;
  const encoding = chosenEncoding(request) ?? '';
  return `${params.id} ${params.token}${isAgain(request) ? ' again' : ''} ${encoding}`;
}

/** Whether to take rows in although they are posts of other campaigns. */
export function isAgain({ form, query }: Pick<PageRequest, 'form' | 'query'>): boolean {
  return (form.get('again') ?? query.get('again')) === 'yes';
}

/** File name of the sheet, from the address or the form. */
export function sheetName({ form, query }: Pick<PageRequest, 'form' | 'query'>): string {
  return form.get('name') ?? query.get('name') ?? '';
}

function pathOf(request: PageRequest, kind: PlanKind, rest = ''): string {
  const { id = '', token = '' } = request.params;
  const query = new URLSearchParams({ name: sheetName(request) });
  if (isAgain(request)) query.set('again', 'yes');
  const encoding = chosenEncoding(request);
  if (encoding !== undefined) query.set('encoding', encoding);
  return `/campaigns/${id}/${kind}/${token}${rest}?${query}`;
}

/** What the form of a plan sends along: the name of the sheet, and how it was read. */
export function readingFields(request: PageRequest): Html {
  return html`${nameFields(request)}<input type="hidden" name="encoding" value="${chosenEncoding(request) ?? ''}">`;
}

function nameFields(request: PageRequest): Html {
  return html`<input type="hidden" name="name" value="${sheetName(request)}">${isAgain(request) ? html`<input type="hidden" name="again" value="yes">` : ''}`;
}

/** The form to read the sheet in another encoding, if it is not in the one it was read in. */
export function readAgain(request: PageRequest, kind: PlanKind, problems: readonly Problem[]): Html | string {
  if (!isEncodingWrong(problems)) return '';
  const { id = '', token = '' } = request.params;
  return html`<form method="get" action="${request.link(`/campaigns/${id}/${kind}/${token}`)}">${nameFields(request)}<div class="actions after">${encodingChoice(chosenEncoding(request))}<button>Read it so</button></div></form>`;
}

function progress(request: PageRequest, kind: PlanKind, rows: number): Html {
  const sheet = sheetName(request);
  return reading(request, { id: part, sheet, doing: 'is being read', rows, path: pathOf(request, kind) });
}

/** @param crumb last breadcrumb. */
export function readingPage(
  request: PageRequest,
  kind: PlanKind,
  { campaign, title, crumb, rows }: PlanPage & { readonly rows: number },
): Page {
  return {
    kind: 'page',
    title,
    section: '/campaigns',
    main: html`${crumbs(request, campaign, crumb)}
      <div class="head"><div><h1>${words(title)}</h1><p class="about">The plan comes next. Nothing has been changed.</p></div></div>
      ${progress(request, kind, rows)}`,
    stream: pathOf(request, kind, '/events'),
  };
}

interface PlanPage {
  readonly campaign: Campaign;
  readonly title: string;
  readonly crumb: string;
}

export function crumbs({ link }: PageRequest, { id }: Campaign, crumb: string): Html {
  return html`<nav class="crumbs" aria-label="Where you are"><a href="${link('/campaigns')}">Campaigns</a> / <a href="${link(`/campaigns/${id}`)}">${id}</a> / ${crumb}</nav>`;
}

export function streamPlan(kind: PlanKind): (request: PageRequest) => Stream {
  return (request) => {
    const read = async () => {
      const rows = request.plans[kind].rowsRead(planName(request));
      if (rows !== undefined) return { [part]: progress(request, kind, rows) };
      const ended = { id: part, path: pathOf(request, kind), what: 'The reading' };
      return { [part]: readingEnded(request, ended) };
    };
    return { kind: 'stream', view: { key: pathOf(request, kind), read } };
  };
}
