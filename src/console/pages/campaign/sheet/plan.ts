/** What the sheets for a campaign have in common: their address, the page while one is read, and the page of its plan. */
import { findCampaign } from '../../../../campaigns/find.ts';
import { dropKeptSheet, openKeptSheet } from '../../../../campaigns/import/kept-sheet.ts';
import type { ManifestFile } from '../../../../campaigns/import/manifest-file.ts';
import type { Plans, SheetPlans } from '../../../../campaigns/plans.ts';
import type { Campaign } from '../../../../ledger/campaigns/campaign.ts';
import type { Problem } from '../../../../manifest/problems/problem.ts';
import { type Html, html, words } from '../../../html.ts';
import { crumbs, notice, type Point, point, section } from '../../../parts/blocks.ts';
import { confirmForm, hidden, hiddenFields, wayBack } from '../../../parts/form.ts';
import {
  chosenEncoding,
  encodingChoice,
  isEncodingWrong,
  problemsTable,
  reading,
  readingEnded,
} from '../../../parts/sheets.ts';
import type { Answer, Notice, Page, PageRequest, Redirect, Route, Stream } from '../../../request.ts';
import type { SentSheet } from '../../../uploads/sent-sheet.ts';

/** A sheet that was uploaded for a campaign. */
export interface Handed {
  readonly request: PageRequest;
  readonly campaign: Campaign;
  readonly sheet: ManifestFile;
  readonly place: Place;
}

/** Where the plan of a sheet is, and how the sheet is read. */
interface Place {
  readonly path: string;
  /** Its parameters. `again`: `yes` to take rows in although they are posts of other campaigns. */
  readonly reading: Readonly<Record<'name' | 'again' | 'encoding', string>>;
}

/** A purpose of sheets. */
export interface SheetUse<Plan> {
  readonly kind: 'decisions';
  /** Last breadcrumb. */
  readonly crumb: string;
  /** `posts.csv into Spring`. */
  readonly heading: (sheet: string, campaign: string) => string;
  readonly plans: (plans: SheetPlans) => Plans<Plan>;
  readonly make: (handed: Handed, onRead: (rows: readonly unknown[]) => void) => Promise<Plan>;
  readonly show: (handed: Handed, plan: Plan) => Page;
  /** @returns a redirect with what came of it; or the page of the plan, if that has to be agreed to again. */
  readonly carryOut: (handed: Handed) => Promise<Answer>;
}

/** Shows the plan of a kept sheet, or how far it has been read, and carries it out. */
export function planRoutes<Plan>(use: SheetUse<Plan>): readonly Route[] {
  const path = `/campaigns/:id/${use.kind}/:token`;
  const carryOut = async (request: PageRequest) => {
    const answer = await use.carryOut(await open(request, use.kind));
    if (answer.kind === 'redirect') await dropKeptSheet(request.runtime, request.params.token ?? '');
    return answer;
  };
  return [
    { method: 'get', path, role: 'operator', handle: (request) => showPlan(request, use) },
    { method: 'get', path: `${path}/events`, role: 'operator', handle: (request) => stream(request, use) },
    { method: 'post', path, role: 'operator', readsSheet: true, handle: carryOut },
  ];
}

/** Keeps the sheet of a form, and leads to its plan. */
export function keepSheet(sheet: SentSheet, campaign: string, kind: SheetUse<unknown>['kind']): Redirect {
  const query = new URLSearchParams({ name: sheet.name });
  return { kind: 'redirect', to: `/campaigns/${campaign}/${kind}/${sheet.keep()}?${query}` };
}

/** From the address, or from the fields of a form that it was sent along with. */
function placeOf({ params, form, query }: PageRequest, kind: SheetUse<unknown>['kind']): Place {
  const kept = (name: string) => form.get(name) ?? query.get(name) ?? '';
  const encoding = chosenEncoding({ form, query }) ?? '';
  return {
    path: `/campaigns/${params.id}/${kind}/${params.token}`,
    reading: { name: kept('name'), again: kept('again') === 'yes' ? 'yes' : '', encoding },
  };
}

/** Path and query of a plan; also its name among others. @param rest of the path. @param again takes posts again. */
export function addressOf({ path, reading }: Place, rest = '', again: 'yes' | '' = ''): string {
  const given = Object.entries({ ...reading, again: again || reading.again }).filter(
    ([, text]) => text !== '',
  );
  return `${path}${rest}?${new URLSearchParams(given)}`;
}

