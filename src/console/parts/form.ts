/** Forms and their fields. */
import { html } from 'hono/html';
import { presentable } from '../../manifest/presentable.ts';
import type { Html } from '../html.ts';
import type { PageRequest } from '../request.ts';

/** Name of the field with the CSRF token. */
export const csrfField = '_csrf';

/** A form for POST, with its CSRF token. @param path within the console. */
export function form(
  request: PageRequest,
  {
    path,
    body,
    className = '',
    id,
    isUpload = false,
    along,
  }: {
    readonly path: string;
    readonly body: Html;
    readonly className?: string;
    readonly id?: string;
    readonly isUpload?: boolean | undefined;
    /** Id of a form of the page: its fields are sent along if this form is in a dialog. */
    readonly along?: string;
  },
): Html {
  return html`<form method="post" action="${request.link(path)}"${id === undefined ? '' : html` id="${id}"`}${isUpload ? html` enctype="multipart/form-data"` : ''}${along === undefined ? '' : html` data-along="${along}"`} class="${className}">${hidden(csrfField, request.csrf)}${body}</form>`;
}

/** Whether this person may change things. Others see the same page without forms. */
export function mayChange({ person }: PageRequest): boolean {
  return person.role === 'operator';
}

/** A hidden field; nothing if it has no value. */
export function hidden(name: string, value: string | number | null | undefined): Html | string {
  return value === undefined || value === null
    ? ''
    : html`<input type="hidden" name="${name}" value="${value}">`;
}

/** All fields of a form or an address, hidden. */
export function hiddenFields(fields: Iterable<readonly [name: string, value: string]>): readonly Html[] {
  return Array.from(fields, ([name, value]) => html`${hidden(name, value)}`);
}

type Option = readonly [value: string, label: string];

/** The choices of a `select`. @param chosen value of the one that is selected. */
export function options(of: readonly Option[], chosen: string | undefined): readonly Html[] {
  return of.map(
    ([value, label]) =>
      html`<option value="${value}"${value === chosen ? html` selected` : ''}>${presentable(label)}</option>`,
  );
}

/** A labelled choice. Put `['', 'All']` first for a filter. */
export function select(
  label: string,
  name: string,
  of: readonly Option[],
  chosen: string | undefined = '',
): Html {
  return html`<label>${label}<select name="${name}">${options(of, chosen)}</select></label>`;
}

/** The field for a sheet. */
export function sheetField(): Html {
  return html`<p><label>Sheet: CSV, Excel or JSON<input type="file" name="sheet" accept=".csv,.tsv,.txt,.xlsx,.json,.jsonl" required></label></p>`;
}
