/** Changes of a draft by forms. Each is one change, then the page again. */

import type { CheckedDraft, ProblemGroup } from '../../../../campaigns/drafts/check/checked-draft.ts';
import type { CellMend, Mend } from '../../../../campaigns/drafts/mends.ts';
import { rememberColumns } from '../../../../campaigns/drafts/remembered-columns.ts';
import type { Change } from '../../../../campaigns/drafts/settings.ts';
import { ColumnMapError, createColumnMap } from '../../../../manifest/column-map.ts';
import { UseCaseError } from '../../../../runtime/use-case-error.ts';
import { sentence } from '../../../../runtime/wording.ts';
import { statusOfError } from '../../../error-status.ts';
import { count } from '../../../parts/numbers.ts';
import type { Answer, Notice, PageRequest } from '../../../request.ts';
import { backPath } from './address.ts';
import { lines } from './lines.ts';
import { readOptions } from './options.ts';
import { showDraft } from './page.ts';
import { readPicked } from './picked.ts';
import { rowsMark } from './shown.ts';

/** Cells that one form may write: a page of rows has far fewer. */
const mostCells = 2000;

type Outcome = string | { readonly text: string; readonly to: string };

/** Makes a change. What was typed is shown again if the change is refused or comes too late. */
async function change(
  request: PageRequest,
  make: (id: string, change: Change) => Promise<Outcome>,
): Promise<Answer> {
  const { params, form, person } = request;
  const version = Number(form.get('version') ?? 'none');
  try {
    const outcome = await make(params.draft ?? '', {
      by: person.name,
      version: Number.isInteger(version) ? version : 0,
    });
    const { text, to } = typeof outcome === 'string' ? { text: outcome, to: backPath(request) } : outcome;
    return { kind: 'redirect', to, notice: { state: 'done', text } };
  } catch (error) {
    const told = error instanceof ColumnMapError ? refused(error) : error;
    if (!(told instanceof UseCaseError) || told.code === 'draft_not_found') throw error;
    const notice: Notice = {
      state: 'failed',
      text: `Nothing was changed: ${sentence(told.message)}`,
      more: told.cure,
    };
    return showDraft(request, { notice, typed: form, status: statusOfError(told.code) });
  }
}

function refused({ message, cure }: ColumnMapError): UseCaseError {
  return new UseCaseError('draft_refused', message.replace('--map: ', ''), { cure });
}

async function checkedDraft({ drafts }: PageRequest, id: string): Promise<CheckedDraft> {
  const { checked } = await drafts.look(id);
  if (checked === undefined) {
    throw new UseCaseError('draft_refused', 'the sheet is being checked', { cure: 'Try again in a moment.' });
  }
  return checked;
}

/** Numbers of the rows that a form is about: those of a band, or one row. */
async function rowsOf(request: PageRequest, id: string): Promise<readonly number[]> {
  const { form } = request;
  const group = form.get('group') ?? '';
  if (group === '') {
    const row = Number(form.get('row') ?? '0');
    return Number.isInteger(row) && row > 0 ? [row] : [];
  }
  return (await bandOf(request, id)).numbers;
}

/** The band that a form is about. @throws {UseCaseError} `draft_changed` unless it has the rows that were shown. */
async function bandOf(request: PageRequest, id: string): Promise<ProblemGroup> {
  const { form } = request;
  const group = (await checkedDraft(request, id)).groups.find((each) => each.id === form.get('group'));
  if (group === undefined) throw new UseCaseError('draft_refused', 'no row has this problem any more');
  if (rowsMark(group) !== form.get('band')) {
    throw new UseCaseError('draft_changed', 'other rows have this problem now', {
      cure: 'Look at the rows as they are now, and save once more.',
    });
  }
  return group;
}

/** Takes a suggestion, exactly as it was shown: version and rows tell whether it still is. */
export function takeSuggestion(request: PageRequest): Promise<Answer> {
  return change(request, async (id, by) => {
    const { form, drafts } = request;
    const group = await bandOf(request, id);
    const found = await drafts.suggestions(id, group.id);
    const taken = found.find((each) => each.id === form.get('use'));
    if (taken === undefined) throw new UseCaseError('draft_refused', 'this is not suggested any more');
    return mend(request, id, by, { cells: [...taken.mends] });
  });
}

/** One text for all rows of a band. */
export function setText(request: PageRequest): Promise<Answer> {
  return change(request, async (id, by) => {
    const group = await bandOf(request, id);
    if (group.position < 0) throw new UseCaseError('draft_refused', 'this problem is not of one column');
    const text = (request.form.get('text') ?? '').trim();
    return mend(request, id, by, {
      cells: group.numbers.map((row) => ({ row, position: group.position, text })),
    });
  });
}

/** Texts of single cells: `c.ROW.POSITION`. Only those that differ are mended. */
export function saveCells(request: PageRequest): Promise<Answer> {
  return change(request, async (id, by) => {
    const typed = [...request.form]
      .map(([name, text]) => ({ match: /^c\.(\d{1,9})\.(\d{1,3})$/.exec(name), text }))
      .flatMap(({ match, text }) =>
        match === null ? [] : [{ row: Number(match[1]), position: Number(match[2]), text: lines(text) }],
      )
      .slice(0, mostCells);
    const cells = await different(request, id, typed);
    return cells.length === 0
      ? 'Nothing was changed: the texts are the same.'
      : mend(request, id, by, { cells });
  });
}

