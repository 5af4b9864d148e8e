/** Looks up texts for a sheet: creators, products and music, page by page within their rate limits. */

import { z } from 'zod';
import { createCreatorLookUp } from '../../importers/check/creator-look-up.ts';
import { findIdFault } from '../../manifest/cells/id.ts';
import { hint } from '../../manifest/problems/hint.ts';
import { UseCaseError } from '../../manifest/problems/use-case-error.ts';
import { repeatedCall } from '../../processors/runner/retry-policy.ts';
import type { Service } from '../../processors/runner/service.ts';
import {
  type CreatorAccount,
  creatorAccount,
  type ListCreatorAccounts,
  type ShowcaseProduct,
  showcaseProduct,
} from '../../service/contract/creators.ts';
import type { MusicTrack } from '../../service/posts.ts';
import type { Through } from '../../service/transport/paging.ts';
import type { Runtime } from '../runtime/runtime.ts';
import { serviceError } from '../runtime/service-connection.ts';

export const creatorsSchema = z.strictObject({ creators: z.array(creatorAccount) });
export const productsSchema = z.strictObject({
  creator: z.strictObject({ id: z.union([z.number(), z.string()]), creatorId: z.string() }),
  products: z.array(showcaseProduct),
});
export const musicSchema = z.strictObject({
  music: z.array(
    z.strictObject({
      id: z.string(),
      title: z.string().optional(),
      author: z.string().optional(),
      duration: z.string().optional(),
    }),
  ),
});

export interface LookUpOptions {
  /** Stops after this many entries; default: all. */
  readonly most?: number | undefined;
}

/** The creators of the service, whether they can post or not. @param query filters them (contract, section 4.5). @throws {UseCaseError} `service_*`. */
export async function listCreators(
  runtime: Runtime,
  query: Omit<ListCreatorAccounts, 'pageNumber' | 'pageSize'> = {},
  options: LookUpOptions = {},
): Promise<readonly CreatorAccount[]> {
  return lookUp(runtime, 'creators could not be looked up', ({ client }, through) =>
    take(client.creators.all(query, { through }), options.most),
  );
}

/**
 * The products in a creator's showcase.
 * @param name username, `creatorId` or account id.
 * @param title text in the product title, ignoring case. The service has no such filter (contract, section 4.7).
 * @throws {UseCaseError} `creator_not_found`, `creator_ambiguous`, `service_*`.
 */
export async function listProducts(
  runtime: Runtime,
  name: string,
  { title = '', ...options }: LookUpOptions & { readonly title?: string | undefined } = {},
) {
  return lookUp(runtime, 'the showcase could not be looked up', async (service, through) => {
    const { id, creatorId } = await findCreator(service, through, name);
    const wanted = title.toLowerCase();
    const products: ShowcaseProduct[] = [];
    for (const product of await take(service.client.showcase.all({ id }, { through }), options.most)) {
      // What no row could have is not offered.
      const isUsable = findIdFault(product.id) === null;
      if (isUsable && (product.title ?? '').toLowerCase().includes(wanted)) products.push(product);
    }
    return { creator: { id, creatorId }, products };
  });
}

/** Searches the music that a post can have. @throws {UseCaseError} `service_not_configured` if no setting tells how to search music; `service_*`. */
export async function searchMusic(
  runtime: Runtime,
  text: string,
  options: LookUpOptions = {},
): Promise<readonly MusicTrack[]> {
  return lookUp(runtime, 'music could not be searched', ({ client }, through) =>
    take(client.music.search(text, { through }), options.most),
  ).then((tracks) => tracks.filter(({ id }) => findIdFault(id) === null));
}

async function take<T>(entries: AsyncGenerator<T>, most = Number.POSITIVE_INFINITY): Promise<T[]> {
  const taken: T[] = [];
  for await (const entry of entries) {
    taken.push(entry);
    if (taken.length >= most) break;
  }
  return taken;
}

/** @param what message of a failure. */
async function lookUp<T>(
  { service: connection, settings }: Runtime,
  what: string,
  look: (service: Service, through: Through) => Promise<T>,
): Promise<T> {
  const service = await connection.need();
  const { rateLimits } = service;
  // Each page waits for its rate limit and is retried.
  const through: Through = (operation, call) =>
    repeatedCall(operation, call, { rateLimits, retry: settings.retry });
  try {
    return await look(service, through);
  } catch (error) {
    throw serviceError(error, what);
  }
}

async function findCreator({ client }: Service, through: Through, name: string): Promise<CreatorAccount> {
  const find = createCreatorLookUp((query) => client.creators.all(query, { through }));
  const [account, ...others] = (await find([name])).get(name) ?? [];
  if (account === undefined) {
    throw new UseCaseError('creator_not_found', `the service has no creator ${name}`, {
      fix: [hint('list', { what: 'creators' })],
    });
  }
  if (others.length > 0) {
    const ids = [account, ...others].map(({ creatorId }) => creatorId).join(', ');
    throw new UseCaseError('creator_ambiguous', `several creators are called ${name}`, {
      fix: `Give the creatorId: ${ids}`,
    });
  }
  return account;
}
