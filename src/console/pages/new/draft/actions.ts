/** Handlers of a draft's forms. Each makes one change and shows the page again. */
import type { Change } from '../../../../drafts/drafts.ts';
import type { CellMend } from '../../../../drafts/mends.ts';
import { rememberColumns } from '../../../../drafts/remembered-columns.ts';
import { createColumnMap } from '../../../../manifest/headers/column-map.ts';
import { UseCaseError } from '../../../../runtime/use-case-error.ts';
import { count } from '../../../parts/numbers/numbers.ts';
import type { Answer, PageRequest } from '../../../request.ts';
import { change, type Marks } from './change.ts';
import { readPicked } from './picked.ts';
import { checkedDraft, findBand, rowsIn } from './sheet/typed.ts';
import { startedBefore } from './start/started.ts';

/** The band of a request: from the address of its button, or from the form of a list. */
function bandIn({ form, query }: PageRequest): { readonly group: string; readonly mark: string } {
  const field = (name: string) => query.get(name) ?? form.get(name) ?? '';
  return { group: field('group'), mark: field('band') };
}

/** Numbers of the rows to change: all rows of a band, or one row. */
async function rowsOf(request: PageRequest, id: string): Promise<readonly number[]> {
  const { group, mark } = bandIn(request);
  if (group !== '') return (await findBand(request, id, group, mark)).numbers;
  const row = Number(request.form.get('row') ?? '0');
  return Number.isInteger(row) && row > 0 ? [row] : [];
}

/** Accepts a suggestion, if version and rows are still those that were shown. */
export function takeSuggestion(request: PageRequest): Promise<Answer> {
  return change(request, async (id, by, typed) => {
    const { form, drafts } = request;
    const { group, mark } = bandIn(request);
    const band = await findBand(request, id, group, mark);
    const found = await drafts.suggestions(id, band.id);
    const taken = found.find((each) => each.id === form.get('use'));
    if (taken === undefined) throw new UseCaseError('draft_refused', 'the sheet no longer suggests this');
    return mend(request, id, by, typed.take(taken.mends), taken.mends);
  });
}

/** Saves the texts that differ from the sheet, and which rows are to be posted again. */
export function saveCells(request: PageRequest): Promise<Answer> {
  return change(request, async (id, by, typed) => {
    const marks = typed.takeMarks();
    if (marks !== undefined) return mark(request, id, by, marks, typed.take());
    const cells = typed.take();
    if (cells.length > 0) return mend(request, id, by, cells);
    return typed.hasOptions ? 'The options are saved.' : 'Nothing was changed: the texts are the same.';
  });
}

/** Saves the entry picked from a list, for a row or a band. */
export function savePicked(request: PageRequest): Promise<Answer> {
  return change(request, async (id, by, typed) => {
    const { columns } = await checkedDraft(request, id);
    const rows = await rowsOf(request, id);
    const picked = readPicked(request.form, columns, rows);
    return mend(request, id, by, typed.take(picked), picked);
  });
}

interface Done {
  readonly text: string;
  readonly more: string;
}

const mostNamed = 5;

/** Names rows by number, for the audit. */
function whichRows(rows: readonly number[]): string {
  const all = [...new Set(rows)];
  const named = all.slice(0, mostNamed).join(', ');
  const more = all.length > mostNamed ? ` and ${(all.length - mostNamed).toLocaleString('en')} more` : '';
  return `${all.length === 1 ? 'Row' : 'Rows'} ${named}${more}, counted without the header.`;
}

/** @param meant the cells that the button changes; the form may have others that were typed elsewhere on the page. */
async function mend(
  { drafts }: PageRequest,
  id: string,
  by: Change,
  cells: CellMend[],
  meant: readonly CellMend[] = cells,
): Promise<Done> {
  const rows = rowsIn(cells);
  const { checked } = await drafts.mend(id, by, { cells }, `mended ${count(rows, 'row')}`);
  const left = checked?.refused ?? 0;
  const typed = rows - rowsIn(meant);
  const also = typed === 0 ? '' : `, and ${count(typed, 'row')} that you typed into`;
  const open = left === 0 ? 'Nothing is left to mend.' : `${count(left, 'row')} left to mend.`;
  return {
    text: `${count(rowsIn(meant), 'row')} mended${also}. ${open}`,
    more: whichRows(cells.map(({ row }) => row)),
  };
}

