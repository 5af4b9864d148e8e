/** Looks up texts for a sheet: creators, products and music, page by page within their rate limits. */
import { defaultAccount } from '../../config/access.ts';
import type { CreatorAccount, ListCreatorAccounts } from '../api/contract/creators.ts';
import type { ShowcaseProduct } from '../api/contract/showcase.ts';
import type { MusicTrack } from '../api/music.ts';
import type { Through } from '../api/transport/paging.ts';
import { createCreatorLookUp } from '../importers/check/creators/creator-look-up.ts';
import { hint } from '../manifest/problems/hint.ts';
import type { Account } from '../processors/runner/accounts.ts';
import { repeatedCall } from '../processors/runner/retry-policy.ts';
import type { Runtime } from '../runtime/runtime.ts';
import { serviceError } from '../runtime/service/errors.ts';
import { UseCaseError } from '../runtime/use-case-error.ts';

/** Filters creators (contract, section 4.5). */
export type CreatorQuery = Omit<ListCreatorAccounts, 'pageNumber' | 'pageSize'>;

/** Options of look-ups in the service. */
export interface LookUpOptions {
  /** Account of the service; the one of the environment unless given. */
  readonly account?: string | undefined;
  /** Stops after this many entries; default: all. */
  readonly most?: number | undefined;
}

/** The creators of an account, whether they can post or not. @throws {UseCaseError} `service_*`, `account_*`. */
export async function listCreators(
  runtime: Runtime,
  query: CreatorQuery = {},
  options: LookUpOptions = {},
): Promise<readonly CreatorAccount[]> {
  return lookUp(runtime, options, 'creators could not be looked up', ({ client }, through) =>
    take(client.creators.all(query, { through }), options.most),
  );
}

/** Products in a creator's showcase. */
export interface FoundProducts {
  readonly creator: Pick<CreatorAccount, 'id' | 'creatorId'>;
  readonly products: readonly ShowcaseProduct[];
}

/**
 * The products in a creator's showcase.
 * @param name username, `creatorId` or account id.
 * @param title text in the product title, ignoring case. The service has no such filter (contract, section 4.7).
 * @throws {UseCaseError} `creator_not_found`, `creator_ambiguous`, `service_*`, `account_*`.
 */
export async function listProducts(
  runtime: Runtime,
  name: string,
  { title = '', ...options }: LookUpOptions & { readonly title?: string | undefined } = {},
): Promise<FoundProducts> {
  return lookUp(runtime, options, 'the showcase could not be looked up', async (account, through) => {
    const { id, creatorId } = await findCreator(account, through, name);
    const wanted = title.toLowerCase();
    const products: ShowcaseProduct[] = [];
    for (const product of await take(account.client.showcase.all({ id }, { through }), options.most)) {
      if ((product.title ?? '').toLowerCase().includes(wanted)) products.push(product);
    }
    return { creator: { id, creatorId }, products };
  });
}

/** Searches the music that a post can have. @throws {UseCaseError} `service_not_configured` if no setting tells how to search music; `service_*`, `account_*`. */
export async function searchMusic(
  runtime: Runtime,
  text: string,
  options: LookUpOptions = {},
): Promise<readonly MusicTrack[]> {
  return lookUp(runtime, options, 'music could not be searched', ({ client }, through) =>
    take(client.music.search(text, { through }), options.most),
  );
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
  { accounts, settings }: Runtime,
  { account: name = defaultAccount }: LookUpOptions,
  what: string,
  look: (account: Account, through: Through) => Promise<T>,
): Promise<T> {
  const account = accounts.need(name);
  const { rateLimits } = account;
  // Each page waits for its rate limit and is retried.
  const through: Through = (operation, call) =>
    repeatedCall(operation, call, { rateLimits, retry: settings.retry });
  try {
    return await look(account, through);
  } catch (error) {
    throw serviceError(error, what);
  }
}

async function findCreator({ client }: Account, through: Through, name: string): Promise<CreatorAccount> {
  const find = createCreatorLookUp((query) => client.creators.all(query, { through }));
  const [account, ...others] = (await find([name])).get(name) ?? [];
  if (account === undefined) {
    throw new UseCaseError('creator_not_found', `the service has no creator ${name}`, {
      cure: [hint('list', { what: 'creators' })],
    });
  }
  if (others.length > 0) {
    const ids = [account, ...others].map(({ creatorId }) => creatorId).join(', ');
    throw new UseCaseError('creator_ambiguous', `several creators are called ${name}`, {
      cure: `Give the creatorId: ${ids}`,
    });
  }
  return account;
}
