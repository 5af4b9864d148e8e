/** What the sheets for a campaign have in common: their address, the page while one is read, and the page of its plan. */

import { findCampaign } from '../../../../campaigns/find.ts';
import { dropKeptSheet, openKeptSheet } from '../../../../campaigns/import/kept-sheet.ts';
import type { ManifestFile } from '../../../../campaigns/import/manifest-file.ts';
import type { Plans, SheetPlans } from '../../../../campaigns/plans.ts';
import type { Campaign } from '../../../../ledger/campaigns/campaigns.ts';
import type { Problem } from '../../../../manifest/problems/problem.ts';
import type { Encoding } from '../../../../sheets/text/encoding.ts';
import { type Html, html, words } from '../../../html.ts';
import { crumbs, notice, type Point, point, section } from '../../../parts/blocks.ts';
import { confirmForm, hidden, wayBack } from '../../../parts/form.ts';
import { count } from '../../../parts/numbers.ts';
import {
  chosenEncoding,
  encodingChoice,
  isEncodingWrong,
  problemsTable,
  reading,
  readingEnded,
} from '../../../parts/sheets.ts';
import type { Answer, Page, PageRequest, Route, Stream } from '../../../request.ts';

/** A sheet that was uploaded for a campaign. */
export interface Handed {
  readonly request: PageRequest;
  readonly campaign: Campaign;
  readonly sheet: ManifestFile;
  readonly encoding: Encoding | undefined;
  /** Whether to take rows in although they are posts of other campaigns. */
  readonly again: boolean;
}

/** A purpose of sheets. */
export interface SheetUse<Plan> {
  /** A part of the plan's address. */
  readonly kind: 'into' | 'decisions';
  /** Last breadcrumb. */
  readonly crumb: string;
  /** `posts.csv into Spring`. */
  readonly heading: (sheet: string, campaign: string) => string;
  readonly plans: (plans: SheetPlans) => Plans<Plan>;
  readonly make: (handed: Handed, onRead: (rows: readonly unknown[]) => void) => Promise<Plan>;
  readonly show: (handed: Handed, plan: Plan) => Page;
  /** @returns what to tell about the change; or the page of the plan, if that has to be agreed to again. */
  readonly carryOut: (handed: Handed) => Promise<Answer>;
}

/** Shows the plan of a kept sheet, or how far it has been read, and carries it out. */
export function planRoutes<Plan>(use: SheetUse<Plan>): readonly Route[] {
  const path = `/campaigns/:id/${use.kind}/:token`;
  return [
    { method: 'get', path, role: 'operator', handle: (request) => showPlan(request, use) },
    { method: 'get', path: `${path}/events`, role: 'operator', handle: (request) => stream(request, use) },
    {
      method: 'post',
      path,
      role: 'operator',
      readsSheet: true,
      handle: async (request) => {
        const answer = await use.carryOut(await handed(request));
        if (answer.kind === 'redirect') await dropKeptSheet(request.runtime, request.params.token ?? '');
        return answer;
      },
    },
  ];
}

/** Keeps the sheet of a form, and leads to its plan. */
export function keepSheet(request: PageRequest, campaign: string, { kind }: Pick<SheetUse<never>, 'kind'>) {
  const query = new URLSearchParams({ name: request.sheet?.name ?? '' });
  const to = `/campaigns/${campaign}/${kind}/${request.sheet?.keep()}?${query}`;
  return { kind: 'redirect', to } as const;
}

/** A parameter of the address, or a field of the form that it was sent along with. */
function kept({ form, query }: PageRequest, name: string): string {
  return form.get(name) ?? query.get(name) ?? '';
}

async function handed(request: PageRequest): Promise<Handed> {
  const { runtime, params } = request;
  const campaign = await findCampaign(runtime, params.id ?? '');
  const sheet = await openKeptSheet(runtime, params.token ?? '', kept(request, 'name'));
  return {
    request,
    campaign,
    sheet,
    encoding: chosenEncoding(request),
    again: kept(request, 'again') === 'yes',
  };
}

/** Parameters of the plan's address: the name of the sheet, and how to read it. */
function readingOf(request: PageRequest): Readonly<Record<'name' | 'again' | 'encoding', string>> {
  const again = kept(request, 'again') === 'yes' ? 'yes' : '';
  return { name: kept(request, 'name'), again, encoding: chosenEncoding(request) ?? '' };
}

/** @param changes parameters that differ. */
export function planPath(
  request: PageRequest,
  { kind }: Pick<SheetUse<never>, 'kind'>,
  { rest = '', ...changes }: { readonly rest?: string; readonly again?: 'yes' } = {},
): string {
  const { id, token } = request.params;
  const given = Object.entries({ ...readingOf(request), ...changes }).filter(([, value]) => value !== '');
  return `/campaigns/${id}/${kind}/${token}${rest}?${new URLSearchParams(given)}`;
}

/** Identifies the plan among others of its kind. */
function planName(request: PageRequest): string {
  const { again, encoding } = readingOf(request);
  return `${request.params.id} ${request.params.token} ${again} ${encoding}`;
}

