/** The kinds of problems beside the sheet, what is offered in its cells, and what is done with all rows of a kind. */
import { mayDo } from '../../../../app/access/roles.ts';
import { mostSuggestions, type Suggestion } from '../../../../app/drafts/suggestions/suggestion.ts';
import type { DraftRow, PlacedProblem, ProblemGroup } from '../../../../app/drafts/view.ts';
import { isOpenTime } from '../../../../manifest/cells/time-faults.ts';
import { hintsOf } from '../../../../manifest/problems/hint.ts';
import { asSentence, plural, thousands } from '../../../../manifest/wording.ts';
import { type Html, html, words } from '../../../html.ts';
import { questionLink } from '../../../parts/form.ts';
import { choiceField, pickers } from '../../../parts/row-form.ts';
import { placeName } from '../../../parts/sheets.ts';
import { columnOf } from './columns.ts';
import { action, draftPath, rowsPath, type ShownDraft } from './draft-view.ts';
import { isForLater, type Kind, kindsListed, offerText, postsAll, readingOf, suggestedFor } from './fixes.ts';
import { againTick, isOfRepeat } from './form.ts';
import { fixOf, titleOf } from './kind-title.ts';

const mostEvidence = 3;
/** Most suggestions that a cell shows at once; the others are folded. */
const mostOffered = 3;
/** Longest text in the list of the kinds, in UTF-16 units. */
const longestValue = 24;

/** Query of the buttons for all rows of a kind: identifies them as they are shown. */
function query({ group, mark }: Kind): string {
  return `?${new URLSearchParams({ group: group.id, band: mark })}`;
}

/** The kinds of problems, each with its rows and how it is fixed. @param told the kinds that stand above the rows. */
export function rail(shown: ShownDraft, kinds: readonly Kind[], told: readonly Kind[] = []): Html | string {
  const { request, view, checked, asked } = shown;
  const rest = checked.groups.length - kindsListed;
  const links = kinds
    .slice(0, kindsListed)
    .filter((kind) => !told.includes(kind))
    .map(
      (kind) =>
        html`<li><a href="${request.link(rowsPath(view.draft.id, kind.group.id))}"${asked.rows === kind.group.id && html` aria-current="page"`}><b>${thousands(kind.group.count)}</b><span>${words(titleOf(kind.group, checked.columns, kind.suggestions.length > 0))}<small>${saidValue(kind.group)}${readingOf(kind, pickers[columnOf(shown, kind.group) ?? '']?.label)}</small></span></a></li>`,
    );
  if (links.length === 0) return '';
  return html`<nav class="opt" aria-label="Problems"><ul>${links}${rest > 0 && html`<li><small>and ${plural(rest, 'more kind')}</small></li>`}</ul></nav>`;
}

function saidValue({ isSameValue, value }: ProblemGroup): Html | string {
  return isSameValue && value !== '' && value.length <= longestValue ? html`${words(value)} · ` : '';
}

/** Of a page. */
const fewestShared = 4;

/** The kinds that are told above the rows of a page: the one that is asked for, and those that many rows share. */
export function kindsTold(kinds: readonly Kind[], rows: readonly DraftRow[], asked: string) {
  const ofRows = rows.flatMap(({ problems = [] }) => problems.map(({ group }) => group));
  const isShared = (id: string) => ofRows.filter((group) => group === id).length >= fewestShared;
  const told = kinds.filter(({ group: { id } }) => id === asked || isShared(id));
  const groupOf = ({ group }: PlacedProblem) => told.find((kind) => kind.group.id === group)?.group;
  return {
    told,
    /** Whether its kind is. */
    isOfTold: (problem: PlacedProblem) => groupOf(problem) !== undefined,
    /** Whether its words are. Where the rows of a kind differ, each says what is wrong. */
    isTold: (problem: PlacedProblem) => groupOf(problem)?.problem === problem.problem,
  };
}

