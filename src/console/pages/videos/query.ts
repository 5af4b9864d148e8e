/** Reads the address of the page, and writes addresses of other views. */
import { videoState } from '../../../videos/documents.ts';
import {
  type OverviewGrouping,
  type OverviewQuery,
  overviewGroupings,
  type Sort,
  sortColumns,
} from '../../../videos/overview.ts';
import { spanOf } from '../../../videos/spans.ts';
import type { VideoFilter } from '../../../videos/watch-list.ts';
import type { PageRequest } from '../../request.ts';

/** Names of the counters on pages, in the order of the samples. */
export const figureNames = ['plays', 'likes', 'comments', 'shares', 'saves'] as const;
export type FigureName = (typeof figureNames)[number];

export interface Asked {
  readonly query: OverviewQuery;
  readonly figure: FigureName;
  readonly by: OverviewGrouping;
  readonly all: boolean;
  readonly sort: Sort;
  /** From 1. */
  readonly page: number;
}

const longestFilter = 200;
const mostPages = 100_000;

export function readAsked({ query, zone }: PageRequest): Asked {
  const text = (name: string) => query.get(name)?.trim().slice(0, longestFilter) || undefined;
  const sort = query.get('sort') ?? '-gained';
  const page = Math.trunc(Number(query.get('page')));
  return {
    query: {
      span: spanOf(query.get('span')),
      zone,
      campaign: text('campaign'),
      creator: text('creator'),
      product: text('product'),
      state: videoState.options.find((state) => state === query.get('state')),
    },
    figure: figureNames.find((name) => name === query.get('figure')) ?? 'plays',
    by: overviewGroupings.find((name) => name === query.get('by')) ?? 'creator',
    all: query.get('all') === '1',
    sort: {
      column: sortColumns.find((column) => column === sort.replace(/^-/, '')) ?? 'gained',
      descending: sort.startsWith('-'),
    },
    page: page >= 1 && page <= mostPages ? page : 1,
  };
}

/** The filters of a view, by the names of their parameters. */
export function filtersOf({ campaign, creator, product, state }: VideoFilter): Record<string, string> {
  const given = Object.entries({ campaign, creator, product, state });
  return Object.fromEntries(given.filter((field): field is [string, string] => field[1] !== undefined));
}

/** The address of the same view with some parameters changed; an empty value removes one. @param place id of a section. */
export function addressOf(
  { link, query }: PageRequest,
  changes: Readonly<Record<string, string>>,
  place = '',
): string {
  const next = new URLSearchParams([...query].filter(([, value]) => value !== ''));
  for (const [name, value] of Object.entries(changes)) {
    if (value === '') next.delete(name);
    else next.set(name, value);
  }
  const search = next.toString();
  return link(`/videos${search === '' ? '' : `?${search}`}${place === '' ? '' : `#${place}`}`);
}
