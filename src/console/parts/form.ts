/** Forms that change something. */
import { html } from 'hono/html';
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
    readonly isUpload?: boolean;
    /** Id of a form of the page: its fields are sent along if this form is in a dialog. */
    readonly along?: string;
  },
): Html {
  return html`<form method="post" action="${request.link(path)}"${id === undefined ? '' : html` id="${id}"`}${isUpload ? html` enctype="multipart/form-data"` : ''}${along === undefined ? '' : html` data-along="${along}"`} class="${className}"><input type="hidden" name="${csrfField}" value="${request.csrf}">${body}</form>`;
}

/** Whether this person may change things. Others see the same page without forms. */
export function mayChange({ person }: PageRequest): boolean {
  return person.role === 'operator';
}
