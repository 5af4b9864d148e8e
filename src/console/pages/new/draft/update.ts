/** The parts of a draft's page for a sheet that updates a campaign: what becomes of the rows, what changes, and the button. */
import { type PlannedUpdate, rowsOf } from '../../../../app/campaigns/import/update.ts';
import type { ChangedRow } from '../../../../importers/update/changed-cells.ts';
import type { Match, MatchedRows, SheetMatches } from '../../../../importers/update/match-rows.ts';
import { type Html, html, words } from '../../../html.ts';
import { type Point, point, section, table } from '../../../parts/blocks.ts';
import { hiddenFields, mayChange } from '../../../parts/form.ts';
import { count } from '../../../parts/numbers.ts';
import type { ShownState } from '../../../parts/state.ts';
import { action, type ShownDraft } from './shown.ts';

/** What becomes of the rows, in place of the plan of a new campaign. */
export function updateSection({ checked }: ShownDraft): Html {
  const { update, isOutdated } = checked;
  if (update === undefined) return html`<div id="draft-plan"></div>`;
  const { matches, unread, changes, ignored, absent } = update;
  const list = html`${changesSection('ignored', ignored, matches.edited.count)}<ul class="points">${outcomes(matches, unread, absent).map(point)}</ul>${changesSection('changes', changes, matches.changed.count)}`;
  const note = isOutdated ? 'It is being updated with your edits.' : '';
  return section({ part: 'draft-plan', id: 'plan', title: 'What becomes of the rows', note }, list);
}

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

function keysOf({ count: rows, keys }: MatchedRows): string {
  const shown = keys.slice(0, keysShown);
  return `${shown.join(', ')}${shown.length < rows ? ', …' : ''}`;
}

function outcomes(matches: SheetMatches, unread: string | undefined, absent: MatchedRows): readonly Point[] {
  const found: Point[] = (Object.keys(verdicts) as Match[])
    .filter((match) => matches[match].count > 0)
    .map((match) => {
      const rows = matches[match].count;
      const [state, many, one = many] = verdicts[match];
      const why = match === 'unread' && unread !== undefined ? `: ${unread}` : '';
      const what = html`<b>${count(rows, 'row')} ${rows === 1 ? one : many}</b>`;
      return { state, what, more: `${keysOf(matches[match])}${why}` };
    });
  if (absent.count > 0) {
    const what = html`<b>${count(absent.count, 'row')} of the campaign ${absent.count === 1 ? 'is' : 'are'} not in this sheet</b>`;
    const post = absent.count === 1 ? 'It stays as it is: a post' : 'They stay as they are: posts';
    found.push({
      state: 'warning',
      what,
      more: `${keysOf(absent)}. ${post} that the service has accepted can be deleted there.`,
    });
  }
  const { edited } = matches;
  if (edited.count === 0) return found;
  // New cells of rows that are left alone are ignored.
  const of = edited.count === 1 ? 'that stays unchanged was edited' : 'that stay unchanged were edited';
  const what = html`<b>${count(edited.count, 'row')} ${of} in the sheet: the change is ignored</b>`;
  return [...found, { state: 'warning', what, more: keysOf(edited) }];
}

const titles = { changes: 'What changes', ignored: 'Edits that are ignored' } as const;

/** Old and new texts of the first rows that change, or whose edits are ignored. */
function changesSection(of: keyof typeof titles, changes: readonly ChangedRow[], all: number): Html | string {
  const shown = changes.filter(({ cells }) => cells.length > 0);
  if (shown.length === 0) return '';
  const left = all - shown.length;
  const lines = ({ key, note = '', cells }: ChangedRow) =>
    cells.map(
      ({ column, was, is }, index) =>
        html`<tr>${index > 0 ? '' : html`<th scope="row" rowspan="${cells.length}"><code>${key}</code>${note && ` ${note}`}</th>`}<td>${words(column)}</td><td>${textOf(was)}</td><td>${textOf(is)}</td></tr>`,
    );
  return section(
    { id: of, title: titles[of] },
    html`${of === 'ignored' ? html`<p class="note">These rows stay as they are. Change an accepted post in the service.</p>` : ''}${table(
      {
        of,
        heads: of === 'changes' ? ['Row', 'Column', 'Was', 'Is'] : ['Row', 'Column', 'Stays', 'In the sheet'],
        lines: shown.flatMap(lines),
      },
    )}
    ${left > 0 ? html`<p class="note">${count(left, 'more row')} ${left === 1 ? 'is' : 'are'} not listed.</p>` : ''}`,
  );
}

