/** The frame of every page: a head with the main menu, the search, whether the page is live, and the person's menu. */
import { mayDo } from '../../app/access/roles.ts';
import { printable } from '../../manifest/printable.ts';
import { thousands } from '../../manifest/wording.ts';
import type { AssetName, FileAddress } from '../assets/assets.ts';
import { type Html, html, words } from '../html.ts';
import type { Notice, Page, PageRequest, Undo } from '../request.ts';
import { notice } from './blocks.ts';
import { form, hidden } from './form.ts';
import { longestSearch } from './list.ts';
import { clockWithSeconds, namedZone } from './numbers.ts';
import { icon, iconShapes, mark } from './state.ts';

export interface Surroundings {
  readonly files: FileAddress;
  readonly version: string;
  /** Rows of all campaigns that wait for a person. */
  readonly forPeople: Readonly<Record<'review' | 'unapproved', number>>;
}

interface Entry {
  readonly path: string;
  readonly name: string;
}

const entries: readonly Entry[] = [
  { path: '/campaigns', name: 'Campaigns' },
  { path: '/review', name: 'Review' },
  { path: '/approvals', name: 'Approvals' },
  { path: '/calendar', name: 'Calendar' },
  { path: '/videos', name: 'Videos' },
  { path: '/queues', name: 'Queues' },
];

/** For admins only, because these pages show personal data. */
const ownEntries: readonly Entry[] = [
  { path: '/users', name: 'Users' },
  { path: '/audit', name: 'Audit' },
];

/** @param told outcome of the change that led here; shown once. */
export function layout(
  request: PageRequest,
  page: Page,
  { files, version, forPeople }: Surroundings,
  told: Notice | undefined,
): Html {
  const { link, now, isZoneOpen } = request;
  const zone = page.zone ?? request.zone;
  const times = `Times are in ${page.timesIn ?? namedZone(zone, now)}.`;
  const live =
    page.stream === undefined
      ? ''
      : html` hx-sse:connect="${link(withZone(page.stream, zone))}" hx-swap="none"`;
  return html`<!doctype html>
<html lang="en" data-base="${link('')}" data-zone="${zone}" data-now="${now}"${isZoneOpen ? html` data-zone-open` : ''}>
<head>
  <meta charset="utf-8">
  <meta name="color-scheme" content="light dark">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <meta name="htmx-config" content="${htmxConfig}">
  <title>${printable(page.title)}</title>
  <link rel="expect" href="#question" blocking="render">
  ${looks(files, forPeople.review + forPeople.unapproved > 0)}
  ${scriptsOf(page).map((name) => html`<script type="module" src="${files(name)}"></script>\n  `)}<script src="${files('htmx.js')}" defer></script>
</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
<header class="top">
  <div>
    <a class="brand" href="${link('/campaigns')}">${mark()} Campaign Runner</a>
    <nav aria-label="Main">
      ${entries.map((entry) => menuEntry(request, entry, forPeople))}
    </nav>
    <span id="clock" role="status" title="${times}">As of ${clockWithSeconds(now, zone)}</span>
    ${search(request)}
    ${ownMenu(request, [times, `Version ${version}`])}
  </div>
</header>
<main id="main"${live}>
${isWrong(told) ? changeNotice(request, told, 'notice') : ''}
${page.main}
${told && !isWrong(told) && changeNotice(request, told, 'notice toast')}
</main>
<dialog id="question" aria-labelledby="question-title"></dialog>
${iconShapes()}
</body>
</html>
`;
}

/** They come before htmx: the first event of a stream may arrive before other scripts have loaded. */
function scriptsOf({ stream, scripts = [] }: Page): readonly AssetName[] {
  return ['page.js', ...(stream === undefined ? [] : (['live.js'] as const)), ...scripts];
}

/** Icon, with a dot if something waits for a person; stylesheet and font. The font is fetched at once: otherwise only when the stylesheet has come. */
function looks(files: FileAddress, isWaiting = false): Html {
  return html`<link rel="icon" href="${files(isWaiting ? 'mark-waiting.svg' : 'mark.svg')}">
  <link rel="preload" href="${files('inter.woff2')}" as="font" type="font/woff2" crossorigin>
  <link rel="stylesheet" href="${files('console.css')}">`;
}

function isWrong(told: Notice | undefined): told is Notice {
  return told?.state === 'failed' || told?.state === 'warning';
}

/**
 * What came of a change, with the button that takes it back. A toast goes away by itself. It stands behind all other buttons: Enter in a
 * field presses the first one of its form.
 */
function changeNotice(request: PageRequest, told: Notice, className: 'notice' | 'notice toast'): Html {
  const canUndo = told.undo !== undefined && mayUndo(request, told.undo);
  return notice(told, canUndo && undoButton(request, told.undo), className);
}

