/** Problems in the sheet. Rows with the same problem form a band: one cure for all rows stands above their cells. */
import { createHash } from 'node:crypto';
import type { CellEdit } from '../../../../app/drafts/edits.ts';
import type { Suggestion } from '../../../../app/drafts/suggestions/suggestion.ts';
import type { DraftColumn, DraftRow, PlacedProblem, ProblemGroup } from '../../../../app/drafts/view.ts';
import type { Choices } from '../../../../manifest/cells/choices.ts';
import { hintsOf } from '../../../../manifest/problems/hint.ts';
import { capitalized, sentence } from '../../../../manifest/wording.ts';
import { cureOnDraft } from '../../../hints.ts';
import { type Html, html, words } from '../../../html.ts';
import { mayChange, questionLink } from '../../../parts/form.ts';
import { count, number } from '../../../parts/numbers.ts';
import type { DraftPictures } from '../../../parts/picture.ts';
import { choiceField, pickers } from '../../../parts/row-form.ts';
import { columnOf } from './choices.ts';
import { againTick } from './form.ts';
import { sheetRow, sheetTable } from './sheet-table.ts';
import { action, draftPath, rowsPath, type ShownDraft } from './shown.ts';

/** Most sentences of evidence for the suggestions of a band. */
const mostEvidence = 3;

/** A band, with some of its rows. */
export interface Band {
  readonly group: ProblemGroup;
  /** `rowsMark` of the band; forms for all its rows send it back. */
  readonly mark: string;
  readonly suggestions: readonly Suggestion[];
  readonly rows: readonly DraftRow[];
  /** What may stand in its column, for all its rows. */
  readonly choices: Choices | undefined;
  /** Whether the page goes through all rows of the band, not only the first ones. */
  readonly isWhole: boolean;
}

/** Query of a band's buttons: identifies its rows as they are shown. */
function query({ group, mark }: Band): string {
  return `?${new URLSearchParams({ group: group.id, band: mark })}`;
}

/**
 * What all suggestions write that the bands have for one kind of problem in one column. Rows for which they contradict each other are
 * left out: a person chooses there.
 */
export function allOfKind(bands: readonly Band[], { code, position }: ProblemGroup): readonly CellEdit[] {
  const kin = bands.filter(({ group }) => group.code === code && group.position === position);
  const suggested = kin.flatMap(({ suggestions }) => suggestions);
  // One text for several different ones is hardly right for each.
  const guesses = Map.groupBy(
    suggested.filter(({ guessFor }) => guessFor !== undefined),
    ({ edits }) => edits[0]?.text,
  );
  const isOfOne = ({ guessFor, edits }: Suggestion) =>
    guessFor === undefined || new Set(guesses.get(edits[0]?.text)?.map((each) => each.guessFor)).size === 1;
  const cures = suggested.filter(isOfOne).map(({ edits }) => edits);
  const byRow = cures.flatMap((edits) => [...Map.groupBy(edits, ({ row }) => row).values()]);
  const ofRow = Map.groupBy(byRow, ([edit]) => edit?.row);
  return [...ofRow.values()].flatMap((all) =>
    new Set(all.map((edits) => editsMark(edits))).size === 1 ? (all[0] ?? []) : [],
  );
}

/** Identifies what a button writes, so that it never writes what it did not show. 16 hexadecimal digits. */
export function editsMark(edits: readonly CellEdit[]): string {
  const all = edits.map(({ row, position, text }) => [row, position, text]);
  return createHash('sha256').update(JSON.stringify(all)).digest('hex').slice(0, 16);
}

