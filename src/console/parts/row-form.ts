/** The form of a row, in a draft and in a campaign: a field for each cell, with what is wrong with it and a list to pick from. A time is asked for in the zone of the page. */

import { timeForRow } from '../../app/campaigns/calendar/schedule.ts';
import type { Choices } from '../../manifest/cells/choices.ts';
import { extensions } from '../../manifest/cells/media-source.ts';
import type { ColumnName } from '../../manifest/columns.ts';
import type { Fix } from '../../manifest/problems/hint.ts';
import type { CellProblem } from '../../manifest/problems/problem.ts';
import { asSentence, sentence } from '../../manifest/wording.ts';
import { type Html, html, words } from '../html.ts';
import type { PageRequest } from '../request.ts';
import { hidden, options, zoneField } from './form.ts';

export interface RowForm {
  readonly request: PageRequest;
  readonly fixText: (fix: Fix) => string;
  /** Path of a list to pick from. */
  readonly listPath: (list: string) => string;
  /** Selector of the fields that are sent along to a list. */
  readonly along?: string;
  /** Folder of files that are chosen for the row, if another file has their name; undefined if it takes none. */
  readonly filesFolder?: string | undefined;
  /** Path that takes the files of a draft into the campaign of the row. */
  readonly bringPath?: string | undefined;
}

export interface RowField {
  /** In the form, and the id of its element. */
  readonly name: string;
  readonly label: Html;
  /** Undefined for a column of the planner's own. */
  readonly column: ColumnName | undefined;
  readonly text: string;
  /** What may stand in it; undefined for free texts. */
  readonly choices?: Choices | undefined;
  readonly isWrong: boolean;
  readonly problems: readonly Pick<CellProblem, 'problem' | 'fix'>[];
  readonly note: Html | string;
  readonly offers?: Html | string;
}

/** Longer texts get a text area, in characters. */
const longestLine = 80;

export function rowField(form: RowForm, field: RowField): Html {
  const { name, label, problems, note, column, offers } = field;
  const wrong = problems.map((each) => html`${cellProblem(form, each)} `);
  return html`<div><label for="${name}">${label}</label>${input(field)}<small id="${name}-note">${wrong}${note}${column && pickLink(form, column)}</small>${offers}${chooseFile(form, field)}</div>`;
}

const fileColumns: ReadonlySet<ColumnName | undefined> = new Set(['media', 'cover', 'ai_references']);

/** Sends files and writes their names into the field, by a script. */
function chooseFile(
  { request, filesFolder, bringPath }: RowForm,
  { name, column, text, isWrong }: RowField,
): Html | string {
  if (filesFolder === undefined || !fileColumns.has(column)) return '';
  const many = column === 'cover' ? '' : html` multiple`;
  const bring = bringPath && html` data-bring="${request.link(bringPath)}"`;
  const endings = [...extensions.values()].flat().map((ending) => `.${ending}`);
  return html`<span class="scripted"><label class="file">${text === '' || isWrong ? 'Add the file…' : 'Replace the file…'}<input type="file" data-into="${name}" data-folder="${filesFolder}"${bring} accept="${endings.join()}"${many}></label> <small role="status"></small></span>`;
}

/** Two share a line where there is room; long texts have one of their own. */
export function rowFields(form: RowForm, fields: readonly RowField[]): Html | string {
  return fields.length === 0
    ? ''
    : html`<div class="halves">${fields.map((field) => rowField(form, field))}</div>`;
}

export function foldedFields(form: RowForm, summary: string, fields: readonly RowField[]): Html {
  return html`<details><summary>${summary}</summary>${rowFields(form, fields)}</details>`;
}

export function cellProblem(
  { fixText }: Pick<RowForm, 'fixText'>,
  { problem, fix }: RowField['problems'][number],
): Html {
  return html`<span class="fault">${words(asSentence(problem))}</span> ${words(sentence(fixText(fix)))}`;
}