/** What is offered for a problem of a row; for the first row of its kind also what is done with all its rows, unless `kindHead` tells that. */
export function offers(
  shown: ShownDraft,
  kinds: readonly Kind[],
  row: DraftRow,
  problem: PlacedProblem,
  isTold = false,
): Html | string {
  const kind = kinds.find(({ group }) => group.id === problem.group);
  if (kind === undefined || !mayDo(shown.request, 'edit')) return '';
  // One press holds a row, whatever of its time is open.
  const isOpen = isOpenTime(problem.problem);
  if (isOpen && row.problems?.find((each) => isOpenTime(each.problem)) !== problem) return '';
  const { group } = kind;
  const found = suggestedFor(kind, row.number);
  const isAlone = !isTold && group.numbers[0] === row.number;
  const forRow = found.map((each) => {
    const isOfRow = each.edits.every((edit) => edit.row === row.number);
    const said = html`${words(offerText(each, row.number, problem))}${each.doubt && html` <small>${each.doubt}</small>`}<span class="hidden">: ${words(isOfRow ? each.label : placeName(row))}</span>`;
    return take(shown, kind, each, said, isOfRow ? '' : `.${row.number}`);
  });
  const folded = forRow.splice(mostOffered);
  if (folded.length > 0) forRow.push(foldedOffers(folded));
  const picker = pickerFor(shown, kind);
  if (found.length === 0 && group.values > 1 && picker) forRow.push(pickRow(shown, row, picker));
  const isOnly = isAlone && group.count === 1;
  // What is done with all rows of a kind holds a single one, too.
  const isHeld = isOnly && found.length === 0;
  if (isOpen && !isHeld) forRow.unshift(skipRow(shown, row, holdIt));
  else if (!isOpen && isForLater.has(group.code)) forRow.unshift(skipRow(shown, row));
  else if (mayNotBeMeant(group) && !isOnly) forRow.push(skipRow(shown, row));
  if (!isAlone) return forRow.length === 0 ? '' : html`<div class="offered">${forRow}</div>`;
  const own = kind.suggestions.filter(({ edits }) => edits.some((edit) => edit.row === row.number));
  const wide = own.filter(({ edits }) => edits.some((edit) => edit.row !== row.number));
  const forAll =
    found.length > 0
      ? [
          ...(isOpen && !isOnly ? [skipRows(shown, kind)] : []),
          // Of many, a person chooses where all its rows are.
          ...(folded.length > 0 ? [] : wide.map((each) => take(shown, kind, each, ofAll(each, found)))),
        ]
      : fixes(shown, { ...kind, suggestions: own }, group.position >= 0)
          .slice(0, 2)
          .map((each) => each(false));
  const alike =
    group.count > 1 &&
    html`<a href="${shown.request.link(rowsPath(shown.view.draft.id, group.id))}">${plural(group.count, 'row')}</a>`;
  return html`<div class="offered">${forRow}${forAll}${alike}</div>`;
}

/** Where the one button above has the text that it writes, the text is not said again. */
function ofAll({ label, edits }: Suggestion, found: readonly Suggestion[]): Html | string {
  const isSaid = found.length === 1 && edits.every(({ text }) => text !== '' && text === edits[0]?.text);
  const [, what = '', rows = ''] = isSaid ? (/^(.*) (in \d+ rows)$/.exec(label) ?? []) : [];
  return rows === ''
    ? words(label)
    : html`<span class="hidden">${words(what)}: </span>${rows.replace('in', 'In all')}`;
}

function foldedOffers(folded: readonly Html[]): Html {
  return html`<details><summary>${folded.length} more</summary><div class="offered">${folded}</div></details>`;
}

function take(
  shown: ShownDraft,
  kind: Kind,
  { id, label, evidence }: Suggestion,
  said: Html | string = words(label),
  row = '',
): Html {
  return html`<button ${action(shown, `/take${query(kind)}`)} name="use" value="${id}${row}" title="${evidence}">${said}</button>`;
}

