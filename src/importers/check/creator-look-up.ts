/** Looks up creators by username, `creatorId` or account id (contract, section 4.5), and finds the ones that unknown names may mean. */

import { Semaphore } from 'async-mutex';
import { LRUCache } from 'lru-cache';
import { creatorIn, readFormatted } from '../../manifest/cells/id.ts';
import { ComparingWork, guessesKept, NearestNames } from '../../manifest/edit-distance.ts';
import { type Turn, turn as turnOfProcess } from '../../manifest/event-loop.ts';
import { detached } from '../../manifest/printable.ts';
import { maxIdLength } from '../../manifest/sheet-bounds.ts';
import type { CreatorAccount, ListCreatorAccounts } from '../../service/contract/creators.ts';
import { MalformedAnswerError, RefusedError } from '../../service/errors.ts';
import { type CreatorLookUp, creatorsIn, publishingAuthSource } from './creator-check.ts';

export type ListCreators = (
  query: Pick<ListCreatorAccounts, 'authSource' | 'usernames'>,
) => AsyncIterable<CreatorAccount>;

/**
 * Most usernames of a call, and most characters of them in its URL. Each repeats the parameter, and servers refuse URLs beyond 8
 * KB.
 */
const namesPerCall = 50;
const charactersPerCall = 4096;
/** Calls under way at once. */
const callsAtOnce = 8;
/** A sheet that names others again and again, such as one sorted by creator, would wait for a call each time: then all are listed at once. */
const lookUpsByName = 3;

/**
 * Creates a look-up. It asks for usernames by name, and searches for the rest (ids, accounts of another `authSource`, names that
 * the service refuses to look up) among all accounts, which it fetches once.
 * @param list the operation `listCreatorAccounts`. Its errors pass through, except a refusal of names.
 * @param options.work of comparing names so far.
 */
export function createCreatorLookUp(
  list: ListCreators,
  {
    work = new ComparingWork(),
    turn = turnOfProcess,
  }: { readonly work?: ComparingWork; readonly turn?: Turn } = {},
): CreatorLookUp {
  const accounts = new AccountIndex(work);
  let fetchAll: Promise<void> | undefined;
  let byName = 0;

  const fetchNamed = async (usernames: readonly string[]) => {
    const places = new Semaphore(callsAtOnce);
    let isRefused = false;
    const fetch = async (batch: readonly string[]) => {
      if (isRefused) return;
      try {
        await accounts.addAll(list({ authSource: publishingAuthSource, usernames: [...batch] }));
      } catch (error) {
        // The service does not say which name it refuses. If it refuses the list of all accounts too, no name is at fault.
        if (!(error instanceof RefusedError)) throw error;
        isRefused = true;
      }
    };
    if (usernames.length > 0) byName += 1;
    await Promise.all([...calls(usernames)].map((batch) => places.runExclusive(() => fetch(batch))));
  };

  const lookUp = async (names: readonly string[]) => {
    const asked = new Map(names.map((name) => [name, creatorIn(name)]));
    const plain = [...new Set(asked.values())];
    const unseen = plain.filter((name) => accounts.find(name).length === 0);
    // A number may be both an id and a username, so the whole list is needed.
    const numbers = plain.some(isNumber);
    if (fetchAll === undefined && byName < lookUpsByName)
      await fetchNamed(unseen.filter((name) => !isNumber(name)));
    if (numbers || unseen.some((name) => accounts.find(name).length === 0)) {
      fetchAll ??= accounts.addAll(list({}));
      await fetchAll.catch((error) => {
        // The next look-up may be minutes later.
        fetchAll = undefined;
        throw error;
      });
    }
    const found = new Map<string, readonly CreatorAccount[]>();
    for (const [name, username] of asked) {
      const matches = preferred(accounts.find(username));
      if (matches.length > 0) found.set(name, matches);
    }
    return found;
  };
  const suggest = async (names: readonly string[]) => {
    const found = new Map<string, string>();
    for (const name of names) {
      await turn.pause();
      const username = accounts.nearest(creatorIn(name));
      if (username !== undefined) found.set(name, username);
    }
    return found;
  };
  return Object.assign(lookUp, { suggest });
}

