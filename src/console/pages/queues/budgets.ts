/** Budgets: how often each call may be made, how much of it is in use, and a form to change it. */
import { html } from 'hono/html';
import { operationFacts } from '../../../api/contract/operations.ts';
import type { ShownBudget } from '../../../campaigns/budgets.ts';
import type { BudgetStatus } from '../../../queues/budget-book.ts';
import type { QueueName } from '../../../queues/queues.ts';
import { describeDuration } from '../../../runtime/wording.ts';
import type { Html } from '../../html.ts';
import type { LiveParts } from '../../live/hub.ts';
import { budgetsPath } from '../../parts/address.ts';
import { form, hidden, mayChange, options } from '../../parts/form.ts';
import { bar, stepNames } from '../../parts/state.ts';
import { n, table, tabs } from '../../parts/table.ts';
import type { PageRequest } from '../../request.ts';

export interface BudgetsSeen {
  readonly account: string;
  readonly accounts: readonly string[];
  readonly budgets: readonly ShownBudget[];
}

export function budgetsSection(request: PageRequest, { account, accounts, budgets }: BudgetsSeen): Html {
  const { link } = request;
  const views = accounts.map(
    (name) => [`Account ${name}`, link(budgetsPath(name)), name === account] as const,
  );
  const sorted = [...budgets].sort(
    (one, other) => operationOrder.indexOf(one.operation) - operationOrder.indexOf(other.operation),
  );
  return html`<section aria-labelledby="budgets">
    <div class="section"><h2 id="budgets">Budgets</h2>
      ${accounts.length > 1 && tabs('Account', views)}</div>
    <p class="note">How often each call may be made, by all workers together. A change takes effect within 2 seconds, and lasts until it is reset. ${mayChange(request) ? '' : 'An operator can change it.'}</p>
    ${table({
      of: 'budgets',
      className: 'middle',
      heads: ['Call', 'In use now', 'Limit', n('In the settings'), 'Now'],
      lines: sorted.map((budget) => line(request, account, budget)),
    })}
  </section>`;
}

/** The live parts of the table. The forms between them are left as they are. */
export function liveBudgets(budgets: readonly ShownBudget[]): LiveParts {
  return Object.fromEntries(
    budgets.flatMap((budget) => [
      [`use-${budget.operation}`, use(budget)],
      [`now-${budget.operation}`, effect(budget)],
    ]),
  );
}

function line(request: PageRequest, account: string, shown: ShownBudget): Html {
  const { operation, budget, configured, isChanged } = shown;
  const title = operationTitle(operation);
  const reset = html` <button class="plain" form="b-${operation}" name="reset" value="1" formnovalidate aria-label="Reset ${title}">Reset</button>`;
  return html`<tr>
    <th scope="row">${title}<small><code>${operation}</code></small></th>
    <td class="use">${use(shown)}</td>
    <td>${mayChange(request) ? limitForm(request, account, shown) : describeRate(budget.perSecond)}</td>
    <td class="n">${describeRate(configured.perSecond)}${isChanged && mayChange(request) ? reset : ''}</td>
    <td class="why">${effect(shown)}</td>
  </tr>`;
}

function use(shown: ShownBudget): Html {
  return html`<div id="use-${shown.operation}">${useBar(shown)}</div>`;
}

function limitForm(request: PageRequest, account: string, { operation, budget }: ShownBudget): Html {
  const unit = unitOf(budget.perSecond);
  const title = operationTitle(operation);
  return form(request, {
    path: `/queues/budgets/${operation}`,
    id: `b-${operation}`,
    className: 'rate',
    body: html`${hidden('account', account)}<input type="number" name="rate" value="${inUnit(budget.perSecond, unit)}" min="0.1" step="any" required aria-label="Rate of ${title}"> a <select name="per" aria-label="Unit of ${title}">${options(perUnit, unit.short)}</select> <button>Set</button>`,
  });
}

/** The effect of recent 429s on the budget, and whether calls had to wait lately. */
function effect({ operation, budget, share, pausedMs, throttledForMs, shortMsAgo }: ShownBudget): Html {
  const waits = shortMsAgo !== undefined && shortMsAgo < recentMs;
  const parts = [
    ...(pausedMs > 0 ? [`429 (too many requests): pauses for ${describeDuration(pausedMs)}`] : []),
    ...(share < 1 ? [`after a 429: at ${describeRate(budget.perSecond * share)}`] : []),
    ...(throttledForMs === undefined ? [] : [`only 429s for ${describeDuration(throttledForMs)}`]),
    ...(waits ? ['calls waited for their turn'] : []),
  ];
  return html`<small id="now-${operation}">${parts.join(', ')}</small>`;
}

/** A queue that is out of budget tries again after about half a minute; calls that waited in this time count as recent. */
const recentMs = 35_000;

const units = [
  { unit: 'second', short: 's', perSecond: 1 },
  { unit: 'minute', short: 'min', perSecond: 1 / 60 },
  { unit: 'hour', short: 'h', perSecond: 1 / 3600 },
] as const;

const perUnit = units.map(({ unit, short }) => [short, unit] as const);

/** The smallest unit in which a rate is at least one call. */
function unitOf(perSecond: number) {
  return units.find((each) => perSecond / each.perSecond >= 0.9995) ?? units[2];
}

/** Calls per unit, with one decimal at most. */
function inUnit(perSecond: number, unit: (typeof units)[number]): string {
  const calls = perSecond / unit.perSecond;
  return String(Number(calls.toFixed(calls < 100 ? 1 : 0)));
}

/** `20 a minute`. */
export function describeRate(perSecond: number): string {
  const unit = unitOf(perSecond);
  return `${inUnit(perSecond, unit)} ${unit.unit === 'hour' ? 'an' : 'a'} ${unit.unit}`;
}

type Use = Pick<BudgetStatus, 'budget' | 'usedPerSecond'>;

/** How much of a budget is in use: a bar, and `18 of 20 a minute`. */
export function useBar({ budget: { perSecond }, usedPerSecond }: Use): Html {
  const percent = Math.round(Math.min(100, (usedPerSecond / perSecond) * 100));
  const used = inUnit(usedPerSecond, unitOf(perSecond));
  return html`${bar([['running', usedPerSecond]], perSecond, `${percent} % in use`, 'thin')}<small>${used} of ${describeRate(perSecond)}</small>`;
}

/** In the order of the page: first the queues that a row goes through. */
export const queueTitles: Readonly<Record<QueueName, string>> = {
  ...stepNames,
  scrape: 'Videos',
  campaign: 'Admission',
  notify: 'Notifications',
};

export function operationTitle(operation: string): string {
  return new Map(Object.entries(operationFacts)).get(operation)?.title ?? operation;
}

/** Name within a sentence: `posts`. `AI generations` keeps its capitals. */
export function operationWord(operation: string): string {
  const title = operationTitle(operation);
  return /^[A-Z][a-z]/.test(title) ? `${title.charAt(0).toLowerCase()}${title.slice(1)}` : title;
}

/** Operations that rows wait for come first. */
export const operationOrder = Object.keys(operationFacts);

export function queueTitle(name: string): string {
  return new Map<string, string>(Object.entries(queueTitles)).get(name) ?? name;
}