/** A problem that has no cell, or the other row that this one repeats, with the tick to post it again. */
export function lineBelow(
  shown: ShownDraft,
  kinds: readonly Kind[],
  row: DraftRow,
  problem: PlacedProblem,
  wide: number,
  isTold: boolean,
): Html {
  const { request, typed } = shown;
  const number = String(row.number);
  const isTicked = typed?.getAll(againTick).includes(number) ? html` checked` : '';
  const tick =
    isOfRepeat(problem) &&
    mayDo(request, 'edit') &&
    html`<label><input type="checkbox" name="${againTick}" value="${number}"${isTicked}> Post again</label> `;
  return html`<tr class="more" id="line-${number}-${problem.group}"><td></td><td colspan="${wide}"><div>${tick}${words(asSentence(problem.problem))}${offers(shown, kinds, row, problem, isTold)}</div></td></tr>`;
}

/** The kind that is chosen: how many rows, what is wrong, and what is done with all of them. */
export function kindHead(shown: ShownDraft, kind: Kind): Html {
  const { request, view, checked, asked } = shown;
  const { group, suggestions } = kind;
  const evidence = [...new Set(suggestions.map((each) => each.evidence))].slice(0, mostEvidence);
  const title = titleOf(group, checked.columns, suggestions.length > 0);
  // Not if the problem says the same.
  const why =
    suggestions.length === 0
      ? fixOf(group, isNew(shown))
      : evidence.filter((each) => each.toLowerCase() !== title.toLowerCase()).join(' ');
  const only = request.link(rowsPath(view.draft.id, group.id));
  const told = html`<a class="many" href="${only}"${asked.rows === group.id && html` aria-current="page"`}>${thousands(group.count)}<span class="hidden"> ${group.count === 1 ? 'row' : 'rows'}:</span></a><div><h3 id="kind-${group.id}">${words(title)}</h3>${why !== '' && html`<p>${words(why)}</p>`}</div>`;
  if (!mayDo(request, 'edit')) return html`<li>${told}</li>`;
  const [first, ...others] = fixes(shown, kind);
  const skip = mayNotBeMeant(group) || isOpenTime(group.problem) ? '' : skipRows(shown, kind);
  const menu = html`<details class="menu"><summary class="button bare">More…<span class="hidden"> for ${words(title)}</span></summary>
        <ul>${others.map((each) => html`<li>${each(true)}</li>`)}${skip !== '' && html`<li class="apart">${skip}</li>`}</ul></details>`;
  return html`<li>${told}
    <div class="act"><div class="actions">${first?.(false)}
      ${others.length === 0 ? skip : menu}</div></div></li>`;
}

/** Zone and media of an update are those of its campaign. */
function isNew({ view }: ShownDraft): boolean {
  return view.draft.into === undefined;
}

function skipRows(shown: ShownDraft, kind: Kind): Html {
  const { group } = kind;
  const rows = plural(group.count, 'row');
  const what = isOpenTime(group.problem)
    ? `Hold ${rows}: skip ${group.count === 1 ? 'it' : 'them'} for now`
    : `Skip ${rows}`;
  return html`<button ${action(shown, `/leave-out${query(kind)}`)}>${what}</button>`;
}

/** The list for its column. What a model allows is chosen in the band itself. */
function pickerFor(shown: ShownDraft, { group, choices }: Kind): Picker | undefined {
  const of = columnOf(shown, group);
  return choices === undefined || of === 'ai_model' ? pickers[of ?? ''] : undefined;
}

function pickRow({ request, view }: ShownDraft, row: DraftRow, { path, label }: Picker): Html {
  return questionLink(request, draftPath(view.draft.id, `/pick/${path}?row=${row.number}`), label, 'button');
}

type Picker = NonNullable<(typeof pickers)[string]>;

const holdIt = 'Hold it: skip this row for now';

function skipRow(shown: ShownDraft, row: DraftRow, what = 'Skip this row'): Html {
  return html`<button ${action(shown, '/leave-out')} name="row" value="${row.number}">${what}<span class="hidden">: ${words(placeName(row))}</span></button>`;
}

