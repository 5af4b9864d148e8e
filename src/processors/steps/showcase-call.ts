/** The call of the step `showcase`, and what its answer says about each product. */
import { LRUCache } from 'lru-cache';
import type { ShowcaseGroup } from '../../ledger/transitions/admission.ts';
import type { ErrorCode } from '../../manifest/problems/error-codes.ts';
import type { ShowcasePayload } from '../../queues/campaign-jobs.ts';
import { maxProductsPerCall, type ShowcaseError } from '../../service/contract/creators.ts';
import {
  ApiError,
  CreatorAuthorizationExpiredError,
  ForbiddenError,
  RefusedError,
  ThrottledError,
} from '../../service/errors.ts';
import type { Through } from '../../service/transport/paging.ts';
import type { StepFailure } from '../runner/outcome.ts';
import type { GroupRun } from '../runner/runs.ts';
import { RateLimitReached, takePermit } from '../runner/service.ts';
import type { StepInput } from '../runner/step.ts';

export const addOperation = 'addSocialShowcaseProducts';

/** Input of the step; `target` is the group. */
export type GroupInput = StepInput<ShowcasePayload, GroupRun, ShowcaseGroup>;

/** By product: added, or why not. */
export type ProductResults = ReadonlyMap<string, StepFailure | 'added'>;

/**
 * Makes one call for all products. If the whole call is refused, tries product by product, so that only the bad one fails.
 * @param more products of waiting rows, which the call takes along. If the call is refused, it is repeated without them.
 * @throws {ForbiddenError} if each product was refused so: then it is about the creator, or everyone. Other errors as the call.
 */
export async function callShowcase(
  input: GroupInput,
  products: readonly string[],
  more: readonly string[] = [],
): Promise<ProductResults> {
  const { target: group } = input;
  const { id } = input.creator;
  const sent = [...products, ...more];
  try {
    const answer = await input.context.service.client.showcase.add(
      group.link === undefined
        ? { id, addType: 'PRODUCT_ID', productIds: sent.slice(0, maxProductsPerCall) }
        : { id, addType: 'PRODUCT_LINK', productLink: group.link },
    );
    return readResults(sent, answer.errors ?? []) ?? (await inParts(input, products, more));
  } catch (error) {
    if (!(error instanceof RefusedError) || error instanceof CreatorAuthorizationExpiredError) throw error;
    if (sent.length > 1) return inParts(input, products, more);
    if (error instanceof ForbiddenError) throw error;
    return refusedResults(products, error);
  }
}

export function refusedResults(
  products: readonly string[],
  { code, message, fix }: RefusedError,
): ProductResults {
  return new Map(products.map((product) => [product, { code, message, subject: product, fix }]));
}

async function inParts(
  input: GroupInput,
  products: readonly string[],
  more: readonly string[],
): Promise<ProductResults> {
  if (more.length > 0) {
    await takePermit(input.context.service, addOperation);
    return callShowcase(input, products);
  }
  const results = new Map<string, StepFailure | 'added'>();
  let forbidden = 0;
  for (const product of products) {
    // Adding is idempotent: if no permit comes, the products added so far are simply added again.
    await takePermit(input.context.service, addOperation);
    const answered = await callShowcase(input, [product]).catch((error: unknown) => {
      if (!(error instanceof ForbiddenError)) throw error;
      forbidden += 1;
      if (forbidden === products.length) throw error;
      return refusedResults([product], error);
    });
    for (const [id, result] of answered) results.set(id, result);
  }
  return results;
}

/** Entries of a showcase to look through: ten calls. */
const mostLookedAt = 1000;

/**
 * Finds products in the showcase whose link was added before: they need no addition by id. Ends early with any error but an expired
 * authorization, because a product that is not found is simply added.
 */
export async function findInShowcase(
  { context: { service }, creator }: GroupInput,
  linked: readonly string[],
): Promise<ReadonlyMap<string, 'added'>> {
  const found = new Map<string, 'added'>();
  if (linked.length === 0) return found;
  const through: Through = async (operation, call) => {
    await takePermit(service, operation);
    return call();
  };
  let seen = 0;
  try {
    for await (const { id } of service.client.showcase.all({ id: creator.id }, { through })) {
      if (linked.includes(id)) found.set(id, 'added');
      seen += 1;
      if (found.size === linked.length || seen === mostLookedAt) break;
    }
  } catch (error) {
    if (error instanceof CreatorAuthorizationExpiredError) throw error;
    if (error instanceof ThrottledError)
      await service.rateLimits.throttled(error.operation, error.retryAfterMs);
    else if (!(error instanceof ApiError || error instanceof RateLimitReached)) throw error;
  }
  return found;
}

/** @returns undefined when an error names no product and may concern any of several. */
function readResults(
  products: readonly string[],
  errors: readonly ShowcaseError[],
): ProductResults | undefined {
  const results = new Map<string, StepFailure | 'added'>(products.map((product) => [product, 'added']));
  for (const { code, message, detail } of errors) {
    // With only one product in the call, every error concerns it, whatever id the error names.
    const product = products.length === 1 ? products[0] : detail?.productId;
    if (product === undefined || !results.has(product)) return undefined;
    results.set(product, {
      code: code === undefined ? 'showcase_refused' : (String(code) as ErrorCode),
      message: message || 'The service did not add the product to the showcase.',
      subject: product,
      fix: 'Choose a product that is available for this creator, or ask the shop.',
    });
  }
  return results;
}

export class ShowcaseAdditions {
  readonly #underWay = new Map<string, Promise<void>>();
  readonly #refused = new LRUCache<string, true>({ max: 10_000 });

  /** Calls that are adding some of these products, or this link; they resolve in any case. */
  callsFor(creatorId: string, products: readonly string[], link?: string): readonly Promise<void>[] {
    return [...new Set(keysOf(creatorId, products, link).flatMap((key) => this.#underWay.get(key) ?? []))];
  }

  /** Whether a product may be taken along: it is not under way, and was not refused when it was taken along before. */
  mayTakeAlong(creatorId: string, product: string): boolean {
    const key = keyOf(creatorId, product);
    return !this.#underWay.has(key) && !this.#refused.has(key);
  }

  /** Remembers refused products that were taken along: they are sent again only for their own rows. */
  refuse(creatorId: string, products: readonly string[]): void {
    for (const product of products) this.#refused.set(keyOf(creatorId, product), true);
  }

  /** Marks products as under way until disposed. @returns a handle that can add more. */
  begin(
    creatorId: string,
  ): Disposable & { readonly add: (products: readonly string[], link?: string) => void } {
    const { promise, resolve } = Promise.withResolvers<void>();
    const keys: string[] = [];
    return {
      add: (products, link) => {
        for (const key of keysOf(creatorId, products, link)) {
          keys.push(key);
          this.#underWay.set(key, promise);
        }
      },
      [Symbol.dispose]: () => {
        for (const key of keys) if (this.#underWay.get(key) === promise) this.#underWay.delete(key);
        resolve();
      },
    };
  }
}

function keyOf(creatorId: string, product: string): string {
  return `${creatorId}\0${product}`;
}

/** A link has its products' keys too: whether the showcase has them is known only after its addition. */
function keysOf(creatorId: string, products: readonly string[], link: string | undefined): readonly string[] {
  const keys = products.map((product) => keyOf(creatorId, product));
  return link === undefined ? keys : [...keys, keyOf(creatorId, `\0${link}`)];
}
