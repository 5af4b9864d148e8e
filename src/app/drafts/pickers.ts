/** Lists of the service to choose from: creators whose name contains a text, and products of a creator's showcase with their pictures. */

import { LRUCache } from 'lru-cache';
import { publishingAuthSource } from '../../importers/check/creator-check.ts';
import { remembered } from '../../ledger/remembered.ts';
import { creatorIn, findIdFault } from '../../manifest/cells/id.ts';
import { UseCaseError } from '../../manifest/problems/use-case-error.ts';
import {
  type CreatorAccount,
  photoPermission,
  type ShowcaseProduct,
  videoPermission,
} from '../../service/contract/creators.ts';
import type { OpenPicture, Pictures } from '../../service/media/pictures.ts';
import { listCreators, listProducts } from '../campaigns/look-up.ts';
import { shownOrRefused } from '../campaigns/rows/pictures.ts';
import type { Runtime } from '../runtime/runtime.ts';

/** Most accounts to fetch for a search: fifty calls. */
const mostCreators = 5000;
/** Most products to fetch for a search: ten calls. */
const mostProducts = 1000;
const mostShown = 30;
/** Words of a search. */
const mostWords = 8;
/** Shorter words are in many names. */
const leastWord = 3;

export interface PickedCreator {
  /** Text for the sheet: the username, or the `creatorId` of an account without one. */
  readonly name: string;
  readonly region: string | undefined;
  /** What the search found it by, if that is not its name: `tag spring`. */
  readonly foundBy: string | undefined;
  /** `expired`: the creator must authorize again. `other_source`: authorized in a way that cannot publish. */
  readonly state: 'valid' | 'expired' | 'other_source';
  readonly mayPostVideos: boolean;
  readonly mayPostPhotos: boolean;
}

export interface PickedProduct {
  readonly id: string;
  readonly title: string;
  /** `19.90 USD`, as given by the service. */
  readonly price: string;
  readonly hasPicture: boolean;
}

export interface Picked<T> {
  readonly shown: readonly T[];
  readonly found: number;
  /** Number of entries searched; undefined if that was the whole list. */
  readonly searched: number | undefined;
}

/** People open the same list again and again. */
const keptMs = 3 * 60_000;
const mostLists = 50;

/** Lists of the service by name, for each runtime. */
export class RecentLists<T extends object> {
  readonly #lists = new WeakMap<Runtime, LRUCache<string, Promise<T>>>();

  /** @param fetch is called once for concurrent requests. Its errors are not kept. */
  find(runtime: Runtime, name: string, fetch: () => Promise<T>): Promise<T> {
    const lists = this.#lists.get(runtime) ?? new LRUCache({ max: mostLists, ttl: keptMs });
    this.#lists.set(runtime, lists);
    return remembered(lists, name, fetch);
  }
}

const creators = new RecentLists<readonly CreatorAccount[]>();
const showcases = new RecentLists<readonly ShowcaseProduct[]>();

/** Those that can post come first, then by beginning. @param text of a username, id or tag. @throws {UseCaseError} `service_*`. */
export async function pickCreators(runtime: Runtime, text: string): Promise<Picked<PickedCreator>> {
  const all = await creators.find(runtime, 'all', () => listCreators(runtime, {}, { most: mostCreators }));
  const namesOf = ({ username, creatorId, id, tagNames = [] }: CreatorAccount) => [
    ...[username ?? '', creatorId, String(id)],
    ...tagNames,
  ];
  const found = search(all, text, namesOf, mostCreators);
  const wanted = folded(text);
  const rank = ({ state, name }: PickedCreator) =>
    (state === 'valid' ? 0 : 2) + (name.toLowerCase().startsWith(wanted) ? 0 : 1);
  const ranked = found.shown
    .map((each) => describe(each, wanted))
    .sort((before, after) => rank(before) - rank(after));
  return { ...found, shown: ranked.slice(0, mostShown) };
}

