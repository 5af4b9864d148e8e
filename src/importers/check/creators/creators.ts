/** Looks up creators by username, `creatorId` or account id (contract, section 4.5). */
import type { CreatorAccount, ListCreatorAccounts } from '../../../api/contract/creators.ts';
import { MalformedAnswerError, RefusedError } from '../../../api/errors.ts';
import { nearest } from '../../../manifest/headers/edit-distance.ts';
import { type CreatorLookUp, publishingAuthSource } from './creator-check.ts';

/** Lists all accounts that match. */
export type ListCreators = (
  query: Pick<ListCreatorAccounts, 'authSource' | 'usernames'>,
) => AsyncIterable<CreatorAccount>;

const operation = 'listCreatorAccounts';
/**
 * Most usernames of a call, and most characters of them in its URL. Each repeats the parameter, and servers refuse URLs beyond 8
 * KB.
 */
const namesPerCall = 50;
const charactersPerCall = 4096;
/** Most accounts: all are held in memory, about 1 KB each. */
const mostAccounts = 100_000;
/** Most comparisons of names, at about a microsecond each, so that a sheet of wrong names does not take minutes. */
const mostComparisons = 2_000_000;

/**
 * Creates a look-up. It asks for usernames by name, and searches for the rest (ids, accounts of another `authSource`, names that
 * the service refuses to look up) among all accounts, which it fetches once.
 * @param list the operation `listCreatorAccounts`. Its errors pass through, except a refusal of names.
 */
export function createCreatorLookUp(list: ListCreators): CreatorLookUp {
  const accounts = new AccountIndex();
  let fetchAll: Promise<void> | undefined;

  const fetchNamed = async (usernames: readonly string[]) => {
    for (const some of calls(usernames)) {
      try {
        await accounts.addAll(list({ authSource: publishingAuthSource, usernames: some }));
      } catch (error) {
        // The service does not say which name it refuses. If it refuses the list of all accounts too, no name is at fault.
        if (!(error instanceof RefusedError)) throw error;
        return;
      }
    }
  };

  const lookUp = async (names: readonly string[]) => {
    const asked = new Map(names.map((name) => [name, withoutAt(name)]));
    const plain = [...new Set(asked.values())];
    const unseen = plain.filter((name) => accounts.find(name).length === 0);
    // A number may be both an id and a username, so the whole list is needed.
    const numbers = plain.some(isNumber);
    if (fetchAll === undefined) await fetchNamed(unseen.filter((name) => !isNumber(name)));
    if (numbers || unseen.some((name) => accounts.find(name).length === 0)) {
      fetchAll ??= accounts.addAll(list({}));
      await fetchAll;
    }
    const found = new Map<string, readonly CreatorAccount[]>();
    for (const [name, username] of asked) {
      const matches = preferred(accounts.find(username));
      if (matches.length > 0) found.set(name, matches);
    }
    return found;
  };
  return Object.assign(lookUp, { suggest: (name: string) => accounts.nearest(withoutAt(name)) });
}

/** Divides usernames into calls. */
function* calls(usernames: readonly string[]): Generator<string[]> {
  let some: string[] = [];
  let characters = 0;
  for (const name of usernames) {
    const length = encodeURIComponent(name.toWellFormed()).length;
    if (some.length === namesPerCall || (some.length > 0 && characters + length > charactersPerCall)) {
      yield some;
      some = [];
      characters = 0;
    }
    some.push(name);
    characters += length;
  }
  if (some.length > 0) yield some;
}

/** Accounts by each of their names. Usernames also match in another case. */
class AccountIndex {
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

function isNumber(name: string): boolean {
  return /^\d+$/.test(name);
}

/** People write `@name` for a username. */
function withoutAt(name: string): string {
  return name.startsWith('@') ? name.slice(1) : name;
}

/** Prefers accounts that can publish, because a creator may have authorized twice, or in two ways. */
function preferred(accounts: readonly CreatorAccount[]): readonly CreatorAccount[] {
  const publishing = narrow(accounts, (account) => account.authSource === publishingAuthSource);
  return narrow(publishing, (account) => account.valid !== false);
}

function narrow(
  accounts: readonly CreatorAccount[],
  keep: (account: CreatorAccount) => boolean,
): readonly CreatorAccount[] {
  if (accounts.length < 2) return accounts;
  const kept = accounts.filter(keep);
  return kept.length > 0 ? kept : accounts;
}
