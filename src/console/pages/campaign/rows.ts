/** The rows of a campaign: filtered, paged, chosen. */
import { html } from 'hono/html';
import { rowState, stepName } from '../../../campaigns/documents/campaign.ts';
import type { Cause } from '../../../campaigns/repair/causes.ts';
import { textsAtOnce } from '../../../campaigns/rows/find.ts';
import { type ListedRow, listRows, type RowPage } from '../../../campaigns/rows/list.ts';
import type { Campaign } from '../../../ledger/campaigns.ts';
import type { RowState, Step } from '../../../ledger/states.ts';
import { presentable } from '../../../manifest/presentable.ts';
import type { Html } from '../../html.ts';
import { form, mayChange } from '../../parts/form.ts';
import { words } from '../../parts/language.ts';
import { count, moment, number } from '../../parts/numbers.ts';
import { empty } from '../../parts/points.ts';
import { shownRowStates, stateBadge, wordOf } from '../../parts/state.ts';
import type { PageRequest } from '../../request.ts';
import { stepNames } from './steps.ts';

const rowsAPage = 50;
const longestFilter = 200;

interface Asked {
  readonly state: RowState | undefined;
  readonly step: Step | undefined;
  readonly code: string | undefined;
  readonly creator: string | undefined;
  readonly text: string | undefined;
}

function readFilter(query: URLSearchParams): Asked {
  const text = (name: string) => query.get(name)?.trim().slice(0, longestFilter) || undefined;
  return {
    state: rowState.options.find((state) => state === query.get('state')),
    step: stepName.options.find((step) => step === query.get('step')),
    ...{ code: text('code'), creator: text('creator'), text: text('text') },
  };
}

export async function rowsSection(
  request: PageRequest,
  campaign: Campaign,
  causes: readonly Cause[],
): Promise<Html> {
  const filter = readFilter(request.query);
  const descending = request.query.get('sort') === '-line';
  const from = request.query.has('from') ? Number(request.query.get('from')) || 0 : undefined;
  const page = await listRows(request.runtime, campaign.id, { filter, from, limit: rowsAPage, descending });
  const all = number(campaign.rows);
  return html`<section aria-labelledby="rows">
    <div class="section"><h2 id="rows">Rows</h2><p>${page.total === undefined ? all : `${number(page.total)} of ${all}`}</p></div>
    ${filters(request, filter, causes)}
    ${page.rows.length === 0 ? nothing(request, campaign, filter, page) : table(request, page, descending)}
  </section>`;
}

function filters({ link, params }: PageRequest, filter: Asked, causes: readonly Cause[]): Html {
  const option = (value: string, name: string, chosen: string | undefined) =>
    html`<option value="${value}"${value === chosen ? html` selected` : ''}>${presentable(name)}</option>`;
  const codes = [...new Set([...causes.map(({ code }) => code), ...(filter.code ? [filter.code] : [])])];
  return html`<form class="filters" action="${link(`/campaigns/${params.id}#rows`)}">
    <label>State<select name="state"><option value="">All</option>${shownRowStates.map((state) => option(state, wordOf(state), filter.state))}</select></label>
    <label>Step<select name="step"><option value="">All</option>${stepName.options.map((step) => option(step, stepNames[step], filter.step))}</select></label>
    <label>Cause<select name="code"><option value="">All</option>${codes.map((code) => option(code, code, filter.code))}</select></label>
    <label>Creator<input name="creator" value="${filter.creator ?? ''}"></label>
    <label class="wide">Text<input type="search" name="text" value="${filter.text ?? ''}" placeholder="Key, caption or product"></label>
    <button>Filter</button>
  </form>`;
}

function addressOf({ link, params, query }: PageRequest, changes: Readonly<Record<string, string>>): string {
  const next = new URLSearchParams([...query].filter(([, value]) => value !== ''));
  for (const [name, value] of Object.entries(changes)) {
    if (value === '') next.delete(name);
    else next.set(name, value);
  }
  return link(`/campaigns/${params.id}?${next}#rows`);
}

