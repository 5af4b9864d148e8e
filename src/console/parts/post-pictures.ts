/** Several posts as pictures: a film of small ones beside a line of text, and the posts themselves as covers. */
import type { Campaign } from '../../ledger/campaigns/campaign.ts';
import { type Html, html, words } from '../html.ts';
import type { PageRequest } from '../request.ts';
import { rowPictures, type ShownPicture, thumbnail } from './picture.ts';

type At = Pick<PageRequest, 'link'>;

/** Small pictures. They repeat what the text beside them says, so they are silent. */
export function film(at: At, pictures: readonly (ShownPicture | undefined)[]): Html | string {
  if (pictures.length === 0) return '';
  return html`<span class="film" aria-hidden="true">${pictures.map((picture) => thumbnail(at, picture))}</span>`;
}

/** The film of some rows of a campaign. */
export async function filmOfRows(
  request: PageRequest,
  campaign: Campaign,
  positions: readonly number[],
): Promise<Html | string> {
  const { rowKeys } = request.runtime.ledger;
  const rows = await Promise.all(
    positions.map(async (position) => ({ position, key: await rowKeys.of(campaign, position) })),
  );
  return film(request, [...(await rowPictures(request, campaign, rows)).values()]);
}

/** The same, of rows by their keys. */
export async function filmOfKeys(
  request: PageRequest,
  campaign: Campaign,
  keys: readonly string[],
): Promise<Html | string> {
  const { rowKeys } = request.runtime.ledger;
  const found = await Promise.all(keys.map((key) => rowKeys.find(campaign, key)));
  const rows = found.flatMap((position, index) =>
    position === undefined ? [] : [{ key: keys[index] ?? '', position }],
  );
  return film(request, [...(await rowPictures(request, campaign, rows)).values()]);
}

export interface Cover {
  readonly address: string;
  readonly picture: ShownPicture | undefined;
  readonly creator: string;
  /** Whether the service has it, and it has not gone out. */
  readonly isAhead: boolean;
  /** When it was posted, or will be. */
  readonly when: Html | string;
}

/** Posts as large pictures in one line, which scrolls where there is no room. @param labelledBy id of the heading that names them. */
export function covers(at: At, posts: readonly Omit<Cover, 'isAhead'>[], labelledBy: string): Html {
  return html`<ol class="covers" aria-labelledby="${labelledBy}">${posts.map(
    ({ address, picture, creator, when }) =>
      html`<li><a href="${address}">${thumbnail(at, picture, 'cover')}<span><b>${words(creator)}</b> ${when}</span></a></li>`,
  )}</ol>`;
}