/** Whether most people would skip such rows. */
function mayNotBeMeant(group: ProblemGroup): boolean {
  return isOfRepeat(group) || postsAll.has(group.code) || isForLater.has(group.code);
}

/** A fix, as it stands beside the problem or in its menu. */
type Fix = (isInMenu: boolean) => Html;

/** The fixes of a kind, the likeliest first. Two readings are one: nobody guesses which is meant. @param hasField whether its rows have cells to type into. */
function fixes(shown: ShownDraft, kind: Kind, hasField = false): readonly Fix[] {
  const { request } = shown;
  const { group, suggestions } = kind;
  const taken = (each: Suggestion) => take(shown, kind, each);
  const readings = suggestions.slice(0, suggestions.length === 2 || group.code === 'ambiguous_time' ? 2 : 1);
  const link = (to: string, label: string) => (isInMenu: boolean) =>
    html`<a${!isInMenu && html` class="button"`} href="${to}">${label}</a>`;
  const again = html`<button ${action(shown, '/cells')}>Post the ticked rows again</button>`;
  const all = html`<button ${action(shown, `/again${query(kind)}`)}>Post all ${thousands(group.count)} again</button>`;
  // One entry for rows that say different things would be wrong: each has a list of its own. So have those that lack their products.
  const picker = group.values > 1 ? undefined : pickerFor(shown, kind);
  const isOfEach = picker?.path === 'product' && group.value === '' && group.count > 1;
  const pick = `/pick/${picker?.path}${query(kind)}&row=${kind.group.numbers[0] ?? 1}`;
  const text = hasField ? undefined : forAll(shown, kind);
  const post = postsAll.get(group.code);
  const files = link(request.link(draftPath(shown.view.draft.id, '/files')), 'Add files…');
  return [
    ...(isOpenTime(group.problem) || isForLater.has(group.code) ? [() => skipRows(shown, kind)] : []),
    ...(readings.length > 1 ? [() => html`<span class="switch">${readings.map(taken)}</span>`] : []),
    ...suggestions
      .slice(readings.length > 1 ? readings.length : 0, mostSuggestions)
      .map((each) => () => taken(each)),
    ...(group.code === 'zoneless_time' && isNew(shown) ? [link('#times', 'Choose the time zone')] : []),
    ...(group.code === 'media_missing' && group.value !== '' && kind.takesMedia ? [files] : []),
    ...(post === undefined
      ? []
      : [
          () => skipRows(shown, kind),
          () => html`<button ${action(shown, post)}>Post ${plural(group.count, 'row')} anyway</button>`,
        ]),
    ...(isOfRepeat(group)
      ? [() => html`${skipRows(shown, kind)} ${again}`, ...(group.count > 1 ? [() => all] : [])]
      : []),
    ...(picker === undefined || isOfEach
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
    ...(hintsOf(group.fix).some((each) => each.action === 'trustIds')
      ? [() => html`<button ${action(shown, '/trust-ids')}>Keep the IDs: they are right</button>`]
      : []),
  ];
}

/** One text for all rows of a kind; undefined where each row has its own. */
function forAll(shown: ShownDraft, { group, mark, choices }: Kind): Html | undefined {
  const { checked, typed } = shown;
  const column = checked.columns.find(({ position }) => position === group.position);
  const of = columnOf(shown, group);
  // Each has a time of its own.
  if (isOpenTime(group.problem)) return undefined;
  const isOne =
    column === undefined
      ? group.isSameValue
      : group.isSameValue && (choices !== undefined || group.count > 1);
  if (!isOne || (column === undefined && of === undefined)) return undefined;
  const name = `text.${group.id}.${mark}`;
  const marks = html` aria-label="Another text for ${column?.title || column?.letters || of} in ${plural(group.count, 'row')}"`;
  const field = choiceField(choices, { name, value: typed?.get(name) ?? '', marks });
  return html`<span class="typed">${field} <button ${action(shown, '/cells')}>Use it in ${plural(group.count, 'row')}</button></span>`;
}