/** Takes the suggestions of all bands of a kind. Stands in the first of them, if it does more than one suggestion does. */
function takeAll(shown: ShownDraft, bands: readonly Band[], band: Band): Html | string {
  const { code, position } = band.group;
  const kin = bands.filter(({ group }) => group.code === code && group.position === position);
  if (kin[0] !== band) return '';
  const all = allOfKind(bands, band.group);
  const most = Math.max(0, ...kin.flatMap(({ suggestions }) => suggestions.map(({ edits }) => edits.length)));
  if (all.length <= most) return '';
  const suggestions = kin.flatMap((each) => each.suggestions).length;
  const rows = new Set(all.map(({ row }) => row)).size;
  return html`<button ${action(shown, `/take${query(band)}`)} name="use" value="all.${editsMark(all)}" title="All that is suggested for ${count(kin.length, 'band')} of this kind">Take all ${number(suggestions)} suggestions in ${count(rows, 'row')}</button>`;
}

/** @param bands all bands of the page. */
export function bandSection(
  shown: ShownDraft,
  bands: readonly Band[],
  band: Band,
  pictures: DraftPictures,
): Html {
  const { group, rows, isWhole } = band;
  const left = group.count - rows.length;
  const heading = `cure-${group.id}`;
  const lines = (columns: readonly DraftColumn[]) => {
    const wide = columns.length + 1;
    const more =
      !isWhole &&
      left > 0 &&
      html`<tr class="more"><td></td><td colspan="${wide}"><p><a href="${shown.request.link(rowsPath(shown.view.draft.id, group.id))}">${number(left)} more</a></p></td></tr>`;
    return html`<tbody>${rows.map((row) => {
      const mark = (row.problems ?? []).filter((problem) => problem.group === group.id);
      return html`${sheetRow(shown, columns, row, { mark, isField: true, picture: pictures.get(row.number) })}${againLine(shown, row, mark, wide)}`;
    })}${more}</tbody>`;
  };
  return html`<section class="problem" data-state="problem" id="band-${group.id}" aria-labelledby="${heading}">
    ${cure(shown, bands, band, heading)}
    ${sheetTable(shown, { of: heading, rows, className: 'narrow' }, lines)}
  </section>`;
}

/** The row of another campaign that this one repeats, and the tick to post it again. */
function againLine(
  { request, typed }: ShownDraft,
  row: DraftRow,
  mark: readonly PlacedProblem[],
  wide: number,
): Html | string {
  const repeat = mark.find(({ code }) => code === 'already_posted');
  if (repeat === undefined) return '';
  const said = words(capitalized(sentence(repeat.problem)));
  const number = String(row.number);
  const isTicked = typed?.getAll(againTick).includes(number) ? html` checked` : '';
  const tick = html`<label><input type="checkbox" name="${againTick}" value="${number}"${isTicked}> Post again</label>`;
  return html`<tr class="more"><td></td><td colspan="${wide}"><p>${mayChange(request) ? tick : ''} ${said}</p></td></tr>`;
}

/** How many rows, what is wrong, and the first cure as its button. The others are in the menu beside it. */
function cure(shown: ShownDraft, bands: readonly Band[], band: Band, heading: string): Html {
  const { group, suggestions } = band;
  const { columns } = shown.checked;
  const evidence = [...new Set(suggestions.map((each) => each.evidence))].slice(0, mostEvidence);
  const title = titleOf(group, columns, suggestions.length > 0);
  // Zone and media of an update are those of its campaign.
  const isNew = shown.view.draft.into === undefined;
  // Not if the problem says the same.
  const why =
    suggestions.length === 0
      ? cureOf(group, isNew)
      : evidence.filter((each) => each.toLowerCase() !== title.toLowerCase()).join(' ');
  const told = html`<b>${number(group.count)} <small>${group.count === 1 ? 'row' : 'rows'}:</small></b><div><h3 id="${heading}">${words(title)}</h3>${why !== '' && html`<p>${words(why)}</p>`}</div>`;
  if (!mayChange(shown.request)) return html`<div class="fix">${told}</div>`;
  const [first, ...others] = cures(shown, band, isNew);
  const skip = postsAll.has(band.group.code) ? '' : skipRows(shown, band);
  return html`<div class="fix">${told}
    <div class="act"><div class="actions">${takeAll(shown, bands, band)}${first?.(false)}
      <details class="menu"><summary class="button">More…<span class="hidden"> for ${words(title)}</span></summary>
        <ul>${others.map((each) => html`<li>${each(true)}</li>`)}${skip !== '' && html`<li class="apart">${skip}</li>`}</ul></details></div>
      ${suggestions.length > 0 && isTyped(shown, band) && html`<small>or type it, and press Enter</small>`}</div></div>`;
}

