/** All suggestions that nobody is sure of, or all sure fixes, in one list: people tick what is right, and one press writes it. */
import type { CellEdit } from '../../../../app/campaigns/import/edit.ts';
import { draftRefused } from '../../../../app/drafts/draft.ts';
import type { Suggestion } from '../../../../app/drafts/suggestions/suggestion.ts';
import type { DraftRow } from '../../../../app/drafts/view.ts';
import { isUrl } from '../../../../manifest/cells/media-source.ts';
import { isOpenTime } from '../../../../manifest/cells/time-faults.ts';
import { describePlaces } from '../../../../manifest/problems/problem.ts';
import { asSentence, capitalized, plural } from '../../../../manifest/wording.ts';
import { type Html, html, words } from '../../../html.ts';
import { table } from '../../../parts/blocks.ts';
import { wayBack } from '../../../parts/form.ts';
import { draftPictures, pictureColumn, thumbnail } from '../../../parts/picture.ts';
import type { PageRequest, Question } from '../../../request.ts';
import { draftForm, readQuery, rowsPath, type ShownDraft } from './draft-view.ts';
import {
  editsMark,
  isForLater,
  type Kind,
  kindsListed,
  offerText,
  readKinds,
  suggestedFor,
  sureFixes,
} from './fixes.ts';
import { checkedDraft } from './form.ts';

/** Most that are listed at once: the others come after them. */
const mostListed = 100;
/** Rows that one of them names. */
const mostNamed = 5;

/** Answered one at a time: which post a row of an update is, a caption that loses its end, and what lets a row go. */
const alone: ReadonlySet<string> = new Set(['may_be_row', 'too_long', ...isForLater]);

/** Rows that have the same suggestions. */
export interface OpenFix {
  readonly kind: Kind;
  readonly rows: readonly number[];
  /** With the edits of these rows only. */
  readonly readings: readonly Suggestion[];
}

/** A cell that is written by a sure fix, or by one before, is left out. @param isSure lists the sure fixes instead. */
export function openFixes(kinds: readonly Kind[], isSure = false): readonly OpenFix[] {
  const placeOf = ({ row, position }: CellEdit) => `${row}.${position}`;
  const sure = sureFixes(kinds).edits;
  const taken = new Set(isSure ? [] : sure.map(placeOf));
  const texts = new Map(sure.map((edit) => [placeOf(edit), edit.text]));
  const isWanted = (edit: CellEdit) =>
    !taken.has(placeOf(edit)) && (!isSure || texts.get(placeOf(edit)) === edit.text);
  const fixes: OpenFix[] = [];
  for (const kind of kinds.slice(0, kindsListed)) {
    if (!isSure && (alone.has(kind.group.code) || isOpenTime(kind.group.problem))) continue;
    const numbers = new Set(kind.suggestions.flatMap(({ edits }) => edits.map(({ row }) => row)));
    const ofRows = [...numbers]
      .sort((one, other) => one - other)
      .map((row) => {
        const readings = suggestedFor(kind, row).map((each) => ({
          ...each,
          evidence: each.evidenceOf?.(row) ?? each.evidence,
          edits: each.edits.filter((edit) => edit.row === row),
        }));
        return { row, readings };
      });
    // Each row with one reading is shown with its own text; nor do versions of one caption tell which is meant of another.
    const isOwn = (readings: readonly Suggestion[]) =>
      readings.length === 1 || kind.group.code === 'caption_versions';
    const same = Map.groupBy(ofRows, ({ readings }) =>
      JSON.stringify(
        readings.map(({ id, edits, evidence }) => [
          id,
          isOwn(readings) && [evidence, ...edits.map(({ text }) => text)],
        ]),
      ),
    );
    for (const all of same.values()) {
      const open = all.filter(({ readings }) => readings.every(({ edits }) => edits.every(isWanted)));
      const [first] = open;
      if (first === undefined) continue;
      const readings = first.readings.map((each, index) => ({
        ...each,
        edits: open.flatMap((row) => row.readings[index]?.edits ?? []),
      }));
      for (const edit of readings.flatMap(({ edits }) => edits)) taken.add(placeOf(edit));
      fixes.push({ kind, rows: open.map(({ row }) => row), readings });
    }
  }
  return fixes.slice(0, mostListed);
}

/** What speaks against a reading, as sentences; empty if its evidence says it. @returns undefined if nothing does. */
function doubtOf(kinds: readonly Kind[], { kind: { group }, rows }: OpenFix, reading: Suggestion) {
  const { doubt, evidence, edits } = reading;
  const texts = new Set(edits.map(({ text }) => text));
  const isOfTwo = ({ row, text }: CellEdit) => texts.has(text) && !rows.includes(row);
  const isCleared = edits.every(({ text }) => text === '');
  if (doubt !== undefined) return evidence.includes(doubt) ? '' : asSentence(doubt);
  if (isCleared && group.code.includes('time')) return 'The post loses its time.';
  if (group.code === 'share_link' && edits.some(({ text }) => isUrl(text)))
    return 'The link has not been opened.';
  const ofFiles = kinds.filter((each) => each.group.code.startsWith('media_'));
  return group.code.startsWith('media_') &&
    ofFiles.some(({ suggestions }) => suggestions.some((each) => each.edits.some(isOfTwo)))
    ? 'Another row may mean this file, too.'
    : undefined;
}

/** Identifies all that is listed, each with its place in the list. */
function markOf(fixes: readonly OpenFix[]): string {
  const listed = fixes.flatMap(({ readings }, index) =>
    readings.flatMap(({ edits }, reading) =>
      edits.map((edit) => ({ ...edit, text: `${index}.${reading} ${edit.text}` })),
    ),
  );
  return editsMark(listed);
}

