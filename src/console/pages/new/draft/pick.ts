/** The lists of `pickers.ts` for a draft: the picked entry fills cells of a row or a band. */
import { textIn } from '../../../../app/drafts/check/check-view.ts';
import type { ColumnName } from '../../../../manifest/columns.ts';
import { plural } from '../../../../manifest/wording.ts';
import { type Html, html } from '../../../html.ts';
import { hidden } from '../../../parts/form.ts';
import type { More, Picked, Picking } from '../../../parts/pickers.ts';
import type { PageRequest } from '../../../request.ts';
import { columnOf } from './columns.ts';
import { draftForm, draftPath, rowsMark } from './draft-view.ts';
import { readRow, type ShownRow } from './row.ts';

export async function readPicking(request: PageRequest): Promise<Picking> {
  const asked = await readRow(request);
  const { shown, row } = asked;
  const { draft = '', what = '' } = request.params;
  return {
    request,
    what,
    sheetProducts: (text) => request.drafts.products(draft, text),
    text: (column) => textIn(shown.checked, row, column),
    field: (column) => `p.${column}`,
    take: (picked, label, more) => take(asked, picked, label, more),
    path: draftPath(draft, `/pick/${what}`),
    kept: ['row', 'group', 'band', 'rows', 'page'],
    pictures: draftPath(draft, `/pictures/${row.number}`),
    back: draftPath(draft),
  };
}

/** A form that writes the picked entry into the cells: of the band that the list was opened for, or of the row, or of all rows with its problem. */
function take(asked: ShownRow, picked: Picked, label: Html, more?: More): Html {
  const { shown, row } = asked;
  const { query } = shown.request;
  const fields = Object.entries(picked).map(([name, text]) => hidden(`p.${name}`, text));
  const ofBand = query.get('group') ?? '';
  const same =
    ofBand === ''
      ? sameProblem(asked, [...(Object.keys(picked) as ColumnName[]), ...(more?.names ?? [])])
      : undefined;
  const [group, band] = same === undefined ? [ofBand, query.get('band') ?? ''] : [same.id, rowsMark(same)];
  const buttons =
    same === undefined
      ? html`<button>${label}</button>`
      : html`<button name="for" value="row">${label}</button> <button name="for" value="band">In all ${plural(same.count, 'row')} like this</button>`;
  return draftForm(shown, {
    path: '/picked',
    className: 'actions',
    body: html`${hidden('row', row.number)}${hidden('group', group)}${hidden('band', band)}${fields}${more?.fields ?? ''}${buttons}`,
  });
}

/** The largest band of rows with a problem of the row in one of the columns, if there are others. */
function sameProblem({ shown, row }: ShownRow, names: readonly ColumnName[]) {
  const own = new Set((row.problems ?? []).map(({ group }) => group));
  return shown.checked.groups.find((group) => {
    const column = columnOf(shown, group);
    return own.has(group.id) && group.count > 1 && column !== undefined && names.includes(column);
  });
}
