/** What the search over campaigns says of rows: each with its picture, state, creator and time. */
import { describeRows, type ListedRow } from '../../../app/campaigns/rows/list.ts';
import type { SearchResult } from '../../../app/campaigns/search.ts';
import { thousands } from '../../../manifest/wording.ts';
import { type Html, html, words } from '../../html.ts';
import { section, table } from '../../parts/blocks.ts';
import { changedAddress } from '../../parts/list.ts';
import { rowPictures } from '../../parts/picture.ts';
import type { PageRequest } from '../../request.ts';
import { heldSteps, rowHeads, tableLine } from '../campaign/row-lines.ts';

interface Search {
  readonly q: string;
  readonly tab: string | undefined;
}

export async function foundRows(
  request: PageRequest,
  { q, tab }: Search,
  { rows, next }: SearchResult,
): Promise<Html | string> {
  const { link } = request;
  const after = next && `${next.campaign}:${next.row}`;
  const older = changedAddress({ link, query: new URLSearchParams() }, '/campaigns', {
    q,
    state: tab,
    after,
  });
  const more = after
    ? html`<p class="note">Rows are searched part by part. <a href="${older}">Search older rows</a></p>`
    : '';
  if (rows.length === 0) return more;
  const byCampaign = Map.groupBy(rows, ({ campaign }) => campaign);
  const lines = await Promise.all([...byCampaign].map((found) => linesOf(request, q, ...found)));
  const list = table({ of: 'found', className: 'rows', heads: rowHeads(), lines: lines.flat() });
  return section(
    { id: 'found', title: html`Rows <span>${thousands(rows.length)}${after && '+'}</span>` },
    html`${list}${more}`,
  );
}

async function linesOf(
  request: PageRequest,
  q: string,
  campaign: SearchResult['rows'][number]['campaign'],
  rows: SearchResult['rows'],
): Promise<readonly Html[]> {
  const listed = await describeRows(
    request.runtime,
    campaign,
    rows.map(({ row }) => row),
  );
  const [pictures, held] = await Promise.all([
    rowPictures(request, campaign, listed),
    heldSteps(request, campaign),
  ]);
  const of = html`${words(campaign.name)}`;
  return listed.map((row) =>
    tableLine(request, campaign, excerptOf(row, q), { picture: pictures.get(row.position), held, of }),
  );
}

const excerptLength = 120;

/** With the part of its caption that has the first word that is found there. */
function excerptOf(row: ListedRow, q: string): ListedRow {
  const { caption } = row;
  const lower = caption.toLowerCase();
  const places = q.toLowerCase().split(/\s/).filter(Boolean);
  const found = places.map((word) => lower.indexOf(word)).find((at) => at >= 0) ?? 0;
  const at = Math.max(0, found - excerptLength / 3);
  const part = caption.slice(at, at + excerptLength).toWellFormed();
  return {
    ...row,
    caption: `${at > 0 ? '…' : ''}${part}${at + excerptLength < caption.length ? '…' : ''}`,
  };
}
