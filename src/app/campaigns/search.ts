/** Searches campaigns by id, name and creator, and their rows by key and caption. Looks at a bounded number of rows at a time. */
import type { Campaign } from '../../ledger/campaigns/campaign.ts';
import { chunkSize } from '../../ledger/keys.ts';
import { textsAtOnce } from '../../ledger/rows/query.ts';
import type { Runtime } from '../runtime/runtime.ts';

export interface FoundRow {
  readonly campaign: Campaign;
  readonly key: string;
  readonly caption: string;
}

export interface SearchPlace {
  readonly campaign: string;
  /** Position of the row, from 0. */
  readonly row: number;
}

export interface SearchResult {
  /** Newest first. */
  readonly campaigns: readonly Campaign[];
  /** Rows that have the key, or the text in their caption. */
  readonly rows: readonly FoundRow[];
  /** Undefined when the rows of all campaigns were looked at. */
  readonly next: SearchPlace | undefined;
}

export interface SearchOptions {
  readonly from?: SearchPlace | undefined;
  readonly rowsAtOnce?: number;
}

/** Most rows found at a time. */
const mostRows = 20;
/** A shorter text is in most captions. */
const shortestInCaption = 2;

/**
 * @param campaigns all, newest first.
 * @param text the id, part of the name or of a caption, or a creator or key as written in the sheet.
 * @param options.from where the search for rows continues; default: at the newest campaign.
 * @param options.rowsAtOnce approximate number of rows to look at; default 20,000.
 */
export async function searchCampaigns(
  { ledger }: Pick<Runtime, 'ledger'>,
  campaigns: readonly Campaign[],
  text: string,
  options: SearchOptions = {},
): Promise<SearchResult> {
  if (text === '') return { campaigns, rows: [], next: undefined };
  const fitting = await matchCampaigns({ ledger }, campaigns, text);
  return {
    campaigns: fitting,
    ...(await findRows({ ledger }, campaigns, { key: text, caption: text }, options)),
  };
}

/** @param text the id, part of the name, or a creator as written in the sheet. */
export async function matchCampaigns(
  { ledger }: Pick<Runtime, 'ledger'>,
  campaigns: readonly Campaign[],
  text: string,
): Promise<readonly Campaign[]> {
  const lower = text.toLowerCase();
  const have = await ledger.campaigns.haveCreator(
    campaigns.map(({ id }) => id),
    text,
  );
  return campaigns.filter(
    ({ id, name }, index) => id === text || name.toLowerCase().includes(lower) || have[index] === true,
  );
}

/** Rows that have a key, or a text in their caption. @param campaigns all, newest first. */
export async function findRows(
  { ledger }: Pick<Runtime, 'ledger'>,
  campaigns: readonly Campaign[],
  { key, caption: text = '' }: { readonly key: string; readonly caption?: string },
  { from, rowsAtOnce = textsAtOnce }: SearchOptions,
): Promise<Pick<SearchResult, 'rows' | 'next'>> {
  const rows: FoundRow[] = [];
  const start = from === undefined ? 0 : campaigns.findIndex(({ id }) => id === from.campaign);
  const lower = text.length < shortestInCaption ? undefined : text.toLowerCase();
  let looked = 0;
  for (const campaign of start < 0 ? [] : campaigns.slice(start)) {
    const first = campaign.id === from?.campaign ? from.row : 0;
    let hasKey = false;
    for (let chunk = Math.floor(first / chunkSize); chunk * chunkSize < campaign.rows; chunk += 1) {
      const begin = Math.max(first, chunk * chunkSize);
      if (looked >= rowsAtOnce) return { rows, next: { campaign: campaign.id, row: begin } };
      for await (const { first: place, keys, captionOf } of ledger.rowKeys.ofChunk(campaign, chunk)) {
        looked += keys.length;
        for (const [index, found] of keys.entries()) {
          if (place + index < begin) continue;
          const isKey = found === key;
          if (!isKey && lower === undefined) continue;
          const caption = captionOf(index);
          if (!isKey && !caption.toLowerCase().includes(lower ?? '')) continue;
          if (rows.length === mostRows) return { rows, next: { campaign: campaign.id, row: place + index } };
          rows.push({ campaign, key: found, caption });
          hasKey ||= isKey;
        }
      }
      // Only one row of a campaign has the key.
      if (hasKey && lower === undefined) break;
    }
  }
  return { rows, next: undefined };
}