async function open(request: PageRequest, kind: SheetUse<unknown>['kind']): Promise<Handed> {
  const { runtime, params } = request;
  const place = placeOf(request, kind);
  const campaign = await findCampaign(runtime, params.id ?? '');
  const sheet = await openKeptSheet(runtime, params.token ?? '', place.reading.name);
  return { request, campaign, sheet, place };
}

async function showPlan<Plan>(request: PageRequest, use: SheetUse<Plan>): Promise<Page> {
  const handed = await open(request, use.kind);
  const { campaign, sheet, place } = handed;
  const make = (onRead: (rows: readonly unknown[]) => void) => use.make(handed, onRead);
  const plans = use.plans(request.plans);
  const looked = await plans.look(addressOf(place), make, request.person.name);
  if (looked.kind === 'planned') return use.show(handed, looked.plan);
  return {
    kind: 'page',
    title: use.heading(sheet.file, campaign.name),
    section: '/campaigns',
    main: html`${head(handed, use, 'The plan comes next. Nothing has been changed.')}
      ${progress(request, place, looked.rows)}`,
    stream: addressOf(place, '/events'),
  };
}

const part = 'plan-reading';

function progress(request: PageRequest, place: Place, rows: number): Html {
  const path = addressOf(place);
  return reading(request, { id: part, sheet: place.reading.name, doing: 'is being read', rows, path });
}

function stream<Plan>(request: PageRequest, { kind, plans }: SheetUse<Plan>): Stream {
  const place = placeOf(request, kind);
  const path = addressOf(place);
  const read = async () => {
    const rows = plans(request.plans).rowsRead(path);
    const ended = () => readingEnded(request, { id: part, path, what: 'The reading' });
    return { [part]: rows === undefined ? ended() : progress(request, place, rows) };
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
  /** How many rows there are, and that nothing was done. */
  readonly about: string;
  /** Why the plan differs from the one that was agreed to. */
  readonly changed: Pick<Notice, 'text' | 'more'> | undefined;
  /** Undefined if the sheet can be taken. */
  readonly problems: { readonly kept: readonly Problem[]; readonly total: number } | undefined;
  readonly points: readonly Point[];
  /** What follows the points. */
  readonly rest: Html;
}

/** The page of a plan. */
export function planPage<Plan>(handed: Handed, use: SheetUse<Plan>, shown: ShownPlan): Page {
  const { title, about, changed, problems, points, rest } = shown;
  const list = html`<ul class="points">${points.map(point)}</ul>`;
  return {
    kind: 'page',
    title,
    section: '/campaigns',
    main: html`${head(handed, use, about)}
      ${changed && notice({ state: 'warning', ...changed })}
      ${problems && html`${problemsTable(problems.kept, problems.total)}${readAgain(handed, problems.kept)}`}
      ${points.length > 0 && section({ id: 'plan', title: 'What becomes of the rows' }, list)}
      ${rest}`,
  };
}

/** The form to read the sheet in another encoding, if it is not in the one it was read in. */
function readAgain({ request, place }: Handed, problems: readonly Problem[]): Html | string {
  if (!isEncodingWrong(problems)) return '';
  const { name, again } = place.reading;
  return html`<form method="get" action="${request.link(place.path)}">${hidden('name', name)}${hidden('again', again || undefined)}<div class="actions after">${encodingChoice(chosenEncoding(request))}<button>Read with this encoding</button></div></form>`;
}

export function backToCampaign({ request, campaign }: Handed): Html {
  return html`<p class="actions">${wayBack(request, `/campaigns/${campaign.id}`, 'Back to the campaign')}</p>`;
}

/** The form that carries a plan out. @param asked its fields are what the person agrees to. */
export function agreeForm(
  { request, campaign, place }: Handed,
  asked: Parameters<typeof confirmForm>[3],
): Html {
  const fields = html`${hiddenFields(Object.entries(place.reading))}${asked.fields}`;
  return confirmForm(request, place.path, `/campaigns/${campaign.id}`, { ...asked, fields });
}

/** The first keys of some rows. */
export function keysOf(keys: readonly string[], rows: number): string {
  return `${keys.join(', ')}${keys.length < rows ? ', …' : ''}`;
}
