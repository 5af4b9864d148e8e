/** Addresses of a draft's page, by the rows that it shows. */
import type { WindowOf } from '../../../../drafts/view.ts';
import type { PageRequest } from '../../../request.ts';

/** Which rows a page of a draft shows. */
export interface Asked {
  readonly rows: WindowOf;
  /** From 0. */
  readonly page: number;
}

const names: Readonly<Record<string, WindowOf>> = {
  problems: 'problems',
  warnings: 'warnings',
  all: 'all',
  'left-out': 'left out',
};
const mostPages = 100_000;

export function draftPath(id: string, rest = ''): string {
  return `/campaigns/new/${id}${rest}`;
}

/** @param to path of a form. @returns undefined unless it is a form of a draft's page. */
export function typedAgain(to: string): { readonly page: string; readonly typed: string } | undefined {
  const [, id] = /^\/campaigns\/new\/([0-9a-f]{16})\/[a-z-]+(?:\?|$)/.exec(to) ?? [];
  return id === undefined ? undefined : { page: draftPath(id), typed: draftPath(id, '/typed') };
}

/** @param fields query of the address, or the same fields in a form. */
export function readAsked(fields: URLSearchParams): Asked {
  const rows = fields.get('rows') ?? '';
  const page = Number(fields.get('page') ?? '0');
  const known = Object.hasOwn(names, rows) ? names[rows] : undefined;
  return {
    rows: known ?? (/^[0-9a-f]{12}$/.test(rows) ? { group: rows } : 'problems'),
    page: Number.isInteger(page) && page > 0 && page < mostPages ? page : 0,
  };
}

/** @param page from 0. */
export function rowsPath(id: string, rows: WindowOf, page = 0): string {
  const query = new URLSearchParams({ rows: nameOf(rows) });
  if (page > 0) query.set('page', String(page));
  return draftPath(id, `?${query}`);
}

export function nameOf(rows: WindowOf): string {
  return typeof rows === 'object' ? rows.group : rows === 'left out' ? 'left-out' : rows;
}

/** The page that a form was on. */
export function backPath({ params, form }: Pick<PageRequest, 'params' | 'form'>): string {
  const { rows, page } = readAsked(form);
  return rows === 'problems' && page === 0
    ? draftPath(params.draft ?? '')
    : rowsPath(params.draft ?? '', rows, page);
}
