/** Searches campaigns by id, name and creator, and their rows by key. Looks at a bounded number of rows at a time. */
import type { Campaign } from '../ledger/campaigns/campaign.ts';
import { chunkSize } from '../ledger/keys.ts';
import { textsAtOnce } from '../ledger/rows/query.ts';
import type { Runtime } from '../runtime/runtime.ts';

/** A row of a campaign. */
export interface RowPlace {
  readonly campaign: Campaign;
  readonly key: string;
}

/** Where a search for a key continues. */
export interface SearchPlace {
  readonly campaign: string;
  /** Chunk of its rows. */
  readonly chunk: number;
}

export interface Found {
  /** Newest first. */
  readonly campaigns: readonly Campaign[];
  /** Rows that have the key. */
  readonly rows: readonly RowPlace[];
  /** Undefined when the rows of all campaigns were looked at. */
  readonly next: SearchPlace | undefined;
}

export interface SearchOptions {
  readonly from?: SearchPlace | undefined;
  readonly rowsAtOnce?: number;
}

/** Most rows found. A key is unique in a campaign, so more campaigns need a narrower search. */
const mostRows = 20;

/**
 * @param campaigns all, newest first.
 * @param text the id, part of the name, or a creator or key as written in the sheet.
 * @param options.from where the search for the key continues; default: at the newest campaign.
 * @param options.rowsAtOnce approximate number of keys to compare; default 20,000.
 */
export async function searchCampaigns(
  { ledger }: Pick<Runtime, 'ledger'>,
  campaigns: readonly Campaign[],
  text: string,
  options: SearchOptions = {},
): Promise<Found> {
  if (text === '') return { campaigns, rows: [], next: undefined };
  const fitting = await matchCampaigns({ ledger }, campaigns, text);
  return { campaigns: fitting, ...(await findRowsByKey({ ledger }, campaigns, text, options)) };
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

/** Rows that have a key. @param campaigns all, newest first. */
export async function findRowsByKey(
  { ledger }: Pick<Runtime, 'ledger'>,
  campaigns: readonly Campaign[],
  key: string,
  { from, rowsAtOnce = textsAtOnce }: SearchOptions,
): Promise<Pick<Found, 'rows' | 'next'>> {
  const rows: RowPlace[] = [];
  const start = from === undefined ? 0 : campaigns.findIndex(({ id }) => id === from.campaign);
  let looked = 0;
  for (const campaign of start < 0 ? [] : campaigns.slice(start)) {
    const first = campaign.id === from?.campaign ? from.chunk : 0;
    for (let chunk = first; chunk * chunkSize < campaign.rows; chunk += 1) {
      if (looked >= rowsAtOnce || rows.length >= mostRows)
        return { rows, next: { campaign: campaign.id, chunk } };
      let isFound = false;
      for await (const { keys } of ledger.rowKeys.ofChunk(campaign, chunk)) {
        looked += keys.length;
        isFound ||= keys.includes(key);
      }
      if (!isFound) continue;
      rows.push({ campaign, key });
      break;
    }
  }
  return { rows, next: undefined };
}
