/** Moves a row of a draft to another time, from its card in the calendar. It is an edit of the draft, which undo takes back. */
import type { CellEdit } from '../../../app/campaigns/import/edit.ts';
import { textIn } from '../../../app/drafts/check/check-view.ts';
import { draftRefused } from '../../../app/drafts/draft.ts';
import type { CheckedDraft, DraftRow } from '../../../app/drafts/view.ts';
import { draftOperations } from '../../../app/operations/drafts.ts';
import { inFormOf } from '../../../manifest/cells/time-form.ts';
import { longestTime } from '../../../manifest/cells/time-of-day.ts';
import { UseCaseError } from '../../../manifest/problems/use-case-error.ts';
import { sentence } from '../../../manifest/wording.ts';
import { fixOnDraft } from '../../hints.ts';
import { rowSubject } from '../../parts/list.ts';
import { askedTime } from '../../parts/row-form.ts';
import { placeName } from '../../parts/sheets.ts';
import type { Answer, PageRequest } from '../../request.ts';

export async function moveDraftRow(request: PageRequest): Promise<Answer> {
  const { form, params } = request;
  const home = form.get('home') ?? '';
  const to = /^\/calendar(?:\?|$)/.test(home) ? home : '/calendar';
  try {
    const text = await move(request, params.draft ?? '');
    return {
      kind: 'redirect',
      to,
      notice: { state: 'done', text, more: 'You can undo this on the draft’s page.' },
    };
  } catch (error) {
    if (!(error instanceof UseCaseError) || error.code === 'draft_not_found') throw error;
    const text = `Nothing was moved: ${sentence(error.message)}`;
    return {
      kind: 'redirect',
      to,
      notice: { state: 'failed', text, more: fixOnDraft(error.fix) || undefined },
    };
  }
}

async function move(request: PageRequest, id: string): Promise<string> {
  const { drafts, form, person } = request;
  const { draft, checked } = await drafts.look(id);
  const number = Number(form.get('row') ?? '0');
  const planned = (await drafts.plans.find(id))?.posts.find((post) => post.number === number);
  const [row] = planned === undefined ? [] : (await drafts.window(id, 'all', number - 1, 1)).rows;
  if (checked === undefined) throw draftRefused('the sheet is being checked', 'Try again in a moment.');
  if (row === undefined || String(planned?.at) !== form.get('was'))
    throw draftRefused('the row has changed', 'Check its current time, then try again.');
  const written = form.get('c.scheduled_at') ?? '';
  const beside = (await drafts.window(id, 'all', Math.max(0, number - rowsBeside), 2 * rowsBeside)).rows;
  const cells = timeCells(checked, row, askedTime(form, written), beside);
  const edit = { cells: [...cells] };
  await drafts.edit(id, { by: person.name, version: draft.version }, edit, 'moved a row');
  await request.record(draftOperations.editDraft, { id, ...edit }, {});
  const key = textIn(checked, row, 'key');
  const place = key === '' ? placeName(row) : undefined;
  return `${rowSubject({ key, place })} moved to ${written.replace('T', ' ')}.`;
}

/** Rows before and after the one that is moved: they show how the sheet writes hours. */
const rowsBeside = 50;

/** Date and time go where the row has them, and in the form of the sheet: into one cell, or into two. @param text as `2027-03-12T18:00`. */
function timeCells(
  checked: CheckedDraft,
  row: DraftRow,
  text: string,
  beside: readonly DraftRow[],
): readonly CellEdit[] {
  const at = (name: string) => checked.columns.find(({ column }) => column === name)?.position ?? -1;
  const [date = '', time = ''] = text.split('T');
  const isApart = textIn(checked, row, 'scheduled_time') !== '';
  const ofTime = at(isApart ? 'scheduled_time' : 'scheduled_at');
  const hours = beside.map(({ cells }) => (cells[ofTime] ?? '').slice(0, longestTime));
  const isShort =
    hours.some((each) => /(?<!\d)\d:\d\d/.test(each)) && !hours.some((each) => /(?<!\d)0\d:\d\d/.test(each));
  const cell = (name: string, written: string) => {
    const formed = inFormOf(row.cells[at(name)] ?? '', written);
    return {
      row: row.number,
      position: at(name),
      text: isShort ? formed.replace(/(?<!\d)0(\d:\d\d)/, '$1') : formed,
    };
  };
  return isApart
    ? [cell('scheduled_at', date), cell('scheduled_time', time)]
    : [cell('scheduled_at', `${date} ${time}`)];
}
