/** The accounts of the service by their names, and the one that a person probably meant. */
import type { CreatorAccount } from '../../../api/contract/creators.ts';
import { MalformedAnswerError } from '../../../api/errors.ts';
import { nearest } from '../../../manifest/edit-distance.ts';
import { publishingAuthSource } from './creator-check.ts';

const operation = 'listCreatorAccounts';
/** Most accounts: all are held in memory, about 1 KB each. */
const mostAccounts = 100_000;
/** Most comparisons of names, at about a microsecond each, so that a sheet of wrong names does not take minutes. */
const mostComparisons = 2_000_000;

/** Accounts by each of their names. Usernames also match in another case. */
export class AccountIndex {
  readonly #byName = new Map<string, Map<CreatorAccount['id'], CreatorAccount>>();
  /** Usernames of accounts that can publish, by their lowercase form. */
  readonly #usernames = new Map<string, string>();
  #comparisons = 0;
  #size = 0;

  /** @throws {MalformedAnswerError} for more than `mostAccounts` accounts. */
  async addAll(accounts: AsyncIterable<CreatorAccount>): Promise<void> {
    for await (const account of accounts) {
      this.#size += 1;
      if (this.#size > mostAccounts) {
        const message = `${operation}: the service gave more than ${mostAccounts} accounts.`;
        throw new MalformedAnswerError(message, { operation });
      }
      this.#put(account.creatorId, account);
      this.#put(String(account.id), account);
      if (!account.username) continue;
      this.#put(account.username, account);
      const folded = account.username.toLowerCase();
      if (folded !== account.username) this.#put(folded, account);
      if (canPublish(account)) this.#usernames.set(folded, account.username);
    }
  }

  find(name: string): readonly CreatorAccount[] {
    const exact = this.#byName.get(name) ?? this.#byName.get(name.toLowerCase());
    return exact === undefined ? [] : [...exact.values()];
  }

  /** The username nearest to an unknown name, among accounts that can publish. */
  nearest(name: string): string | undefined {
    // Ids are numbers, so no username is a likely correction.
    if (isNumber(name) || this.#comparisons > mostComparisons) return undefined;
    this.#comparisons += this.#usernames.size;
    return this.#usernames.get(nearest(name.toLowerCase(), this.#usernames.keys()) ?? '');
  }

  #put(name: string, account: CreatorAccount): void {
    const same = this.#byName.get(name);
    if (same === undefined) this.#byName.set(name, new Map([[account.id, account]]));
    else same.set(account.id, account);
  }
}

function canPublish({ valid, authSource }: CreatorAccount): boolean {
  return valid !== false && (authSource ?? publishingAuthSource) === publishingAuthSource;
}

export function isNumber(name: string): boolean {
  return /^\d+$/.test(name);
}