/** What the button of the list starts with; behind it stands the mark of what was shown. */
export const openUse = 'open.';

/** @returns what is ticked; undefined if the sheet no longer suggests what was shown. @throws {UseCaseError} `draft_refused` if nothing is ticked. */
export async function chosenFixes(
  request: PageRequest,
  id: string,
  use: string,
): Promise<readonly CellEdit[] | undefined> {
  const view = await request.drafts.look(id);
  if (view.checked === undefined) return undefined;
  const kinds = await readKinds({ request, view, checked: view.checked });
  const fixes = [openFixes(kinds), openFixes(kinds, true)].find((all) => use === openUse + markOf(all));
  if (fixes === undefined) return undefined;
  const edits = fixes.flatMap(({ readings }, index) => {
    const chosen = request.form.get(`fix.${index}`);
    return chosen === null ? [] : (readings[Number(chosen)]?.edits ?? []);
  });
  if (edits.length === 0) throw draftRefused('no suggestion is chosen', 'Choose at least one.');
  return edits;
}

export async function askOpenFixes(request: PageRequest): Promise<Question> {
  const view = await request.drafts.look(request.params.draft ?? '');
  const { id } = view.draft;
  const checked = view.checked ?? (await checkedDraft(request, id));
  const asked = readQuery(request.query);
  const shown: ShownDraft = { request, view, checked, asked, typed: undefined };
  const kinds = await readKinds(shown);
  const isSure = request.query.has('sure');
  const fixes = openFixes(kinds, isSure);
  const back = wayBack(request, rowsPath(id, asked.rows, asked.page), 'Back');
  const rows = new Map<number, DraftRow>();
  for (const number of fixes.flatMap((each) => each.rows.slice(0, mostNamed))) {
    const [row] = rows.has(number) ? [] : (await request.drafts.window(id, 'all', number - 1, 1)).rows;
    if (row !== undefined) rows.set(number, row);
  }
  const pictures = await draftPictures(request, view, checked, [...rows.values()]);
  const lines = fixes.map((fix, index) => {
    const found = fix.rows.slice(0, mostNamed).flatMap((number) => rows.get(number) ?? []);
    const { position } = fix.kind.group;
    const column = checked.columns.find((each) => each.position === position);
    // A time may have two cells.
    const written = fix.readings.flatMap(({ edits }) => edits.map((edit) => edit.position));
    // An empty id says nothing: its title tells what is meant.
    const title =
      column?.column === 'product_id' && checked.columns.find((each) => each.column === 'product_title');
    const positions = [...new Set([position, ...written])].sort((one, other) => one - other);
    const textOf = ({ cells }: DraftRow) =>
      positions
        .map((at) => cells[at] ?? '')
        .join(' ')
        .trim() || (title ? (cells[title.position] ?? '') : '');
    const texts = [...new Set(found.map(textOf))];
    const place = describePlaces(found, fix.rows.length - found.length);
    const where = `${capitalized(place)}, ${column?.title || column?.letters || ''}`;
    return html`<tr><td class="small">${thumbnail(request, pictures.get(fix.rows[0] ?? 0))}</td><th scope="row">${words(texts.filter(Boolean).join(', ') || 'Empty')}<br><small>${words(where)}</small></th><td data-head="Suggestion">${readingsOf(kinds, fix, index, rows.get(fix.rows[0] ?? 0))}</td></tr>`;
  });
  const body =
    fixes.length === 0
      ? html`<p>Nothing is suggested any more.</p><p class="actions">${back}</p>`
      : html`<div class="suggested">${draftForm(shown, {
          path: '/take',
          body: html`<p class="note">Rows without a choice stay as they are. You can undo this.</p>
            ${table({ of: 'question-title', className: 'stacked', heads: [pictureColumn, 'In the sheet', 'Suggestion'], lines })}
            <p class="actions">${back} <button class="primary" name="use" value="${openUse}${markOf(fixes)}">Use the chosen fixes</button></p>`,
        })}</div>`;
  const title = isSure ? 'Check the sure fixes' : `Check ${plural(fixes.length, 'suggestion')}`;
  return { kind: 'question', title, body };
}

/** One reading is ticked unless something speaks against it; of several, none is chosen beforehand. */
function readingsOf(kinds: readonly Kind[], fix: OpenFix, index: number, row: DraftRow | undefined): Html {
  const {
    kind: { group },
    readings,
  } = fix;
  const isOne = readings.length === 1;
  const problem = row?.problems?.find((each) => each.group === group.id);
  const whyOf = (each: Suggestion) =>
    [each.evidence, doubtOf(kinds, fix, each) ?? ''].filter(Boolean).join(' ');
  // What speaks for each of them alike is said once.
  const whys = new Set(readings.map(whyOf));
  const whyHtml = (why: string) => html` <small>${words(why)}</small>`;
  const choice = (each: Suggestion, reading: number) => {
    const doubt = doubtOf(kinds, fix, each);
    const ticked = isOne && doubt === undefined;
    const written =
      new Set(each.edits.map(({ text }) => text)).size > 1 && !isOne
        ? each.label
        : offerText(each, row?.number ?? 0, problem ?? { position: group.position, value: '' });
    return html`<label><input type="${isOne ? 'checkbox' : 'radio'}" name="fix.${index}" value="${reading}"${ticked && html` checked`}${index + reading === 0 && html` autofocus`}> <b>${words(written)}</b></label>${(isOne || whys.size > 1) && whyHtml(whyOf(each))}`;
  };
  return html`${readings.map((each, reading) => html`<p>${choice(each, reading)}</p>`)}${!isOne && whys.size === 1 && html`<p>${whyHtml([...whys][0] ?? '')}</p>`}`;
}