const longestText = 300;

function textOf(text: string): Html | string {
  if (text === '') return html`<span class="none">empty</span>`;
  return text.length > longestText ? html`${words(text.slice(0, longestText))}…` : words(text);
}

/** The numbers of rows that the person has seen. */
export function agreedFields(posts: number, matches: SheetMatches): readonly Html[] {
  return hiddenFields(
    Object.entries({ posts, ...rowsOf(matches) }).map(([name, rows]) => [name, String(rows)]),
  );
}

/** What the update does with the rows, for the question before it. */
export function updateFacts({
  matches,
  absent,
  campaign,
}: PlannedUpdate): readonly (readonly [string, string])[] {
  const of = (rows: MatchedRows) => `${count(rows.count, 'row')}: ${keysOf(rows)}`;
  const facts: (readonly [string, MatchedRows])[] = [
    ['Added', matches.new],
    ['Sent as in the new sheet', matches.changed],
    ['Retried', matches.redone],
    ['Edited, but unchanged', matches.edited],
    ['No longer in the sheet, but unchanged', absent],
  ];
  const found = facts.flatMap(([what, rows]) => (rows.count === 0 ? [] : [[what, of(rows)] as const]));
  return campaign.state === 'paused'
    ? [...found, ['The campaign is paused', 'nothing is sent until it is resumed']]
    : found;
}

/** The summary of the update, and its button. */
export function updateDock(shown: ShownDraft): Html {
  const { request, view, checked } = shown;
  const { update, accepted, refused, leftOut, blocking, plan, isOutdated } = checked;
  const { leaveOutProblems } = view.draft.options;
  const out = leftOut + (leaveOutProblems ? refused : 0);
  const facts = [
    ...(plan.aiOutputs.total > 0 ? [`${count(plan.aiOutputs.total, 'AI output')}, paid for`] : []),
    ...(isOutdated ? ['the plan is being updated'] : []),
    ...(update?.campaign.state === 'paused' ? ['the campaign is paused: they wait until it is resumed'] : []),
    ...(refused > 0 && !leaveOutProblems ? [`${count(refused, 'row')} to fix`] : []),
    ...(out > 0 ? [`${count(out, 'row')} skipped`] : []),
    ...(update && update.matches.edited.count > 0
      ? [`edits of ${count(update.matches.edited.count, 'row')} ignored`]
      : []),
  ];
  const ask = action(shown, '/ask');
  return html`<div class="dock" id="draft-dock">
    ${update && agreedFields(accepted, update.matches)}
    <p><b>${count(accepted, 'row')} to send</b> ${facts.map((fact) => html`<span>${fact}</span> `)}</p>
    ${button()}
  </div>`;

  function button(): Html {
    if (!mayChange(request)) return html`<p>An operator can update this campaign.</p>`;
    if (blocking.length > 0) return html`<p>The sheet as a whole has a problem: see above.</p>`;
    // Results are written into it from now on, with the notes that are new in it.
    if (accepted === 0 && refused === 0 && update?.absent.count === 0)
      return html`<button>Keep this sheet for the results</button>`;
    if (accepted === 0) return html`<p>No row of this sheet would be sent.</p>`;
    if (refused > 0 && !leaveOutProblems) {
      return html`<button ${ask} class="primary" name="skip" value="yes">Update ${count(accepted, 'row')} now, and fix ${refused === 1 ? 'the other one' : `the other ${refused}`} later…</button>`;
    }
    return html`<button ${ask} class="primary">Update ${count(accepted, 'row')}…</button>`;
  }
}
