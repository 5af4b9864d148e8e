/** Looks up creators by username, `creatorId` or account id (contract, section 4.5). */

import { Semaphore } from 'async-mutex';
import { usernameIn } from '../../../manifest/cells/creator.ts';
import { ComparingWork } from '../../../manifest/edit-distance.ts';
import { type Turn, turn as turnOfProcess } from '../../../manifest/turn.ts';
import type { CreatorAccount, ListCreatorAccounts } from '../../../service/contract/creators.ts';
import { RefusedError } from '../../../service/errors.ts';
import { type CreatorLookUp, publishingAuthSource } from './creator-check.ts';
import { AccountIndex, isNumber } from './nearest-creator.ts';

/** Lists all accounts that match. */
export type ListCreators = (
  query: Pick<ListCreatorAccounts, 'authSource' | 'usernames'>,
) => AsyncIterable<CreatorAccount>;

/**
 * Most usernames of a call, and most characters of them in its URL. Each repeats the parameter, and servers refuse URLs beyond 8
 * KB.
 */
const namesPerCall = 50;
const charactersPerCall = 4096;
/** Of them under way at once. */
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
    const asked = new Map(names.map((name) => [name, usernameIn(name)]));
    const plain = [...new Set(asked.values())];
    const unseen = plain.filter((name) => accounts.find(name).length === 0);
    // A number may be both an id and a username, so the whole list is needed.
    const numbers = plain.some(isNumber);
    if (fetchAll === undefined && byName < lookUpsByName)
      await fetchNamed(unseen.filter((name) => !isNumber(name)));
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
  const suggest = async (names: readonly string[]) => {
    const found = new Map<string, string>();
    for (const name of names) {
      await turn.pause();
      const username = accounts.nearest(usernameIn(name));
      if (username !== undefined) found.set(name, username);
    }
    return found;
  };
  return Object.assign(lookUp, { suggest });
}

/** Divides usernames into calls. */
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
