/** Who may call what, and how often: API keys (contract, section 5) and rate limits (section 7). */
import { type ApiOperationId, apiOperationIds } from './description/operations.ts';
import { Refusal } from './http.ts';

/** `all`, or the operations that the key is permitted for. */
export type KeyPermissions = 'all' | readonly ApiOperationId[];

const allBut = (without: ApiOperationId) => apiOperationIds.filter((operation) => operation !== without);

/** Keys that lack permissions, to try out the refusals. */
const seedKeys: Readonly<Record<string, KeyPermissions>> = {
  'sandbox-key-readonly': apiOperationIds.filter((operation) => /^(list|search|fetch)/.test(operation)),
  'sandbox-key-no-post': allBut('createCreatorPost'),
  'sandbox-key-no-generation': allBut('createAiGenerationSchedule'),
  'sandbox-key-no-upload': allBut('createFileUpload'),
  'sandbox-key-no-showcase': allBut('addSocialShowcaseProducts'),
};

export class ApiKeys {
  readonly #keys: Map<string, KeyPermissions>;

  constructor(keys: Readonly<Record<string, KeyPermissions>>) {
    this.#keys = new Map(Object.entries({ ...seedKeys, ...keys }));
  }

  put(key: string, permissions: KeyPermissions): void {
    this.#keys.set(key, permissions);
  }

  /** @throws {Refusal} 401 without a valid key, 403 for a key without permission for the operation. */
  check(key: string | string[] | undefined, operation: ApiOperationId): void {
    if (key === undefined) throw new Refusal(401, 'the header x-api-key is missing');
    const permissions = this.#keys.get(String(key));
    if (permissions === undefined) throw new Refusal(401, 'the API key is invalid');
    if (permissions !== 'all' && !permissions.includes(operation)) {
      throw new Refusal(403, `the API key has no permission for ${operation}`);
    }
  }
}

/** Calls per second by operation; `default` applies to all others. No limit where neither is given. */
export type Rates = Readonly<Partial<Record<ApiOperationId | 'default', number>>>;

/** One token bucket per operation, which holds the calls of one second. */
export class RateLimits {
  readonly #rates: Rates;
  readonly #buckets = new Map<ApiOperationId, { readonly tokens: number; readonly filledAt: number }>();

  constructor(rates: Rates) {
    this.#rates = rates;
  }

  /** Takes one call from the operation's bucket. @throws {Refusal} 429 when it is empty. */
  take(operation: ApiOperationId, now: number): void {
    const rate = this.#rates[operation] ?? this.#rates.default;
    if (rate === undefined) return;
    const capacity = Math.max(1, rate);
    const bucket = this.#buckets.get(operation) ?? { tokens: capacity, filledAt: now };
    const filled = Math.min(capacity, bucket.tokens + ((now - bucket.filledAt) * rate) / 1000);
    this.#buckets.set(operation, { tokens: filled >= 1 ? filled - 1 : filled, filledAt: now });
    if (filled >= 1) return;
    const seconds = Math.max(1, Math.ceil((1 - filled) / rate));
    throw new Refusal(429, 'too many requests', undefined, { 'retry-after': String(seconds) });
  }
}
