/** The accounts of the service by their names, and the one that a person probably meant. */

import { readFormatted } from '../../../manifest/cells/id.ts';
import { maxIdLength } from '../../../manifest/cells/scalars.ts';
import { type ComparingWork, Guesses, NearestNames } from '../../../manifest/edit-distance.ts';
import type { CreatorAccount } from '../../../service/contract/creators.ts';
import { MalformedAnswerError } from '../../../service/errors.ts';
import { publishingAuthSource } from './creator-check.ts';

const operation = 'listCreatorAccounts';
/** Most accounts: all are held in memory, about 1 KB each. */
const mostAccounts = 100_000;
/** Shorter names are alike by chance. */
const leastLetters = 3;

/** Accounts by each of their names. Usernames also match in another case. */
export class AccountIndex {
  readonly #byName = new Map<string, Map<CreatorAccount['id'], CreatorAccount>>();
  /** Usernames of accounts that can publish, by their lowercase form. */
  readonly #usernames = new Map<string, string>();
  /** Usernames of accounts that can publish, by their letters and digits; `null` for several. */
  readonly #byLetters = new Map<string, string | null>();
  readonly #nearest = new NearestNames();
  readonly #guesses: Guesses;
  /** Number of different accounts. */
  #size = 0;

  /** @param work of comparing names so far. */
  constructor(work: ComparingWork) {
    this.#guesses = new Guesses((name) =>
      this.#usernames.get(this.#nearest.find(name.toLowerCase(), work) ?? ''),
    );
  }

  /** @throws {MalformedAnswerError} for more than `mostAccounts` accounts. */
  async addAll(accounts: AsyncIterable<CreatorAccount>): Promise<void> {
    let listed = 0;
    for await (const account of accounts) {
      listed += 1;
      if (!this.#byName.get(String(account.id))?.has(account.id)) this.#size += 1;
      if (Math.max(listed, this.#size) > mostAccounts) {
        const message = `${operation}: the service gave more than ${mostAccounts} accounts.`;
        throw new MalformedAnswerError(message, { operation });
      }
      this.#put(account.creatorId, account);
      this.#put(String(account.id), account);
      if (!account.username) continue;
      this.#put(account.username, account);
      const folded = account.username.toLowerCase();
      if (folded !== account.username) this.#put(folded, account);
      if (!canPublish(account)) continue;
      const letters = lettersOf(folded);
      const isNew = (this.#byLetters.get(letters) ?? account.username) === account.username;
      this.#byLetters.set(letters, isNew && this.#byLetters.get(letters) !== null ? account.username : null);
      if (!this.#usernames.has(folded)) this.#nearest.add(folded);
      this.#usernames.set(folded, account.username);
    }
    this.#guesses.clear();
  }

  find(name: string): readonly CreatorAccount[] {
    const exact = this.#byName.get(name) ?? this.#byName.get(name.toLowerCase());
    return exact === undefined ? [] : [...exact.values()];
  }

  /** The username nearest to an unknown name, among accounts that can publish; of an id that became a number, the id. Takes some milliseconds at most. */
  nearest(name: string): string | undefined {
    const digits = readFormatted(name)?.digits;
    if (digits !== undefined && this.#byName.has(digits)) return digits;
    // Ids are numbers, so no username is a likely correction.
    if (isNumber(name)) return undefined;
    const letters = lettersOf(name);
    const same = letters.length < leastLetters ? undefined : this.#byLetters.get(letters);
    return same ?? this.#guesses.of(name);
  }

  #put(name: string, account: CreatorAccount): void {
    const same = this.#byName.get(name);
    if (same === undefined) this.#byName.set(name, new Map([[account.id, account]]));
    else same.set(account.id, account);
  }
}

/** Of a display name and its username alike: `Anna B.` is `anna.b`. */
function lettersOf(name: string): string {
  return name
    .slice(0, maxIdLength)
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');
}

function canPublish({ valid, authSource }: CreatorAccount): boolean {
  return valid !== false && (authSource ?? publishingAuthSource) === publishingAuthSource;
}

export function isNumber(name: string): boolean {
  return /^\d+$/.test(name);
}