/** Rows to be posted again although they are posts of other campaigns, or not. */
async function mark(
  { drafts }: PageRequest,
  id: string,
  by: Change,
  { postAgain, postOnce }: Marks,
  cells: CellMend[] = [],
): Promise<Done> {
  const text = [
    ...(postAgain.length > 0 ? [`${count(postAgain.length, 'row')} will be posted again.`] : []),
    ...(postOnce.length > 0 ? [`${count(postOnce.length, 'row')} will not be posted again.`] : []),
  ].join(' ');
  await drafts.mend(id, by, { postAgain, postOnce, cells }, `chose which rows are posted again`);
  return { text, more: whichRows([...postAgain, ...postOnce]) };
}

export function leaveOut(request: PageRequest): Promise<Answer> {
  return change(request, async (id, by, typed) => {
    const rows = await rowsOf(request, id);
    const what = `left out ${count(rows.length, 'row')}`;
    await request.drafts.mend(id, by, { leaveOut: [...rows], cells: typed.take() }, what);
    return { text: `${count(rows.length, 'row')} left out.`, more: whichRows(rows) };
  });
}

export function takeIn(request: PageRequest): Promise<Answer> {
  return change(request, async (id, by, typed) => {
    const rows = await rowsOf(request, id);
    const what = `took in ${count(rows.length, 'row')}`;
    await request.drafts.mend(id, by, { takeIn: [...rows], cells: typed.take() }, what);
    return { text: `${count(rows.length, 'row')} taken in again.`, more: whichRows(rows) };
  });
}

export function undo(request: PageRequest): Promise<Answer> {
  return change(request, async (id, by) => {
    await request.drafts.undo(id, by);
    return 'The last change is undone.';
  });
}

/** Saves which columns are which; fields `col.POSITION`. */
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
    // Refuses an invalid map at once. The check would fail later.
    createColumnMap(Object.entries(map));
    await drafts.read(id, by, { map });
    if (form.get('remember') === 'yes') {
      await rememberColumns(
        runtime,
        columns.map(({ title }) => title),
        map,
      );
    }
    return 'The columns are saved.';
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
  return change(request, async (id, by, typed) => {
    const { form, drafts } = request;
    // Another reading has other rows, so typed cells are dropped.
    typed.take();
    const chosen = ['sheet', 'delimiter', 'encoding']
      .filter((name) => form.has(name))
      .map((name) => [name, form.get(name) || null] as const);
    await drafts.read(id, by, Object.fromEntries(chosen) as Parameters<typeof drafts.read>[2]);
    return 'The sheet is read again.';
  });
}

export function saveOptions(request: PageRequest): Promise<Answer> {
  return change(request, async () => 'The options are saved.');
}

/** Saves the options of the form, and starts the posts that its button named. */
export function start(request: PageRequest): Promise<Answer> {
  return change(
    request,
    async (id, by, typed) => {
      const { drafts, form } = request;
      const notYet = 'Nothing was started yet: look at the plan, then press Start.';
      const cells = typed.take();
      if (cells.length > 0) {
        const done = await mend(request, id, by, cells);
        return { state: 'warning', text: `${done.text} ${notYet}` };
      }
      const marks = typed.takeMarks();
      if (marks !== undefined) {
        const done = await mark(request, id, by, marks);
        return { ...done, state: 'warning', text: `${done.text} ${notYet}` };
      }
      const rows = Number(form.get('posts') ?? 'none');
      const agreed = { by: by.by, version: by.version ?? 0, rows, options: typed.takeOptions() };
      const { campaign, isNew } = await drafts.start(id, agreed);
      const text = isNew ? `Started: ${count(rows, 'post')} of ${campaign.name}.` : startedBefore(campaign);
      return { text, to: `/campaigns/${campaign.id}` };
    },
    'started',
  );
}

export function checkAgain(request: PageRequest): Promise<Answer> {
  return change(request, async (id) => {
    await request.drafts.checkAgain(id);
    return 'The sheet is checked again.';
  });
}
