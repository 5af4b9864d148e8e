/** Shared by the parts of a draft's page. */
import { createHash } from 'node:crypto';
import { html } from 'hono/html';
import type { CheckedDraft, DraftView, ProblemGroup } from '../../../../drafts/view.ts';
import type { Html } from '../../../html.ts';
import { form } from '../../../parts/form.ts';
import type { PageRequest } from '../../../request.ts';
import { type Asked, draftPath, nameOf } from './address.ts';

export interface ShownDraft {
  readonly request: PageRequest;
  readonly view: DraftView;
  readonly checked: CheckedDraft;
  readonly asked: Asked;
  /** Texts of a form that was not saved, to show again in its fields. */
  readonly typed: URLSearchParams | undefined;
}

/** Hidden fields of each form: version of the draft, and the page to return to. */
export function hiddenFields({ view, asked }: Pick<ShownDraft, 'view' | 'asked'>): Html {
  return html`<input type="hidden" name="version" value="${view.draft.version}"><input type="hidden" name="rows" value="${nameOf(asked.rows)}"><input type="hidden" name="page" value="${asked.page}">`;
}

/** Cures of problems of the header, by code. */
export const aboutColumns: ReadonlyMap<string, string> = new Map([
  ['unknown_column', 'Say below what the column is, or that it is a note.'],
  ['duplicate_column', 'Say below what each column is, or that it is a note.'],
  ['missing_column', 'Say below which of the columns it is.'],
]);

export function isAboutColumns(code: string): boolean {
  return aboutColumns.has(code);
}

/** Identifies the rows of a band: a later check may find other rows in the same version of the draft. 16 hexadecimal digits. */
export function rowsMark({ count, numbers }: ProblemGroup): string {
  const bytes = Float64Array.from([count, ...numbers]);
  return createHash('sha256').update(bytes).digest('hex').slice(0, 16);
}

/** Id of the form around the whole page: each button sends everything that was typed. */
export const pageForm = 'draft';

/** Attribute with the address of a button in the page's form. @param path below the path of the draft. */
export function action({ request, view }: Pick<ShownDraft, 'request' | 'view'>, path: string): Html {
  return html`formaction="${request.link(draftPath(view.draft.id, path))}"`;
}

/** A form in a dialog that changes the draft; the page's fields are sent along. @param path below the path of the draft. */
export function draftForm(
  shown: Pick<ShownDraft, 'request' | 'view' | 'asked'>,
  { path, body, ...rest }: { path: string; body: Html; className?: string; id?: string },
): Html {
  return form(shown.request, {
    ...rest,
    path: draftPath(shown.view.draft.id, path),
    along: pageForm,
    body: html`${hiddenFields(shown)}${body}`,
  });
}
