/** Takes a mended sheet into its campaign: upload, then the plan, then one button. */
import { findCampaign } from '../../../../campaigns/find.ts';
import { type MergedAsPlanned, mergeAsPlanned, planInto, rowsOf } from '../../../../campaigns/import/into.ts';
import type { ChangedCell, ChangedRow } from '../../../../importers/into/changed-cells.ts';
import type { Match, MatchedRows, SheetMatches } from '../../../../importers/into/match-rows.ts';
import { type Html, html, words } from '../../../html.ts';
import { type Point, section, table } from '../../../parts/blocks.ts';
import {
  type Asked,
  ask,
  asksFirst,
  type Change,
  confirmForm,
  done,
  hidden,
  sheetField,
} from '../../../parts/form.ts';
import { count } from '../../../parts/numbers.ts';
import { chosenEncoding } from '../../../parts/sheets.ts';
import type { ShownState } from '../../../parts/state.ts';
import type { Answer, Page, Route } from '../../../request.ts';
import { ofCampaign } from '../actions.ts';
import {
  addressOf,
  agreeForm,
  backToCampaign,
  type Handed,
  keepSheet,
  keysOf,
  planPage,
  planRoutes,
  type SheetUse,
} from './plan.ts';

const into: SheetUse<MergedAsPlanned> = {
  kind: 'into',
  crumb: 'sheet',
  heading: (sheet, campaign) => `${sheet} into ${campaign}`,
  plans: (plans) => plans.into,
  make: (handed, onRead) =>
    planInto(handed.request.runtime, handed.sheet, handed.campaign.id, { onRead, ...optionsOf(handed) }),
  show: showPlan,
  carryOut: merge,
};

const upload: Change = {
  ...ofCampaign,
  path: '/campaigns/:id/into',
  takesSheet: true,
  ask: async ({ runtime, params }) => askInto(await findCampaign(runtime, params.id ?? '')),
  carryOut: async (request) => {
    const { id } = await findCampaign(request.runtime, request.params.id ?? '');
    return request.sheet === undefined ? ask(request, upload) : keepSheet(request.sheet, id, 'into');
  },
};

export const intoRoutes: readonly Route[] = [...asksFirst(upload), ...planRoutes(into)];

function askInto({ name }: { readonly name: string }): Asked {
  return {
    title: `Update ${name} with a corrected sheet`,
    text: html`<p>Rows are matched by their key. New rows are added, failed and changed rows are retried, posted rows stay unchanged. You see the plan before anything is sent.</p>`,
    isUpload: true,
    fields: sheetField(),
    back: 'Back',
    button: 'See the plan',
  };
}

function optionsOf({ request, place }: Handed) {
  return { again: place.reading.again === 'yes', sheet: { encoding: chosenEncoding(request) } };
}

function showPlan(handed: Handed, planned: MergedAsPlanned): Page {
  const { matches, check, changes, unread, kind } = planned;
  const { kept, total } = check.problems;
  const all = { kept: [...check.blocking, ...kept], total: total + check.blocking.length };
  return planPage(handed, into, {
    title: askInto(planned.campaign).title,
    about: `${count(check.rows, 'row')} in the sheet. Nothing has been changed.`,
    changed: kind === 'changed' ? changed : undefined,
    problems: kind === 'problems' ? all : undefined,
    points: outcomes(matches, unread),
    rest: html`${changesSection(changes, matches.changed.count)}${kind === 'problems' ? html`${postAgain(handed, planned)}${mended(handed)}` : start(handed, planned)}`,
  });
}

const changed = {
  text: 'The campaign has changed since the plan was made.',
  more: 'This is the plan as it is now. Nothing was sent.',
} as const;

/** `one`: the text for a single row, if it differs. */
const verdicts: Readonly<Record<Match, readonly [state: ShownState, text: string, one?: string]>> = {
  new: ['running', 'new: added'],
  changed: ['running', 'changed: sent as in the new sheet'],
  redone: ['running', 'failed: retried'],
  posted: ['posted', 'already posted, unchanged'],
  running: ['waiting', 'already started, unchanged'],
  unchanged: ['waiting', 'waiting, unchanged'],
  cancelled: ['cancelled', 'cancelled, unchanged'],
  review: ['review', 'in review: decide about them first', 'in review: decide about it first'],
  unread: [
    'warning',
    'failed, unchanged: their posts could not be looked up',
    'failed, unchanged: its post could not be looked up',
  ],
};
const keysShown = 8;