function skipRows(shown: ShownDraft, band: Band): Html {
  return html`<button ${action(shown, `/leave-out${query(band)}`)}>Skip ${count(band.group.count, 'row')}</button>`;
}

/** Problems of rows that may not be meant, with the action that posts all of them. */
const postsAll: ReadonlyMap<string, string> = new Map([
  ['own_status', '/own-status'],
  ['row_hidden', '/hidden'],
  ['row_struck', '/hidden'],
]);

/** A cure, as it stands beside the problem or in its menu. */
type Cure = (isInMenu: boolean) => Html;

/** The cures of a band, the likeliest first. Two readings are one: nobody guesses which is meant. */
function cures(shown: ShownDraft, band: Band, isNew: boolean): readonly Cure[] {
  const { request } = shown;
  const { group, suggestions } = band;
  const taken = ({ id, label, evidence }: Suggestion) =>
    html`<button ${action(shown, `/take${query(band)}`)} name="use" value="${id}" title="${evidence}">${words(label)}</button>`;
  const readings = suggestions.slice(0, suggestions.length === 2 || group.code === 'ambiguous_time' ? 2 : 1);
  const link = (to: string, label: string) => (isInMenu: boolean) =>
    html`<a${!isInMenu && html` class="button"`} href="${to}">${label}</a>`;
  const again = html`<button ${action(shown, '/cells')}>Post the ticked rows again</button>`;
  const all = html`<button ${action(shown, `/again${query(band)}`)}>Post all ${number(group.count)} again</button>`;
  const of = columnOf(shown, group);
  // What a model allows is chosen in the band itself.
  const picker = band.choices === undefined || of === 'ai_model' ? pickers[of ?? ''] : undefined;
  const pick = `/pick/${picker?.path}${query(band)}&row=${band.rows[0]?.number ?? 1}`;
  const text = forAll(shown, band);
  const post = postsAll.get(group.code);
  const files = link(request.link(draftPath(shown.view.draft.id, '/files')), 'Add files…');
  return [
    ...(readings.length > 1 ? [() => html`<span class="switch">${readings.map(taken)}</span>`] : []),
    ...suggestions.slice(readings.length > 1 ? readings.length : 0).map((each) => () => taken(each)),
    ...(group.code === 'zoneless_time' && isNew ? [link('#times', 'Choose the time zone')] : []),
    ...(group.code === 'media_missing' && group.value !== '' && isNew ? [files] : []),
    ...(post === undefined
      ? []
      : [
          () => skipRows(shown, band),
          () => html`<button ${action(shown, post)}>Post ${count(group.count, 'row')} all the same</button>`,
        ]),
    ...(group.code === 'already_posted' ? [() => again, ...(group.count > 1 ? [() => all] : [])] : []),
    ...(picker === undefined
      ? []
      : [
          (isInMenu: boolean) =>
            questionLink(
              request,
              draftPath(shown.view.draft.id, pick),
              picker.label,
              isInMenu ? '' : 'button',
            ),
        ]),
    ...(text === undefined ? [] : [() => text]),
    ...(hintsOf(group.cure).some((each) => each.action === 'trustIds')
      ? [() => html`<button ${action(shown, '/trust-ids')}>Keep the ids: they are right</button>`]
      : []),
    ...(isTyped(shown, band)
      ? [
          () =>
            html`<button ${action(shown, '/cells')}>Save ${band.rows.length === 1 ? 'the cell' : 'the cells'}</button>`,
        ]
      : []),
  ];
}

