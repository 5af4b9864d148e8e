/** The creators of rows. Looks up each creator once, and keeps the result for the campaign. */
import { LRUCache } from 'lru-cache';
import type { CreatorAccount } from '../../../api/contract/creators.ts';
import { maxIdLength } from '../../../manifest/cells/scalars.ts';
import { detached } from '../../../manifest/detached.ts';
import type { CellProblem } from '../../../manifest/problems/problem.ts';
import type { RowDraft } from '../../../manifest/reader.ts';
import type { RegisteredCreator } from '../checked-row.ts';
import { type CreatorLookUp, checkCreator } from './creator-check.ts';

/** Size of the cache of look-ups. */
const namesKept = 10_000;
/** Most creators of one sheet, counting each spelling of a name: all are kept in memory, and with the campaign. */
export const mostCreators = 20_000;
const suggestionsKept = 1000;

export class RowCreators {
  readonly #lookUp: CreatorLookUp | null;
  readonly #accounts = new LRUCache<string, readonly CreatorAccount[]>({ max: namesKept });
  /** Suggested usernames by unknown name; empty if there is none. */
  readonly #suggestions = new LRUCache<string, string>({ max: suggestionsKept });
  /** Creators of the accepted rows by the name as written. */
  readonly registered = new Map<string, RegisteredCreator>();

  /** @param lookUp `null`: every name is accepted as a creator. */
  constructor(lookUp: CreatorLookUp | null) {
    this.#lookUp = lookUp;
  }

  /** Looks up the creators of some rows for `check` and `accept`. Rejects as the look-up does. */
  async prepare(drafts: readonly (RowDraft | null)[]): Promise<void> {
    if (this.#lookUp === null) return;
    const names = new Set(drafts.map((draft) => draft?.creator ?? ''));
    const unknown = [...names].filter((name) => mayBeCreator(name) && !this.#accounts.has(name));
    if (unknown.length === 0) return;
    const found = await this.#lookUp(unknown);
    for (const name of unknown) this.#accounts.set(detached(name), found.get(name) ?? []);
  }

  /** @returns the problem of a row's creator, if the row has one. */
  check(draft: RowDraft): CellProblem | null {
    if (this.#lookUp === null || !mayBeCreator(draft.creator)) return null;
    if (this.registered.size >= mostCreators && !this.registered.has(draft.creator)) return tooMany;
    const accounts = this.#accounts.get(draft.creator) ?? [];
    return checkCreator(draft, accounts, accounts.length === 0 ? this.#suggest(draft.creator) : undefined);
  }

  #suggest(name: string): string | undefined {
    const known = this.#suggestions.get(name);
    const suggestion = known ?? this.#lookUp?.suggest?.(name) ?? '';
    if (known === undefined) this.#suggestions.set(detached(name), suggestion);
    return suggestion || undefined;
  }

  /** Id of a creator, the same for every spelling of the name; the name itself if creators are not looked up. */
  idOf(name: string): string {
    return this.#accounts.get(name)?.[0]?.creatorId ?? name;
  }

  /** Registers the creator of an accepted row. @returns `undefined` if creators are not looked up. */
  accept(name: string): CreatorAccount | undefined {
    const account = this.#accounts.get(name)?.[0];
    if (account !== undefined && !this.registered.has(name)) {
      const { id, creatorId, username = account.creatorId, oauthRegion } = account;
      this.registered.set(detached(name), { id, creatorId, username, oauthRegion });
    }
    return account;
  }
}

const tooMany: CellProblem = {
  column: 'creator',
  code: 'too_many_creators',
  value: '',
  problem: `the sheet has more than ${mostCreators} creators`,
  cure: 'Divide the sheet. Write the name of a creator in the same way in all rows.',
};

/**
 * Longer texts are reported when the row is read. They are not looked up, because a service may refuse all names of the same
 * call.
 */
function mayBeCreator(name: string): boolean {
  return name !== '' && name.length <= maxIdLength;
}
