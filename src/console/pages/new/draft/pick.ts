/** The lists of `pickers.ts` for a draft: the picked entry fills cells of a row, or of the rows of its kind that say the same. */
import { textIn } from '../../../../app/drafts/check/check-view.ts';
import type { DraftRow, ProblemGroup } from '../../../../app/drafts/view.ts';
import type { ColumnName } from '../../../../manifest/columns.ts';
import { plural } from '../../../../manifest/wording.ts';
import { type Html, html, words } from '../../../html.ts';
import { hidden } from '../../../parts/form.ts';
import type { More, Picked, Picking } from '../../../parts/pickers.ts';
import type { PageRequest } from '../../../request.ts';
import { columnOf } from './columns.ts';
import { draftForm, draftPath, rowsMark } from './draft-view.ts';
import { bandMeant, columnNamed, rowsMeant } from './form.ts';
import { readRow, type ShownRow } from './row.ts';
import { briefly } from './saving.ts';

/** Most rows of a kind that are compared, and how many are read at once. */
const mostCompared = 5000;
const rowsRead = 500;

interface KindRows {
  readonly group: ProblemGroup;
  readonly rows: readonly DraftRow[];
}

export async function readPicking(request: PageRequest): Promise<Picking> {
  const asked = await readRow(request);
  const { shown, row } = asked;
  const { draft = '', what = '' } = request.params;
  const kinds = what === '' ? [] : await kindsOf(asked);
  return {
    request,
    what,
    sheetProducts: (text) => request.drafts.products(draft, text),
    text: (column) => textIn(shown.checked, row, column),
    field: (column) => `p.${column}`,
    take: (picked, label, more) => take(asked, kinds, { picked, label, more }),
    path: draftPath(draft, `/pick/${what}`),
    kept: ['row', 'group', 'band', 'rows', 'page'],
    pictures: draftPath(draft, `/pictures/${row.number}`),
    back: draftPath(draft),
  };
}

/** The kind that the list was opened for; else those of the row. */
async function kindsOf({ shown, row }: ShownRow): Promise<readonly KindRows[]> {
  const { request, checked } = shown;
  const band = request.query.get('group') ?? '';
  const own = new Set(band === '' ? (row.problems ?? []).map(({ group }) => group) : [band]);
  const kinds: KindRows[] = [];
  for (const group of checked.groups)
    if (own.has(group.id) && group.count > 1) kinds.push(await readRows(shown, group));
  return kinds;
}

async function readRows({ request, view }: ShownRow['shown'], group: ProblemGroup): Promise<KindRows> {
  const rows: DraftRow[] = [];
  for (let from = 0; from < Math.min(group.count, mostCompared); from += rowsRead)
    rows.push(...(await request.drafts.window(view.draft.id, group.id, from, rowsRead)).rows);
  return { group, rows };
}

/** Numbers of the rows of a kind whose texts in all these columns are those of the row. */
function sameRows({ shown, row }: ShownRow, { group, rows }: KindRows, of: readonly ColumnName[]) {
  const { checked } = shown;
  // Rows without an id are not of one piece of music: their titles tell.
  const names = of.includes('music_id') ? [...new Set([...of, 'music_title' as const])] : of;
  const [name] = names;
  // All rows of a very large kind, too.
  if (
    name !== undefined &&
    names.length === 1 &&
    group.isSameValue &&
    textIn(checked, row, name) === group.value
  )
    return group.numbers;
  return rows
    .filter((other) => names.every((each) => textIn(checked, other, each) === textIn(checked, row, each)))
    .map(({ number }) => number);
}

interface Entry {
  readonly picked: Picked;
  readonly label: Html;
  readonly more?: More | undefined;
}

/** A form that writes an entry into the row, or into the rows that say the same. A list for a kind has no button for the row alone. */
function take(asked: ShownRow, kinds: readonly KindRows[], { picked, label, more }: Entry): Html {
  const { shown, row } = asked;
  const { query } = shown.request;
  const names = [...(Object.keys(picked) as ColumnName[]), ...(more?.names ?? [])];
  const kind = kinds.find(({ group }) => {
    const column = columnOf(shown, group);
    return column !== undefined && names.includes(column);
  });
  const ofBand = query.get('group') ?? '';
  const [group, band] =
    kind === undefined || ofBand !== ''
      ? [ofBand, query.get('band') ?? '']
      : [kind.group.id, rowsMark(kind.group)];
  const same = kind === undefined ? '' : describeSame(asked, kind, names);
  const [one, all] =
    same === '' ? [label, ''] : ofBand === '' ? [label, html`In ${same}`] : ['', html`${label} in ${same}`];
  const fields = Object.entries(picked).map(([name, text]) => hidden(`p.${name}`, text));
  return draftForm(shown, {
    path: '/picked',
    className: 'actions',
    body: html`${hidden('row', row.number)}${hidden('group', group)}${hidden('band', band)}${fields}${more?.fields ?? ''}${one !== '' && html`<button name="for" value="row">${one}</button> `}${all !== '' && html`<button name="for" value="same">${all}</button>`}`,
  });
}

/** `all 3 rows that say Anna`; empty if the row is the only one. */
function describeSame(asked: ShownRow, kind: KindRows, names: readonly ColumnName[]): Html | string {
  const { shown, row } = asked;
  const many = sameRows(asked, kind, names).length;
  if (many < 2) return '';
  const name = columnOf(shown, kind.group);
  if (name === undefined || sameRows(asked, kind, [name]).length > many)
    return `${plural(many, 'row')} with the same texts`;
  const text =
    textIn(shown.checked, row, name) ||
    (name === 'music_id' ? textIn(shown.checked, row, 'music_title') : '');
  const rows = `all ${plural(many, 'row')}`;
  return text === '' ? `${rows} where it is empty` : html`${rows} that say ${words(briefly(text))}`;
}

/** Numbers of the rows that an entry is picked for. @throws {UseCaseError} as `rowsMeant`. */
export async function rowsPicked(request: PageRequest, id: string): Promise<readonly number[]> {
  const band = request.form.get('for') === 'same' ? await bandMeant(request, id) : undefined;
  if (band === undefined) return rowsMeant(request, id);
  const asked = await readRow(request);
  const names = [...request.form.keys()].flatMap((field) =>
    field.startsWith('p.') ? (columnNamed(field.slice(2)) ?? []) : [],
  );
  return sameRows(asked, await readRows(asked.shown, band), [...new Set(names)]);
}