/** What was picked from a list, for a row or a band. */
export function savePicked(request: PageRequest): Promise<Answer> {
  return change(request, async (id, by) => {
    const { columns } = await checkedDraft(request, id);
    const rows = await rowsOf(request, id);
    return mend(request, id, by, { cells: readPicked(request.form, columns, rows) });
  });
}

async function different(
  { drafts }: PageRequest,
  id: string,
  typed: readonly CellMend[],
): Promise<readonly CellMend[]> {
  const cells: CellMend[] = [];
  for (const [row, mends] of Map.groupBy(typed, (each) => each.row)) {
    const [found] = (await drafts.window(id, 'all', row - 1, 1)).rows;
    for (const each of mends) if (lines(found?.cells[each.position] ?? '') !== each.text) cells.push(each);
  }
  return cells;
}

async function mend(
  { drafts }: PageRequest,
  id: string,
  by: Change,
  { cells = [], ...rest }: { readonly cells?: readonly CellMend[] } & Omit<Mend, 'cells'>,
): Promise<string> {
  const rows = new Set(cells.map(({ row }) => row)).size;
  const view = await drafts.mend(id, by, { ...rest, cells: [...cells] }, `mended ${count(rows, 'row')}`);
  const left = view.checked?.refused ?? 0;
  return `${count(rows, 'row')} mended. ${left === 0 ? 'Nothing is left to mend.' : `${count(left, 'row')} left to mend.`}`;
}

export function leaveOut(request: PageRequest): Promise<Answer> {
  return change(request, async (id, by) => {
    const rows = await rowsOf(request, id);
    await request.drafts.mend(id, by, { leaveOut: [...rows] }, `left out ${count(rows.length, 'row')}`);
    return `${count(rows.length, 'row')} left out.`;
  });
}

export function takeIn(request: PageRequest): Promise<Answer> {
  return change(request, async (id, by) => {
    const rows = await rowsOf(request, id);
    await request.drafts.mend(id, by, { takeIn: [...rows] }, `took in ${count(rows.length, 'row')}`);
    return `${count(rows.length, 'row')} taken in again.`;
  });
}

export function undo(request: PageRequest): Promise<Answer> {
  return change(request, async (id, by) => {
    await request.drafts.undo(id, by);
    return 'The last change is taken back.';
  });
}

/** What the columns are: `col.POSITION`. */
export function saveColumns(request: PageRequest): Promise<Answer> {
  return change(request, async (id, by) => {
    const { drafts, form, runtime } = request;
    const { draft } = await drafts.look(id);
    const { columns } = await checkedDraft(request, id);
    const map: Record<string, string> = { ...draft.reading.map };
    for (const { position, title, column } of columns) {
      const chosen = form.get(`col.${position}`) ?? '';
      if (chosen !== '' && chosen !== column) map[title] = chosen;
    }
    // A map that cannot be used is told at once, not by a check that fails.
    createColumnMap(Object.entries(map));
    await drafts.read(id, by, { map });
    if (form.get('remember') === 'yes') {
      await rememberColumns(
        runtime,
        columns.map(({ title }) => title),
        map,
      );
    }
    return 'The columns are as you said.';
  });
}

export function saveZone(request: PageRequest): Promise<Answer> {
  return change(request, async (id, by) => {
    const timezone = request.form.get('zone') ?? '';
    await request.drafts.read(id, by, { timezone });
    return `Times without a zone are of ${timezone}.`;
  });
}

export function saveReading(request: PageRequest): Promise<Answer> {
  return change(request, async (id, by) => {
    const { form, drafts } = request;
    const chosen = ['sheet', 'delimiter', 'encoding']
      .filter((name) => form.has(name))
      .map((name) => [name, form.get(name) || null] as const);
    await drafts.read(id, by, Object.fromEntries(chosen) as Parameters<typeof drafts.read>[2]);
    return 'The sheet is read so.';
  });
}

/** Every option of the form; one that is empty is taken back. */
async function choose({ drafts, form }: PageRequest, id: string, by: Change) {
  const none = { name: null, account: null, canary: null, stopAfter: null };
  return drafts.choose(id, by, { ...none, ...readOptions(form) });
}

export function saveOptions(request: PageRequest): Promise<Answer> {
  return change(request, async (id, by) => {
    await choose(request, id, by);
    return 'The options are saved.';
  });
}

/** Takes the options of the form, and starts what its button said. */
export function start(request: PageRequest): Promise<Answer> {
  return change(request, async (id, by) => {
    const { draft } = await choose(request, id, by);
    const rows = Number(request.form.get('posts') ?? 'none');
    const { campaign, isNew } = await request.drafts.start(id, { by: by.by, version: draft.version, rows });
    const text = isNew
      ? `Started: ${count(rows, 'post')} of ${campaign.name}.`
      : `It was started before, as campaign ${campaign.id}.`;
    return { text, to: `/campaigns/${campaign.id}` };
  });
}

export function checkAgain(request: PageRequest): Promise<Answer> {
  return change(request, async (id) => {
    await request.drafts.checkAgain(id);
    return 'The sheet is checked again.';
  });
}
