/** The parts of a draft's page for a sheet that updates a campaign: what becomes of the rows, and what changes. */
import { mayDo } from '../../../../app/access/roles.ts';
import type { PlannedUpdate } from '../../../../app/campaigns/import/update.ts';
import type { MatchedRows } from '../../../../importers/update/match-group.ts';
import type { Match } from '../../../../importers/update/row-match.ts';
import type { ChangedRow } from '../../../../importers/update/update-pass.ts';
import { shortened } from '../../../../manifest/printable.ts';
import {
  describeAbsent,
  describePlace,
  describePlaces,
  matchedByPost,
  nameRows,
  otherKeys,
} from '../../../../manifest/problems/problem.ts';
import { capitalized, plural, thousands } from '../../../../manifest/wording.ts';
import { type Html, html, words } from '../../../html.ts';
import { type Point, point, section, table } from '../../../parts/blocks.ts';
import { hiddenFields } from '../../../parts/form.ts';
import type { ShownState } from '../../../parts/state.ts';
import { cancelLink, examineAbsent, withoutCancelled } from './absent.ts';
import type { ShownDraft } from './draft-view.ts';

/** What becomes of the rows, in place of the plan of a new campaign. */
export async function updateSection(shown: ShownDraft): Promise<Html> {
  const { request, checked } = shown;
  const { isOutdated } = checked;
  if (checked.update === undefined) return html`<div id="draft-plan"></div>`;
  const rows = await examineAbsent(request, checked.update);
  const update = withoutCancelled(checked.update, rows);
  const { matches, changes, isKeyless } = update;
  const cancel = mayDo(request, 'run') && cancelLink(shown, rows);
  const list = html`${ignoredEdits(update)}${outcomes(update, cancel)}${changesSection('changes', { changes, isKeyless }, matches.changed.count)}`;
  const note = isOutdated ? 'This list is being updated with your edits.' : '';
  return section({ part: 'draft-plan', id: 'plan', title: 'What happens to each row', note }, list);
}

/** `one`: the text for a single row, if it differs. */
const verdicts: Readonly<Record<Match, readonly [state: ShownState, text: string, one?: string]>> = {
  new: ['running', 'new: added'],
  changed: ['running', 'changed: sent as in the new sheet'],
  redone: ['running', 'failed: retried'],
  posted: ['posted', 'already posted or scheduled, unchanged'],
  running: ['waiting', 'already started, unchanged'],
  unchanged: ['waiting', 'waiting, unchanged'],
  cancelled: ['cancelled', 'cancelled, unchanged'],
  review: ['review', 'in review: decide about them first', 'in review: decide about it first'],
  unread: [
    'warning',
    'failed, and not retried: their earlier posts could not be looked up',
    'failed, and not retried: its earlier post could not be looked up',
  ],
  rejected: [
    'failed',
    'rejected: edit or retry them to ask for approval again',
    'rejected: edit or retry it to ask for approval again',
  ],
};
const keysShown = 8;

