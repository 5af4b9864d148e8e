/** Lists the products in a creator's showcase (contract, section 4.7), with page tokens. */
import { badField, success } from '../http/answer.ts';
import { productImageUrl } from '../http/urls.ts';
import { refuseCreator, requireShopCreator } from './creator-authorization.ts';
import { pageLimit } from './pages.ts';
import { route } from './route.ts';

export const listSocialShowcaseProducts = route(
  'listSocialShowcaseProducts',
  (request, _call, surroundings) => {
    const { store, url } = surroundings;
    const id = Number(request.id);
    const creator = store.creators.byId(id);
    requireShopCreator(creator, 'id');
    const refusal = refuseCreator(creator, []);
    if (refusal) return refusal;
    const limit = pageLimit(request.pageSize, surroundings);
    const after = request.pageToken === undefined ? 0 : readToken(request.pageToken, id);
    // One more row than the page holds shows whether the list goes on.
    const rows = store.showcases.page(id, after, limit + 1);
    const page = rows.slice(0, limit);
    const last = rows.length > limit ? page.at(-1) : undefined;
    return success({
      products: page.map(({ productId }) => describe(productId, url)),
      nextPageToken: last ? writeToken(last.position, id) : '',
      totalCount: store.showcases.count(id),
    });
  },
);

function describe(productId: string, url: string) {
  const cents = 500 + ([...productId].reduce((sum, letter) => sum * 31 + letter.charCodeAt(0), 7) % 9500);
  return {
    id: productId,
    title: `Sample product ${productId}`,
    price: { amount: (Math.abs(cents) / 100).toFixed(2), currency: 'USD' },
    images: [{ url: productImageUrl(url, productId), width: 320, height: 320 }],
  };
}

function writeToken(position: number, id: number): string {
  return Buffer.from(`${id}:${position}`).toString('base64url');
}

function readToken(token: string, id: number): number {
  const match = /^(\d+):(\d+)$/.exec(Buffer.from(token, 'base64url').toString());
  if (!match || Number(match[1]) !== id) throw badField('pageToken', 'is not a token of this list');
  return Number(match[2]);
}