/** Whether its rows have cells to type into: those of a column that the sheet lacks have none. */
function isTyped({ checked }: ShownDraft, { group }: Band): boolean {
  return checked.columns.some(({ position }) => position === group.position);
}

/** One text for all rows of a band; undefined where each row has its own. */
function forAll(shown: ShownDraft, { group, mark, choices }: Band): Html | undefined {
  const { checked, typed } = shown;
  const column = checked.columns.find(({ position }) => position === group.position);
  const of = columnOf(shown, group);
  const isOne = column === undefined || choices !== undefined || (group.count > 1 && group.isSameValue);
  if (!isOne || (column === undefined && of === undefined)) return undefined;
  const name = `text.${group.id}.${mark}`;
  const marks = html` aria-label="Another text for ${column?.title || column?.letters || of} in ${count(group.count, 'row')}"`;
  const field = choiceField(choices, { name, value: typed?.get(name) ?? '', marks });
  return html`<span class="typed">${field} <button ${action(shown, '/cells')}>Use it in ${count(group.count, 'row')}</button></span>`;
}

/** The cure of a band. Some problems have another cure on this page than in the terminal. */
function cureOf(group: ProblemGroup, isNew: boolean): string {
  const { code, cure } = group;
  if (code === 'zoneless_time' && isNew) return 'Choose the zone of all times that have none.';
  if (mostOf(group) !== undefined) return 'Shorten each.';
  return sentence(cureOnDraft(cure));
}

/** Title of a band. If its rows have different values, it is more general than the problem of the first row. */
function titleOf(group: ProblemGroup, columns: readonly DraftColumn[], isSuggested: boolean): string {
  const { code, problem, isSameValue, column } = group;
  const of = columns.find(({ position }) => position === group.position);
  const name = of?.title ?? column ?? '';
  switch (code) {
    case 'scientific_id':
    case 'digits_lost':
      return `The spreadsheet program has turned ${name} into a number, and its last digits are lost.`;
    case 'ambiguous_time':
      return 'Which number is the day?';
    case 'other_calendar':
      return group.count === 1 ? 'The year is of another calendar.' : 'The years are of another calendar.';
    case 'zoneless_time':
      return group.count === 1 ? 'The time has no time zone.' : 'The times have no time zone.';
    case 'time_past':
      return group.count === 1 ? 'The time is in the past.' : 'The times are in the past.';
    case 'already_posted':
      return group.count === 1
        ? sentence(capitalized(problem))
        : of?.column === 'key'
          ? 'The campaign has these posts under other keys.'
          : 'These posts are in other campaigns already.';
    case 'own_status':
      return `${name} says that ${group.count === 1 ? 'the row is' : 'these rows are'} posted, cancelled or not ready.`;
    case 'share_link':
      return isSameValue ? sentence(capitalized(problem)) : 'The links lead to pages, not to files.';
    case 'media_missing':
      return isSameValue ? sentence(capitalized(problem)) : 'The files are missing.';
    default: {
      const most = mostOf(group);
      if (most !== undefined) return `${name} has more than ${most} characters.`;
      const what = shownProblem(group, isSuggested);
      const own = `${of?.column} `;
      if (what.startsWith(own)) return sentence(`${name} ${what.slice(own.length)}`);
      return sentence(capitalized(what));
    }
  }
}

/** Most characters allowed, if the band's texts are too long by different amounts. */
function mostOf({ code, problem, isSameValue, count }: ProblemGroup): string | undefined {
  if (code !== 'too_long' || isSameValue || count < 2) return undefined;
  return /; (\d+) are allowed$/.exec(problem)?.[1];
}

/** Removes the parts of a problem that the suggestion repeats, or that are true only of the first of several values. */
function shownProblem({ problem, isSameValue, count }: ProblemGroup, isSuggested: boolean): string {
  const end = !isSameValue && count > 1 ? ';' : isSuggested ? '; did you mean ' : undefined;
  return end === undefined ? problem : (problem.split(end)[0] ?? problem);
}