/** @param cancel what is offered for rows that the sheet lacks. */
export function outcomes(
  { matches, unread, skippedAgain, absent, rekeyed, isKeyless }: PlannedUpdate,
  cancel: Html | false = false,
): Html {
  const keysOf = (rows: MatchedRows) => {
    const names = nameRows(rows, isKeyless, keysShown);
    return isKeyless ? capitalized(names) : names;
  };
  const found: Point[] = (Object.keys(verdicts) as Match[])
    .filter((match) => matches[match].count > 0)
    .map((match) => {
      const rows = matches[match].count;
      const [state, many, one = many] = verdicts[match];
      const why =
        match === 'unread' && unread !== undefined
          ? `: ${unread}. Update again once they can be looked up.`
          : '';
      const what = html`<b>${plural(rows, 'row')} ${rows === 1 ? one : many}</b>`;
      return { state, what, more: `${keysOf(matches[match])}${why}` };
    });
  const { edited } = matches;
  if (edited.count > 0) {
    // New cells of rows that are left alone are ignored.
    const of = edited.count === 1 ? 'was edited' : 'were edited';
    const what = html`<b>${thousands(edited.count)} of these rows ${of} in the sheet, but cannot change now: ${edited.count === 1 ? 'the edit is' : 'the edits are'} ignored</b>`;
    found.push({ state: 'warning', what, more: keysOf(edited) });
  }
  if (rekeyed > 0) {
    const what = html`<b>${otherKeys(rekeyed)}</b>`;
    found.push({ state: 'warning', what, more: matchedByPost });
  }
  if (skippedAgain.count > 0) {
    const { count, rows } = skippedAgain;
    const shown = rows.slice(0, keysShown);
    found.push({
      state: 'cancelled',
      what: html`<b>${plural(count, 'row')} ${count === 1 ? 'is' : 'are'} skipped again, as in the last version</b>`,
      more: `${capitalized(describePlaces(shown, count - shown.length))}. To post one, include it on its page, or edit it in your sheet.`,
    });
  }
  if (absent.count > 0) {
    const what = html`<b>${describeAbsent(absent)}</b>`;
    const stay =
      absent.count === 1
        ? 'It stays in the campaign. If it waits, it will still be sent. If it is posted, you can delete the post in the service.'
        : 'They stay in the campaign. If they wait, they will still be sent. If they are posted, you can delete the posts in the service.';
    found.push({
      state: 'warning',
      what,
      more: html`${keysOf(absent)}${isKeyless ? ' of an earlier version' : ''}. ${stay} ${cancel}`,
    });
  }
  return html`<ul class="points">${found.map(point)}</ul>`;
}

const titles = { changes: 'What changes', ignored: 'Edits that are ignored' } as const;

/** They stand first: a planner believes that what she wrote is sent. */
export function ignoredEdits({ ignored, matches, isKeyless }: PlannedUpdate): Html | string {
  return changesSection('ignored', { changes: ignored, isKeyless }, matches.edited.count);
}

/** `2 edits ignored`; of more rows than are known one by one, `edits of 31 rows ignored`. @param count of rows. */
export function countIgnored(count: number, rows: readonly ChangedRow[]): string {
  const edits = rows.reduce((sum, { cells }) => sum + Math.max(1, cells.length), 0);
  return rows.length < count
    ? `edits of ${plural(count, 'row')} ignored`
    : `${plural(edits, 'edit')} ignored`;
}

/** Old and new texts of the first rows that change, or whose edits are ignored. */
export function changesSection(
  of: keyof typeof titles,
  { changes, isKeyless }: Pick<PlannedUpdate, 'changes' | 'isKeyless'>,
  all: number,
  title: string = titles[of],
): Html | string {
  const shown = changes.filter(({ cells }) => cells.length > 0);
  if (shown.length === 0) return '';
  const left = all - shown.length;
  const nameOf = (row: ChangedRow) =>
    isKeyless ? capitalized(describePlace(row)) : html`<code>${row.key}</code>`;
  const [was, is] = of === 'changes' ? ['Was', 'Is'] : ['Stays', 'In the sheet'];
  const lines = ({ note = '', cells, ...row }: ChangedRow) =>
    cells.map(
      (cell, index) =>
        html`<tr>${index > 0 ? '' : html`<th scope="row" rowspan="${cells.length}">${nameOf({ cells, ...row })}${note && ` ${note}`}</th>`}<td>${words(cell.column)}</td><td data-head="${was}">${textOf(cell.was)}</td><td data-head="${is}">${textOf(cell.is)}</td></tr>`,
    );
  return section(
    { id: of, title },
    html`${of === 'ignored' ? html`<p class="note">These rows stay as they are. Change a post in the service.</p>` : ''}${table(
      {
        of,
        className: 'stacked',
        heads: ['Row', 'Column', was, is],
        lines: shown.flatMap(lines),
      },
    )}
    ${left > 0 ? html`<p class="note">${plural(left, 'more row')} ${left === 1 ? 'is' : 'are'} not listed.</p>` : ''}`,
  );
}

const longestText = 300;

function textOf(text: string): Html | string {
  if (text === '') return html`<span class="none">empty</span>`;
  return words(shortened(text, longestText));
}

export function agreedFields({ accepted: posts, update }: ShownDraft['checked']): readonly Html[] {
  return hiddenFields([['posts', String(posts)], ...(update ? ([['agreed', update.digest]] as const) : [])]);
}