function input({ name, column, text, choices, isWrong }: RowField): Html {
  const marks = html` aria-describedby="${name}-note"${isWrong ? html` aria-invalid="true"` : ''}`;
  const isLong =
    column === 'caption' || column === 'ai_prompt' || text.length > longestLine || /[\r\n]/.test(text);
  // Browsers drop the first line feed in a text area.
  if (isLong)
    return html`<textarea id="${name}" name="${name}" rows="2" dir="auto"${marks}>
${text}</textarea>`;
  return column === 'scheduled_tz'
    ? zoneField(html` id="${name}" name="${name}"${marks}`, text)
    : choiceField(choices, { name, value: text, id: name, marks });
}

interface ChoiceField {
  readonly name: string;
  readonly value: string;
  readonly id?: string | undefined;
  readonly size?: number | undefined;
  readonly marks?: Html | string;
}

/** A list to choose from, or a field with proposals. A text that is not among them stays, as the first choice. */
export function choiceField(choices: Choices | undefined, field: ChoiceField): Html {
  const { name, value, id, size = 14, marks: more = '' } = field;
  const marks = html`${id !== undefined && html` id="${id}"`}${more}`;
  if (choices === undefined)
    return html`<input name="${name}" value="${value}" size="${size}" dir="auto"${marks}>`;
  if (!choices.isOpen) {
    const other = choices.texts.includes(value) ? [] : [[value, value === '' ? 'choose' : value] as const];
    return html`<select name="${name}"${marks}>${options([...other, ...choices.texts], value)}</select>`;
  }
  const list = `list-${(id ?? name).replaceAll('.', '-')}`;
  return html`<input name="${name}" value="${value}" size="${size}" list="${list}" dir="auto"${marks}><datalist id="${list}">${choices.texts.map((text) => html`<option value="${text}"></option>`)}</datalist>`;
}

/** `pickers.ts` has the lists. */
export const pickers: Readonly<
  Record<string, { readonly path: string; readonly label: string } | undefined>
> = {
  creator: { path: 'creator', label: 'Find a creator…' },
  product_id: { path: 'product', label: 'Find a product…' },
  product_title: { path: 'product', label: 'Find a product…' },
  music_id: { path: 'music', label: 'Find music…' },
  ai_model: { path: 'model', label: 'Choose a model…' },
  ai_seconds: { path: 'model', label: 'Choose a model…' },
  ai_size: { path: 'model', label: 'Choose a model…' },
  ai_aspect_ratio: { path: 'model', label: 'Choose a model…' },
};

function pickLink({ request, listPath, along }: RowForm, column: ColumnName): Html | string {
  // The list of products is beside the id.
  const picker = column === 'product_title' ? undefined : pickers[column];
  if (picker === undefined) return '';
  const path = request.link(listPath(picker.path));
  return html` <a href="${path}" hx-get="${path}"${along && html` hx-include="${along}"`} hx-target="#question" hx-swap="innerHTML">${picker.label}</a>`;
}

/** Asks in the zone of the page for the time of a row. @param own zone of the row's time; undefined for one with an offset. */
export function timeField(zone: string, own: string | undefined, local: string): Html {
  return html`${hidden('asked-in', zone)}${hidden('own-zone', own)}<label>New time (${zone})<input type="datetime-local" name="c.scheduled_at" value="${local}" required></label>`;
}

/** The time as the row has it. One of a form that asks in no zone stays as it was typed. */
export function askedTime(form: URLSearchParams, local: string): string {
  const zone = form.get('asked-in');
  return zone === null ? local : timeForRow(local, zone, form.get('own-zone') ?? undefined);
}

/** Says both zones where they differ; else nothing. */
export function zonesOfMove(form: URLSearchParams): Html | string {
  const [zone, own] = [form.get('asked-in'), form.get('own-zone')];
  if (zone === null || own === null || zone === own) return '';
  const local = (form.get('c.scheduled_at') ?? '').slice(0, 16).replace('T', ' ');
  return html`<p><b>${local}</b> in ${zone.slice(0, 40)}. The sheet has this time in ${own.slice(0, 40)}:</p>`;
}
