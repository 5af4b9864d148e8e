/** API keys and their permissions (contract, section 5). */

import type { ApiOperationId } from './description/operations.ts';
import { Refusal } from './http/answer.ts';

/** `all`, or the operations that the key is permitted for. */
export type KeyPermissions = 'all' | readonly ApiOperationId[];

/** The API keys that a sandbox accepts. */
export class ApiKeys {
  readonly #keys: Map<string, KeyPermissions>;

  constructor(keys: Readonly<Record<string, KeyPermissions>>) {
    this.#keys = new Map(Object.entries(keys));
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