/** An approver decides approvals, and edits nothing. */
function mayUndo(request: PageRequest, { path }: Undo): boolean {
  return mayDo(request, path.startsWith('/approvals/') ? 'approve' : 'edit');
}

function undoButton(request: PageRequest, { label, path, form: id, fields = {} }: Undo): Html {
  if (id !== undefined)
    return html`<button form="${id}" formaction="${request.link(path)}">${label}</button>`;
  const kept = Object.entries(fields).map(([name, value]) => hidden(name, value));
  return form(request, { path, body: html`${kept}<button>${label}</button>` });
}

/** Switches off `eval` and inline styles, which the content security policy forbids. What a person has opened stays open in live parts. */
const htmxConfig = JSON.stringify({
  includeIndicatorCSS: false,
  defaultTimeout: 30_000,
  morphIgnore: ['data-htmx-powered', 'open'],
  sse: { reconnectMaxDelay: 10_000 },
});

/** Puts the zone into a stream's path. The first page does not know the browser's zone yet, and live parts must show the same times. */
function withZone(path: string, zone: string): string {
  return `${path}${path.includes('?') ? '&' : '?'}${new URLSearchParams({ zone })}`;
}

function menuEntry(
  request: PageRequest,
  { path, name }: Entry,
  { review, unapproved }: Surroundings['forPeople'],
): Html {
  const many = path === '/review' ? review : path === '/approvals' ? unapproved : 0;
  const noun = path === '/review' ? 'row' : 'post';
  const waiting =
    many > 0 &&
    html` <b${path === '/review' && html` id="in-review"`}>${thousands(many)}<span class="hidden"> ${many === 1 ? noun : `${noun}s`} to decide</span></b>`;
  return html`<a href="${request.link(path)}"${currentIf(request, path)}>${name}${waiting}</a>`;
}

function currentIf({ path: shown }: PageRequest, path: string): Html | false {
  return path === `/${shown.split(/[/?]/, 2)[1]}` && html` aria-current="page"`;
}

/** Over all campaigns and their rows; on the page that it leads to, it shows what was searched for. */
function search({ link, path, query }: PageRequest): Html {
  const text = path.split('?')[0] === '/campaigns' ? (query.get('q') ?? '') : '';
  return html`<form class="seek" role="search" aria-label="Everything" action="${link('/campaigns')}">
      ${icon('search')}<input id="q" type="search" name="q" value="${text}" maxlength="${longestSearch}" placeholder="Find campaigns and rows" aria-label="Find campaigns and rows" title="Campaigns by name, id or creator; rows by words of key, creator, caption or product">
      <kbd aria-hidden="true">/</kbd>
    </form>`;
}

/** Who this is, and what only some people need. @param facts about the page. */
function ownMenu(request: PageRequest, facts: readonly string[]): Html {
  const { person, link } = request;
  const others = [
    ...(mayDo(request, 'manage') ? ownEntries : []),
    { path: '/board', name: 'Bull Board' },
    { path: '/api/v1/openapi.json', name: 'API' },
  ];
  const name = person.isAnybody ? '' : `${person.name}, ${person.role}`;
  return html`<details class="menu who">
      <summary class="button bare" aria-label="${name === '' ? 'More pages' : `Menu of ${name}`}">${name === '' ? icon('more') : html`<b>${[...person.name][0]?.toUpperCase()}</b>`}</summary>
      <ul>${[name, ...facts].map((fact) => fact && html`<li><small>${words(fact)}</small></li>`)}
        ${others.map(({ path, name: title }, index) => html`<li${index === 0 && html` class="apart"`}><a href="${link(path)}">${title}</a></li>`)}
        ${!person.isAnybody && html`<li class="apart">${form(request, { path: '/sign-out', body: html`<button>Sign out</button>` })}</li>`}
      </ul>
    </details>`;
}

/** A question as a page of its own, for browsers without scripts. */
export function questionMain(title: string, body: Html): Html {
  return html`<section class="card question"><h1 id="question-title">${words(title)}</h1>${body}</section>`;
}

/** @param more `reloadSeconds`: the browser reloads the page after this time. `script`: of the page. `top`: its head. */
export function plainPage(
  files: FileAddress,
  title: string,
  body: Html,
  {
    reloadSeconds,
    script,
    top = '',
  }: {
    readonly reloadSeconds?: number;
    readonly script?: AssetName | undefined;
    readonly top?: Html | string;
  } = {},
): Html {
  const reload =
    reloadSeconds === undefined ? '' : html`<meta http-equiv="refresh" content="${reloadSeconds}">`;
  return html`<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="color-scheme" content="light dark">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  ${reload}
  <title>${title}</title>
  ${looks(files)}
  ${script === undefined ? '' : html`<script type="module" src="${files(script)}"></script>`}
</head>
<body>
${top}<main id="main">
${body}
</main>
${iconShapes()}
</body>
</html>
`;
}

export function brand(): Html {
  return html`<p class="brand">${mark()} Campaign Runner</p>`;
}
