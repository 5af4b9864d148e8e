/** The campaigns that post now, each with its last posts, and the queue behind them. */
import { LRUCache } from 'lru-cache';
import type { CampaignOverview } from '../../../app/campaigns/list.ts';
import type { Campaign } from '../../../ledger/campaigns/campaign.ts';
import { describeDuration, thousands } from '../../../manifest/wording.ts';
import { type Html, html, words } from '../../html.ts';
import { section } from '../../parts/blocks.ts';
import { film, filmOfRows } from '../../parts/post-pictures.ts';
import type { PageRequest } from '../../request.ts';
import { readCovers } from '../campaign/covers.ts';
import { card } from './entry.ts';

/** @param next the queue behind them, as one sentence. */
export async function postingGroup(
  request: PageRequest,
  shown: readonly CampaignOverview[],
  next: Html | string,
): Promise<Html | string> {
  if (shown.length === 0) return '';
  const cards = await Promise.all(
    shown.map(async (one) => card(request, one, await filmOfLast(request, one.campaign))),
  );
  const isPosting = shown.some(({ summary }) => summary?.workers.some(({ isAlive }) => isAlive));
  const title = html`${isPosting ? 'Posting now' : 'Running'} <span>${thousands(shown.length)}</span>`;
  return section({ id: 'running', title, note: next }, html`<ul class="running">${cards}</ul>`);
}

/** `Next: Always-on catalogue in about 25 min, then 7 more`. @param ms until its next post. */
export function queueText(
  { link }: PageRequest,
  next: Campaign | undefined,
  ms: number,
  others: number,
): Html | string {
  if (next === undefined) return '';
  const more = others > 0 ? `, then ${thousands(others)} more` : '';
  // Nobody knows it to the second.
  const about = `in about ${describeDuration(Math.max(1, Math.round(ms / minuteMs)) * minuteMs)}`;
  return html`Next: <a href="${link(`/campaigns/${next.id}`)}">${words(next.name)}</a> ${about}${more}`;
}

const minuteMs = 60_000;
const mostOfLast = 7;
const mostOfFirst = 3;
const mostKept = 200;

/** Films of campaigns while a page is open: each is read again only when what it shows has changed. */
export class Films {
  readonly #kept = new LRUCache<string, Html | string>({ max: mostKept });

  async of(request: PageRequest, campaign: Campaign, which: 'first' | 'last'): Promise<Html | string> {
    const { id, counts, sheetVersion } = campaign;
    const key = which === 'last' ? `${id} posted ${counts.posted}` : `${id} sheet ${sheetVersion}`;
    const known = this.#kept.get(key);
    if (known !== undefined) return known;
    const read = which === 'last' ? filmOfLast : filmOfFirst;
    const shown = await read(request, campaign);
    this.#kept.set(key, shown);
    return shown;
  }
}

async function filmOfLast(request: PageRequest, campaign: Campaign): Promise<Html | string> {
  const posts = await readCovers(request, campaign);
  const pictures = posts.slice(0, mostOfLast).map(({ picture }) => picture);
  return film(request, pictures);
}

export function filmOfFirst(request: PageRequest, campaign: Campaign): Promise<Html | string> {
  const positions = Array.from({ length: Math.min(mostOfFirst, campaign.rows) }, (_, row) => row);
  return filmOfRows(request, campaign, positions);
}