function outcomes(matches: SheetMatches, unread: string | undefined): readonly Point[] {
  const keys = ({ count: rows, keys }: MatchedRows) => keysOf(keys.slice(0, keysShown), rows);
  const found = (Object.keys(verdicts) as Match[])
    .filter((match) => matches[match].count > 0)
    .map((match) => {
      const rows = matches[match].count;
      const [state, many, one = many] = verdicts[match];
      const why = match === 'unread' && unread !== undefined ? `: ${unread}` : '';
      const what = html`<b>${count(rows, 'row')} ${rows === 1 ? one : many}</b>`;
      return { state, what, more: `${keys(matches[match])}${why}` };
    });
  const { edited } = matches;
  if (edited.count === 0) return found;
  // New cells of rows that are left alone are ignored.
  const of = edited.count === 1 ? 'that stays unchanged was edited' : 'that stay unchanged were edited';
  const what = html`<b>${count(edited.count, 'row')} ${of} in the sheet: the change is ignored</b>`;
  return [...found, { state: 'warning', what, more: keys(edited) }];
}

/** Old and new texts of the first changed rows. */
function changesSection(changes: readonly ChangedRow[], all: number): Html | string {
  const shown = changes.filter(({ cells }) => cells.length > 0);
  if (shown.length === 0) return '';
  const left = all - shown.length;
  const line = (key: string, { column, was, is }: ChangedCell, rows: number | undefined) =>
    html`<tr>${rows === undefined ? '' : html`<th scope="row" rowspan="${rows}"><code>${key}</code></th>`}<td>${words(column)}</td><td>${textOf(was)}</td><td>${textOf(is)}</td></tr>`;
  return section(
    { id: 'changes', title: 'What changes' },
    html`${table({
      of: 'changes',
      heads: ['Row', 'Column', 'Was', 'Is'],
      lines: shown.flatMap(({ key, cells }) =>
        cells.map((cell, index) => line(key, cell, index === 0 ? cells.length : undefined)),
      ),
    })}
    ${left > 0 ? html`<p class="note">${count(left, 'more row')} ${left === 1 ? 'is' : 'are'} not listed.</p>` : ''}`,
  );
}

const longestText = 300;

function textOf(text: string): Html | string {
  if (text === '') return html`<span class="none">empty</span>`;
  return text.length > longestText ? html`${words(text.slice(0, longestText))}…` : words(text);
}

/** If the only problems are posts of other campaigns: the plan with them. */
function postAgain({ request, place }: Handed, { check }: MergedAsPlanned): Html | string {
  const { total, byCode } = check.problems;
  const rows = byCode.get('already_posted') ?? 0;
  if (rows === 0 || rows < total) return '';
  const address = request.link(addressOf(place, '', 'yes'));
  return html`<p class="actions"><a class="button" href="${address}">See the plan with ${count(rows, 'row')} posted again</a></p>`;
}

function mended({ request, campaign }: Handed): Html {
  const { text, ...asked } = askInto(campaign);
  const home = `/campaigns/${campaign.id}`;
  return html`<section class="card" aria-labelledby="again"><h2 id="again">The corrected sheet</h2>${text}${confirmForm(request, `${home}/into`, home, asked)}</section>`;
}

function start(handed: Handed, { campaign, matches, check }: MergedAsPlanned): Html {
  const rows = rowsOf(matches);
  const all = rows.new + rows.changed + rows.redone;
  if (all === 0) return html`<p>No row of this sheet would be sent.</p>${backToCampaign(handed)}`;
  const calls = Object.values(check.plan.calls).reduce((sum, each) => sum + each, 0);
  const outputs = check.plan.aiOutputs.total;
  const takes = `At least ${count(calls, 'call')}, ${outputs === 0 ? 'no AI outputs' : `${count(outputs, 'AI output')}, which ${outputs === 1 ? 'costs' : 'cost'}`}.`;
  const waits = ` The campaign is paused: ${all === 1 ? 'it waits' : 'they wait'} until it is resumed.`;
  return agreeForm(handed, {
    fields: html`${hidden('new', rows.new)}${hidden('changed', rows.changed)}${hidden('redone', rows.redone)}
      <p>${takes}${campaign.state === 'paused' ? waits : ''}</p>`,
    button: `Update ${count(all, 'row')}`,
  });
}

async function merge(handed: Handed): Promise<Answer> {
  const { request, campaign, sheet } = handed;
  const rows = (name: string) => Number(request.form.get(name) ?? Number.NaN);
  const agreed = { new: rows('new'), changed: rows('changed'), redone: rows('redone') };
  const options = { ...agreed, ...optionsOf(handed) };
  const merged = await mergeAsPlanned(request.runtime, sheet, campaign.id, options);
  if (merged.kind !== 'merged') return showPlan(handed, merged);
  const { moved } = merged;
  const taken = agreed.new + agreed.changed + agreed.redone - moved;
  const left = `${count(moved, 'row')} unchanged: a worker started ${moved === 1 ? 'it' : 'them'} meanwhile.`;
  return done(`/campaigns/${campaign.id}`, `${count(taken, 'row')} updated.`, moved === 0 ? undefined : left);
}