function describe(account: CreatorAccount, wanted: string): PickedCreator {
  const { selectionRegion, oauthRegion, valid, authSource, permissions } = account;
  const isPublishing = (authSource ?? publishingAuthSource) === publishingAuthSource;
  return {
    name: nameOf(account),
    region: selectionRegion ?? oauthRegion,
    foundBy: foundBy(account, wanted),
    state: valid === false ? 'expired' : isPublishing ? 'valid' : 'other_source',
    mayPostVideos: permissions?.includes(videoPermission) ?? true,
    mayPostPhotos: permissions?.includes(photoPermission) ?? false,
  };
}

/** What a sheet may have: a username that is no id would be a problem of its cell. */
function nameOf({ username, creatorId }: Pick<CreatorAccount, 'username' | 'creatorId'>): string {
  return username && findIdFault(username) === null ? username : creatorId;
}

/** @param wanted folded. */
function foundBy({ username, creatorId, id, tagNames }: CreatorAccount, wanted: string): string | undefined {
  const fits = (text: string) => text.toLowerCase().includes(wanted);
  if (wanted === '' || fits(nameOf({ username, creatorId }))) return undefined;
  if (fits(creatorId)) return `creator id ${creatorId}`;
  if (fits(String(id))) return `account id ${id}`;
  const tag = tagNames?.find(fits);
  return tag === undefined ? undefined : `tag ${tag}`;
}

/** @param creator username, `creatorId` or account id. @param text of a title or id. @throws {UseCaseError} `creator_*`, `service_*`. */
export async function pickProducts(
  runtime: Runtime,
  creator: string,
  text: string,
): Promise<Picked<PickedProduct>> {
  const all = await showcaseOf(runtime, creator);
  const found = search(all, text, ({ id, title = '' }) => [title, id], mostProducts);
  const shown = found.shown.slice(0, mostShown).map(({ id, title = '', price, images }) => ({
    id,
    title,
    price: [price?.amount, price?.currency].filter(Boolean).join(' '),
    hasPicture: images?.[0]?.url !== undefined,
  }));
  return { ...found, shown };
}

/** Fetches only URLs that the service named. @throws {UseCaseError} `media_not_shown`; as `pickProducts`. */
export async function pictureOfProduct(
  { runtime, pictures }: { readonly runtime: Runtime; readonly pictures: Pictures },
  creator: string,
  product: string,
): Promise<OpenPicture> {
  const all = await showcaseOf(runtime, creator);
  const url = all.find(({ id }) => id === product)?.images?.[0]?.url;
  if (url === undefined) throw new UseCaseError('media_not_shown', 'the product has no picture');
  const depicted = { source: url, root: '', owner: 'showcase-products', isVideo: false };
  return shownOrRefused(() => pictures.open(depicted, 'tiny'));
}

/** The products of a creator's showcase, of the last minutes. @throws {UseCaseError} as `pickProducts`. */
export function showcaseOf(runtime: Runtime, creator: string): Promise<readonly ShowcaseProduct[]> {
  return showcases.find(runtime, creator, async () => {
    const { products } = await listProducts(runtime, creator, { most: mostProducts });
    return products;
  });
}

/** All matches: with the whole text, else with all its words, else with a longer one of them. @param most entries that are fetched. */
function search<T>(
  all: readonly T[],
  text: string,
  namesOf: (entry: T) => readonly string[],
  most: number,
): Picked<T> {
  const wanted = folded(text);
  const words = wanted.split(/[^\p{L}\p{N}]/u, mostWords).filter(Boolean);
  const long = words.filter(({ length }) => length >= leastWord);
  const namesWith = (fits: (name: string) => boolean) =>
    all.filter((entry) => namesOf(entry).some((name) => fits(name.toLowerCase())));
  const whole = namesWith((name) => name.includes(wanted));
  const each =
    whole.length > 0
      ? whole
      : namesWith((name) => words.length > 0 && words.every((word) => name.includes(word)));
  const shown = each.length > 0 ? each : namesWith((name) => long.some((word) => name.includes(word)));
  return { shown, found: shown.length, searched: all.length < most ? undefined : all.length };
}

function folded(text: string): string {
  return creatorIn(text.trim()).toLowerCase();
}