async function showPlan<Plan>(request: PageRequest, use: SheetUse<Plan>): Promise<Page> {
  const found = await handed(request);
  const plans = use.plans(request.plans);
  const make = (onRead: (rows: readonly unknown[]) => void) => use.make(found, onRead);
  const looked = await plans.look(planName(request), make, request.person.name);
  if (looked.kind === 'planned') return use.show(found, looked.plan);
  const title = use.heading(found.sheet.file, found.campaign.name);
  return {
    kind: 'page',
    title,
    section: '/campaigns',
    main: html`${head(found, use, 'The plan comes next. Nothing has been changed.')}
      ${progress(request, use, looked.rows)}`,
    stream: planPath(request, use, { rest: '/events' }),
  };
}

const part = 'plan-reading';

function progress(request: PageRequest, use: Pick<SheetUse<never>, 'kind'>, rows: number): Html {
  const sheet = kept(request, 'name');
  return reading(request, { id: part, sheet, doing: 'is being read', rows, path: planPath(request, use) });
}

function stream<Plan>(request: PageRequest, use: SheetUse<Plan>): Stream {
  const path = planPath(request, use);
  const read = async () => {
    const rows = use.plans(request.plans).rowsRead(planName(request));
    const ended = () => readingEnded(request, { id: part, path, what: 'The reading' });
    return { [part]: rows === undefined ? ended() : progress(request, use, rows) };
  };
  return { kind: 'stream', view: { key: path, read } };
}

function head<Plan>({ request, campaign, sheet }: Handed, use: SheetUse<Plan>, about: string): Html {
  const { id, name } = campaign;
  const way = [
    ['/campaigns', 'Campaigns'],
    [`/campaigns/${id}`, id],
  ] as const;
  return html`${crumbs(request, way, use.crumb)}
    <div class="head"><div><h1>${words(use.heading(sheet.file, name))}</h1><p class="about">${about}</p></div></div>`;
}

interface ShownPlan {
  readonly title: string;
  readonly rows: number;
  /** Why the plan differs from the one that was agreed to. */
  readonly changed: readonly [text: string, more: string] | undefined;
  /** Undefined if the sheet can be taken. */
  readonly problems: { readonly kept: readonly Problem[]; readonly total: number } | undefined;
  readonly points: readonly Point[];
  /** What follows the points. */
  readonly rest: Html;
}

/** The page of a plan. */
export function planPage<Plan>(handed: Handed, use: SheetUse<Plan>, shown: ShownPlan): Page {
  const { title, rows, changed, problems, points, rest } = shown;
  const done = use.kind === 'into' ? 'changed' : 'decided';
  return {
    kind: 'page',
    title,
    section: '/campaigns',
    main: html`${head(handed, use, `${count(rows, 'row')} in the sheet. Nothing has been ${done}.`)}
      ${changed === undefined ? '' : notice({ state: 'warning', text: changed[0], more: changed[1] })}
      ${problems === undefined ? '' : html`${problemsTable(problems.kept, problems.total)}${readAgain(handed.request, use, problems.kept)}`}
      ${points.length === 0 ? '' : section({ id: 'plan', title: 'What becomes of the rows' }, html`<ul class="points">${points.map(point)}</ul>`)}
      ${rest}`,
  };
}

/** The form to read the sheet in another encoding, if it is not in the one it was read in. */
function readAgain(
  request: PageRequest,
  { kind }: Pick<SheetUse<never>, 'kind'>,
  problems: readonly Problem[],
): Html | string {
  if (!isEncodingWrong(problems)) return '';
  const { id, token } = request.params;
  const { name, again } = readingOf(request);
  return html`<form method="get" action="${request.link(`/campaigns/${id}/${kind}/${token}`)}">${hidden('name', name)}${hidden('again', again || undefined)}<div class="actions after">${encodingChoice(chosenEncoding(request))}<button>Read it so</button></div></form>`;
}

export function backToCampaign(request: PageRequest, label = 'Back to the campaign'): Html {
  return html`<p class="actions">${wayBack(request, `/campaigns/${request.params.id}`, label)}</p>`;
}

/** The form that carries a plan out. @param fields what the person agrees to. */
export function agreeForm(
  request: PageRequest,
  use: Pick<SheetUse<never>, 'kind'>,
  asked: Parameters<typeof confirmForm>[3],
): Html {
  const { id, token } = request.params;
  const { name, again, encoding } = readingOf(request);
  const fields = html`${hidden('name', name)}${hidden('again', again || undefined)}${hidden('encoding', encoding)}${asked.fields}`;
  const home = `/campaigns/${id}`;
  return confirmForm(request, `${home}/${use.kind}/${token}`, home, { ...asked, fields });
}

/** The first keys of some rows. */
export function keysOf(keys: readonly string[], rows: number): string {
  return `${keys.join(', ')}${keys.length < rows ? ', …' : ''}`;
}