function* calls(usernames: readonly string[]): Generator<readonly string[]> {
  let batch: string[] = [];
  let characters = 0;
  for (const name of usernames) {
    const length = encodeURIComponent(name.toWellFormed()).length;
    if (batch.length === namesPerCall || (batch.length > 0 && characters + length > charactersPerCall)) {
      yield batch;
      batch = [];
      characters = 0;
    }
    batch.push(name);
    characters += length;
  }
  if (batch.length > 0) yield batch;
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

const operation = 'listCreatorAccounts';
/** Most accounts: all are held in memory, about 1 KB each. */
const mostAccounts = 100_000;
/** Shorter names are alike by chance. */
const leastLetters = 3;
/** Shorter words stand in other names by chance. */
const leastWithin = 4;
const mostWords = 5;

/** Accounts by each of their names. Usernames also match in another case. */
class AccountIndex {
  readonly #byName = new Map<string, Map<CreatorAccount['id'], CreatorAccount>>();
  /** Usernames of accounts that can publish, by their lowercase form. */
  readonly #usernames = new Map<string, string>();
  /** Usernames of accounts that can publish, by their letters and digits; `null` for several. */
  readonly #byLetters = new Map<string, string | null>();
  /** Usernames of accounts that can publish, by each word in them; `null` for several. */
  readonly #byWord = new Map<string, string | null>();
  readonly #nearest = new NearestNames();
  /** The letters and digits of all usernames of accounts that can publish, a line each; undefined until it is needed. */
  #lines: string | undefined;
  /** Usernames that unknown names may mean; empty if there is none. */
  readonly #guesses: LRUCache<string, string>;
  #size = 0;

  /** @param work of comparing names so far. */
  constructor(work: ComparingWork) {
    const memoMethod = (name: string) =>
      this.#containing(name) ?? this.#usernames.get(this.#nearest.find(name.toLowerCase(), work) ?? '') ?? '';
    this.#guesses = new LRUCache({ max: guessesKept, memoMethod });
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
      putOnly(this.#byLetters, lettersOf(folded), account.username);
      for (const word of folded.split(/[^\p{L}]/u)) putOnly(this.#byWord, lettersOf(word), account.username);
      if (!this.#usernames.has(folded)) this.#nearest.add(folded);
      this.#usernames.set(folded, account.username);
    }
    this.#guesses.clear();
    this.#lines = undefined;
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
    // `Anna` may be `anna.glow`, if no other username has that word.
    const same =
      letters.length < leastLetters ? undefined : (this.#byLetters.get(letters) ?? this.#byWord.get(letters));
    return same ?? (this.#guesses.memo(detached(name)) || undefined);
  }

  /** The only username that has a display name within it, such as `tashabglow` for `Tasha B.`; else the only one with a word of it. */
  #containing(name: string): string | undefined {
    if (creatorsIn(name).length > 1) return undefined;
    const whole = this.#with(lettersOf(name));
    const found =
      whole.length > 0 ? whole : name.split(' ', mostWords).flatMap((word) => this.#with(lettersOf(word)));
    const [only, ...others] = new Set(found);
    return others.length === 0 && only !== undefined ? (this.#byLetters.get(only) ?? undefined) : undefined;
  }

  /** The first two lines that have these letters within them. */
  #with(letters: string): readonly string[] {
    if (letters.length < leastWithin) return [];
    this.#lines ??= `\n${[...this.#byLetters.keys()].join('\n')}\n`;
    const lines = this.#lines;
    const found: string[] = [];
    for (let at = lines.indexOf(letters); at >= 0 && found.length < 2; ) {
      const end = lines.indexOf('\n', at);
      found.push(lines.slice(lines.lastIndexOf('\n', at) + 1, end));
      at = lines.indexOf(letters, end);
    }
    return found;
  }

  #put(name: string, account: CreatorAccount): void {
    const same = this.#byName.get(name);
    if (same === undefined) this.#byName.set(name, new Map([[account.id, account]]));
    else same.set(account.id, account);
  }
}

/** Puts the username of a name; `null` if another one has it, too. */
function putOnly(usernames: Map<string, string | null>, name: string, username: string): void {
  const known = usernames.get(name);
  usernames.set(name, known === undefined || known === username ? username : null);
}

/** The letters and digits that a display name and its username share: `Anna B.` is `anna.b`. */
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

function isNumber(name: string): boolean {
  return /^\d+$/.test(name);
}
