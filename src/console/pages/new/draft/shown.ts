/** What the parts of a draft's page share. */
import { createHash } from 'node:crypto';
import { html } from 'hono/html';
import type {
  CheckedDraft,
  DraftView,
  ProblemGroup,
} from '../../../../campaigns/drafts/check/checked-draft.ts';
import type { Html } from '../../../html.ts';
import { form } from '../../../parts/form.ts';
import type { PageRequest } from '../../../request.ts';
import { type Asked, draftPath, nameOf } from './address.ts';

export interface ShownDraft {
  readonly request: PageRequest;
  readonly view: DraftView;
  readonly checked: CheckedDraft;
  readonly asked: Asked;
  /** What a form brought that was not saved: shown again in its fields. */
  readonly typed: URLSearchParams | undefined;
}

/** Version of the draft, and the page to come back to. */
export function hiddenFields({ view, asked }: Pick<ShownDraft, 'view' | 'asked'>): Html {
  return html`<input type="hidden" name="version" value="${view.draft.version}"><input type="hidden" name="rows" value="${nameOf(asked.rows)}"><input type="hidden" name="page" value="${asked.page}">`;
}

/** What to do about a problem of the header, by its code. */
export const aboutColumns: ReadonlyMap<string, string> = new Map([
  ['unknown_column', 'Say below what the column is, or that it is a note.'],
  ['duplicate_column', 'Say below what each column is, or that it is a note.'],
  ['missing_column', 'Say below which of the columns it is.'],
]);

export function isAboutColumns(code: string): boolean {
  return aboutColumns.has(code);
}

/** Tells the rows of a band: a later check may find others, while the version of the draft stays. 16 hexadecimal digits. */
export function rowsMark({ count, numbers }: ProblemGroup): string {
  const bytes = Float64Array.from([count, ...numbers]);
  return createHash('sha256').update(bytes).digest('hex').slice(0, 16);
}

/** Id of the form that the whole page is: what was typed anywhere goes along with each of its buttons. */
export const pageForm = 'draft';

/** The address that a button of the page's form leads to. @param path below that of the draft. */
export function action({ request, view }: Pick<ShownDraft, 'request' | 'view'>, path: string): Html {
  return html`formaction="${request.link(draftPath(view.draft.id, path))}"`;
}

/** A form of a dialog that changes the draft: what was typed on the page goes along. @param path below that of the draft. */
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
