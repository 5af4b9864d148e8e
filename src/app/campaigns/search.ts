/** Searches campaigns by id, name and creator, and their rows by key and words. Looks at a bounded number of rows at a time. */
import type { Campaign } from '../../ledger/campaigns/campaign.ts';
import { chunkSize } from '../../ledger/keys.ts';
import { type MatchingRows, textsAtOnce } from '../../ledger/rows/query.ts';
import type { RowIndex } from '../../manifest/row.ts';
import { wordsTest } from '../../manifest/wording.ts';
import type { Runtime } from '../runtime/runtime.ts';

export interface FoundRow {
  readonly campaign: Campaign;
  readonly row: RowIndex;
  readonly key: string;
}

export interface SearchPlace {
  readonly campaign: string;
  readonly row: RowIndex;
}

export interface SearchResult {
  /** Newest first. */
  readonly campaigns: readonly Campaign[];
  /** Rows with all words of the text in their key, creator, caption and product. */
  readonly rows: readonly FoundRow[];
  /** Undefined when the rows of all campaigns were looked at. */
  readonly next: SearchPlace | undefined;
}

export interface SearchOptions {
  readonly from?: SearchPlace | undefined;
  readonly rowsAtOnce?: number;
}

const mostRows = 20;
/** A shorter text is in most rows: it counts as a key only. */
const shortestText = 2;

/**
 * @param campaigns all, newest first.
 * @param text the id, words of the name, or words of a row: of its key, creator, caption, product.
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
  const search = text.length < shortestText ? findRows : searchRows;
  const [fitting, found] = await Promise.all([
    matchCampaigns({ ledger }, campaigns, text),
    search({ ledger }, campaigns, text, options),
  ]);
  return { campaigns: fitting, ...found };
}

/** @param text the id, words of the name in any order, or a creator as written in the sheet. */
export async function matchCampaigns(
  { ledger }: Pick<Runtime, 'ledger'>,
  campaigns: readonly Campaign[],
  text: string,
): Promise<readonly Campaign[]> {
  const hasWords = wordsTest(text);
  const ids = campaigns.map(({ id }) => id);
  const have = await ledger.campaigns.haveCreator(ids, text);
  return campaigns.filter(({ id, name }, index) => id === text || hasWords(name) || have[index] === true);
}

/** Rows that have a key. @param campaigns all, newest first. */
export async function findRows(
  { ledger }: Pick<Runtime, 'ledger'>,
  campaigns: readonly Campaign[],
  key: string,
  { from, rowsAtOnce = textsAtOnce }: SearchOptions,
): Promise<Pick<SearchResult, 'rows' | 'next'>> {
  const rows: FoundRow[] = [];
  let looked = 0;
  for (const [campaign, first] of campaignsFrom(campaigns, from)) {
    let hasKey = false;
    // Only one row of a campaign has the key.
    for (
      let chunk = Math.floor(first / chunkSize);
      !hasKey && chunk * chunkSize < campaign.rows;
      chunk += 1
    ) {
      const begin = Math.max(first, chunk * chunkSize);
      if (looked >= rowsAtOnce) return { rows, next: { campaign: campaign.id, row: begin } };
      for await (const { first: place, keys } of ledger.rowKeys.ofChunk(campaign, chunk)) {
        looked += keys.length;
        const row = place + keys.indexOf(key);
        if (row < Math.max(place, begin)) continue;
        if (rows.length === mostRows) return { rows, next: { campaign: campaign.id, row } };
        rows.push({ campaign, row, key });
        hasKey = true;
      }
    }
  }
  return { rows, next: undefined };
}

async function searchRows(
  { ledger }: Pick<Runtime, 'ledger'>,
  campaigns: readonly Campaign[],
  text: string,
  { from, rowsAtOnce = textsAtOnce }: SearchOptions,
): Promise<Pick<SearchResult, 'rows' | 'next'>> {
  const rows: FoundRow[] = [];
  let looked = 0;
  for (const [campaign, first] of campaignsFrom(campaigns, from)) {
    let at: number | undefined = first;
    while (at !== undefined) {
      if (looked >= rowsAtOnce) return { rows, next: { campaign: campaign.id, row: at } };
      // Without a limit left, it says where the next row is.
      const place = { from: at, limit: mostRows - rows.length };
      const page: MatchingRows = await ledger.query.page(campaign, { text }, place);
      const keys = await Promise.all(page.rows.map((row) => ledger.rowKeys.of(campaign, row)));
      rows.push(...page.rows.map((row, index) => ({ campaign, row, key: keys[index] ?? '' })));
      if (page.next !== undefined && rows.length === mostRows) {
        return { rows, next: { campaign: campaign.id, row: page.next } };
      }
      looked += (page.next ?? campaign.rows) - at;
      at = page.next;
    }
  }
  return { rows, next: undefined };
}

/** The campaigns in which a search goes on, each with its first row. None if the one where it stopped is gone. */
function campaignsFrom(
  campaigns: readonly Campaign[],
  from: SearchPlace | undefined,
): readonly (readonly [Campaign, RowIndex])[] {
  const start = from === undefined ? 0 : campaigns.findIndex(({ id }) => id === from.campaign);
  const rest = start < 0 ? [] : campaigns.slice(start);
  return rest.map((campaign, index) => [campaign, index === 0 ? (from?.row ?? 0) : 0]);
}
