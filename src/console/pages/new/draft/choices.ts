/** What may stand in the column of a band, and fields for columns that the sheet lacks. */
import { mayDo } from '../../../../app/access/roles.ts';
import type { ProblemGroup } from '../../../../app/drafts/view.ts';
import { type Choices, choicesOf } from '../../../../manifest/cells/choices.ts';
import { type ColumnName, columns as catalogue } from '../../../../manifest/columns.ts';
import { captionMark, noteMark } from '../../../../manifest/headers/column-map.ts';
import { capitalized, sentence } from '../../../../manifest/wording.ts';
import { type Html, html } from '../../../html.ts';
import { section } from '../../../parts/blocks.ts';
import { zoneChoices } from '../../../parts/form.ts';
import { choiceField } from '../../../parts/row-form.ts';
import { action, type ShownDraft } from './draft-view.ts';
import { columnNamed } from './form.ts';

/** Most rows of a band whose models are looked at. */
const mostRows = 500;

/** The column that a band is about, whether the sheet has it or not. */
export function columnOf(
  { checked }: Pick<ShownDraft, 'checked'>,
  { position, column }: ProblemGroup,
): ColumnName | undefined {
  const own = checked.columns.find((each) => each.position === position)?.column;
  if (own !== undefined && own !== null) return own === noteMark || own === captionMark ? undefined : own;
  return position < 0 ? columnNamed(column) : undefined;
}

/** What may stand in the column of a band, for all its rows. */
export async function choicesOfBand(
  shown: Pick<ShownDraft, 'request' | 'view' | 'checked'>,
  group: ProblemGroup,
): Promise<Choices | undefined> {
  const { request, view, checked } = shown;
  const column = columnOf(shown, group);
  if (column === undefined) return undefined;
  if (column === 'scheduled_tz') return { texts: zoneChoices('UTC'), isOpen: false };
  const model = checked.columns.find((each) => each.column === 'ai_model')?.position;
  if (column !== 'ai_seconds' || model === undefined) return choicesOf(column);
  const { rows } = await request.drafts.window(view.draft.id, group.id, 0, mostRows);
  return choicesOf(column, rows.map(({ cells }) => cells[model] ?? '').filter(Boolean));
}

/** The columns that every sheet needs and this one lacks: one text for all rows, to be edited there. */
export function lackedColumns({ request, checked, view, typed }: ShownDraft): Html | string {
  const names = checked.blocking
    .filter(({ code }) => code === 'missing_column')
    .flatMap(({ column }) => columnNamed(column) ?? []);
  if (names.length === 0 || !mayDo(request, 'edit')) return '';
  const elsewhere = checked.notices.find(({ code }) => code === 'ids_in_other_sheet');
  const lines = names.map((name) => {
    const { explanation } = catalogue.find((each) => each.name === name) ?? {};
    const field = `add.${name}`;
    return html`<p><label for="${field}">${name}</label>${choiceField(choicesOf(name), { name: field, id: field, value: typed?.get(field) ?? '' })}<small>${explanation ?? ''} ${name === 'product_id' && elsewhere ? `${sentence(capitalized(elsewhere.problem))} Leave it empty here: the id of each row is offered then.` : ''}</small></p>`;
  });
  return section(
    { id: 'lacked', title: 'Columns that the sheet lacks', note: 'If none of your columns is one of these.' },
    html`<div class="fields">${lines}<p class="actions"><button ${action({ request, view }, '/add-columns')}>Add ${names.length === 1 ? 'this column' : 'these columns'}</button> <span class="note">One text for all rows, or leave it empty and fill in each row.</span></p></div>`,
  );
}
