/** Shared by the parts of a draft's page: what is shown, its addresses and forms. */

import { createHash } from 'node:crypto';
import { ownerOfMedia } from '../../../../app/drafts/files/media.ts';
import { windowSchema } from '../../../../app/drafts/schemas.ts';
import type { CheckedDraft, DraftView, ProblemGroup, WindowOf } from '../../../../app/drafts/view.ts';
import { type Html, html } from '../../../html.ts';
import { form, hidden } from '../../../parts/form.ts';
import { textIn } from '../../../parts/list.ts';
import type { PageRequest } from '../../../request.ts';

export interface ShownDraft {
  readonly request: PageRequest;
  readonly view: DraftView;
  readonly checked: CheckedDraft;
  readonly asked: DraftRowQuery;
  /** Texts of a form that was not saved, to show again in its fields. */
  readonly typed: URLSearchParams | undefined;
}

/** Whether the draft takes files: that of an update does if the campaign's media are where the console puts them. */
export async function takesMedia({
  request,
  view,
  checked,
}: Pick<ShownDraft, 'request' | 'view' | 'checked'>): Promise<boolean> {
  if (view.draft.into === undefined) return true;
  const campaign = checked.update?.campaign;
  return campaign !== undefined && (await ownerOfMedia(request.runtime, campaign)) !== undefined;
}

/** Hidden fields of each form: version of the draft, and the page to return to. */
export function hiddenFields({ view, asked }: Pick<ShownDraft, 'view' | 'asked'>): Html {
  const { rows, page, text } = asked;
  return html`<input type="hidden" name="version" value="${view.draft.version}"><input type="hidden" name="rows" value="${rows}"><input type="hidden" name="page" value="${page}">${hidden('q', text || null)}`;
}

/** Problems that are solved by saying what the columns are. */
export const aboutColumns: ReadonlySet<string> = new Set([
  'unknown_column',
  'duplicate_column',
  'doubtful_column',
  'missing_column',
]);

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

export interface DraftRowQuery {
  readonly rows: WindowOf;
  /** From 0; the row after which a search goes on. */
  readonly page: number;
  /** The text that is searched; empty for all rows. */
  readonly text: string;
}

/** Whether the page shows a sheet in which nothing is left to fix. */
export function isReady({ checked, asked }: Pick<ShownDraft, 'checked' | 'asked'>): boolean {
  const { rows, refused, blocking } = checked;
  return asked.rows === 'problems' && rows > 0 && refused === 0 && blocking.length === 0;
}

const mostPages = 10_000_000;

export function draftPath(id: string, rest = ''): string {
  return `/campaigns/new/${id}${rest}`;
}

/** @param to path of a form. @returns undefined unless it is a form of a draft's page. */
export function typedAgain(to: string): { readonly page: string; readonly typed: string } | undefined {
  const [, id] = /^\/campaigns\/new\/([0-9a-f]{16})\/[a-z-]+(?:\?|$)/.exec(to) ?? [];
  return id === undefined ? undefined : { page: draftPath(id), typed: draftPath(id, '/typed') };
}

/** @param fields query of the address, or the same fields in a form. */
export function readQuery(fields: URLSearchParams): DraftRowQuery {
  const page = Number(fields.get('page') ?? '0');
  return {
    rows: windowSchema.safeParse(fields.get('rows')).data ?? 'problems',
    page: Number.isInteger(page) && page > 0 && page < mostPages ? page : 0,
    text: textIn(fields, 'q') ?? '',
  };
}

const kindId = /^[0-9a-f]{12}$/;

/** All problems in place of a kind that no row has any more. */
export function withoutFixedKind(asked: DraftRowQuery, checked: CheckedDraft | undefined): DraftRowQuery {
  const kinds = checked === undefined ? [] : [...checked.groups, ...checked.warnings];
  const isFixed =
    checked !== undefined && kindId.test(asked.rows) && !kinds.some(({ id }) => id === asked.rows);
  return isFixed ? { rows: 'problems', page: 0, text: '' } : asked;
}

/** @param page, text as in `Asked`. */
export function rowsPath(id: string, rows: WindowOf, page = 0, text = ''): string {
  return draftPath(id, draftRowQuery({ rows, page, text }));
}

/** The query that asks for the same rows again, with its `?`. */
export function draftRowQuery({ rows, page, text }: DraftRowQuery): string {
  const query = new URLSearchParams({ rows });
  if (page > 0) query.set('page', String(page));
  if (text !== '') query.set('q', text);
  return `?${query}`;
}

export function backPath({ params, form }: Pick<PageRequest, 'params' | 'form'>): string {
  const { rows, page, text } = readQuery(form);
  return rows === 'problems' && page === 0
    ? draftPath(params.draft ?? '')
    : rowsPath(params.draft ?? '', rows, page, text);
}