function nothing(request: PageRequest, campaign: Campaign, filter: Asked, { next }: RowPage): Html {
  if (next !== undefined) return goOn(request, next);
  const names = Object.entries(filter).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name} ${value}`],
  );
  return empty(
    html`<b>No row fits.</b> ${names.length === 0 ? '' : words(`${names.join(', ')}.`)}`,
    html`<p class="actions"><a class="button" href="${request.link(`/campaigns/${campaign.id}#rows`)}">Show all ${count(campaign.rows, 'row')}</a></p>`,
  );
}

/** A search looks at a part of the sheet at a time. */
function goOn(request: PageRequest, next: number): Html {
  return html`<p class="note">Nothing found in these ${number(textsAtOnce)} rows. <a class="button" href="${addressOf(request, { from: String(next) })}">Go on from row ${number(next + 1)}</a></p>`;
}

function table(request: PageRequest, page: RowPage, descending: boolean): Html {
  const { campaign, rows, next } = page;
  const choose = mayChange(request);
  const sorted = descending ? 'descending' : 'ascending';
  const body = html`<div class="scroller" role="group" aria-labelledby="rows" tabindex="0">
    <table class="rows">
      <thead><tr>
        ${choose ? html`<th scope="col"><input type="checkbox" name="page" aria-label="Select the ${rows.length} rows of this page"></th>` : ''}
        <th scope="col" aria-sort="${sorted}"><a href="${addressOf(request, { sort: descending ? '' : '-line', from: '' })}">Row</a> ${descending ? '↓' : '↑'}</th>
        <th scope="col">State</th><th scope="col">What happened</th><th scope="col">Creator</th>
        <th scope="col">Caption</th><th scope="col">Product</th>
        <th scope="col" class="n">Scheduled</th><th scope="col" class="n">Changed</th>
      </tr></thead>
      <tbody>${rows.map((row) => line(request, campaign, row, choose))}</tbody>
    </table>
  </div>
  <nav class="pager" aria-label="Pages">
    <span>${request.query.has('from') ? html`<a href="${addressOf(request, { from: '' })}">First page</a>` : ''}</span>
    <span>${next === undefined ? 'End of the rows' : html`<a class="button" href="${addressOf(request, { from: String(next) })}">Next ${rowsAPage} rows</a>`}</span>
  </nav>
  ${choose ? dock(request, campaign) : ''}`;
  return choose
    ? form(request, { path: `/campaigns/${campaign.id}/retry`, className: 'choose rowform', body })
    : body;
}

function dock({ link }: PageRequest, { id, counts }: Campaign): Html {
  const review =
    counts.review === 0
      ? ''
      : html`<button formmethod="get" formaction="${link('/review')}" name="campaign" value="${id}">Decide…</button>`;
  return html`<div class="dock actions"><p><b><span class="howmany"></span> rows selected</b> <span>Failed rows can be retried, rows in review decided; the others are left alone.</span></p> ${review} <button formmethod="get">Retry…</button></div>`;
}

function line({ link, zone, now }: PageRequest, { id }: Campaign, row: ListedRow, choose: boolean): Html {
  const { key, state, error, result, creator, caption, product, scheduledAt } = row;
  const said = error?.message ?? (result?.postStatus ? result.postStatus.toLowerCase() : '');
  const changed = error?.at ?? result?.at;
  return html`<tr>
    ${choose ? html`<td><input type="checkbox" class="chosen" name="row" value="${key}" aria-label="Select ${key}"></td>` : ''}
    <th scope="row"><a href="${link(`/campaigns/${id}/rows/${encodeURIComponent(key)}`)}"><code>${key}</code></a></th>
    <td>${stateBadge(state)}${error ? html`<small class="in">${stepNames[error.step]}</small>` : ''}</td>
    <td class="said">${words(said)}</td>
    <td>${words(creator)}</td>
    <td class="caption">${words(caption)}</td>
    <td>${words(product)}</td>
    <td class="n">${scheduledAt === undefined ? 'none' : moment(scheduledAt, zone, now)}</td>
    <td class="n">${changed === undefined ? '' : moment(changed, zone, now)}</td>
  </tr>`;
}
