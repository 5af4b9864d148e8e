/** Checks that a row's creator exists, is unambiguous, is authorized, and may post photos (contract, sections 2.1 and 4.5). */
import { LRUCache } from 'lru-cache';
import type { CreatorRef } from '../../ledger/campaigns/campaign.ts';
import { isLink } from '../../manifest/cells/id.ts';
import { detached } from '../../manifest/printable.ts';
import { type CellProblem, showValue } from '../../manifest/problems/problem.ts';
import type { RowDraft } from '../../manifest/reader.ts';
import { maxIdLength } from '../../manifest/sheet-bounds.ts';
import { type CreatorAccount, photoPermission } from '../../service/contract/creators.ts';

/** Finds the accounts of names, by the name as given. Unknown names are absent. An ambiguous name has several accounts. */
export interface CreatorLookUp {
  (names: readonly string[]): Promise<ReadonlyMap<string, readonly CreatorAccount[]>>;
  /** The usernames that unknown names may be misspellings of, by the name as given. Call it after the look-up of the names. */
  readonly suggest?: (names: readonly string[]) => Promise<ReadonlyMap<string, string>>;
}

const mostShown = 10;

export const publishingAuthSource = 'SOCIAL_SHOP_CREATOR';

/**
 * Finds why the creator cannot post this row.
 * @param accounts found for the creator's name.
 * @param suggestion username that may be meant, if there are no accounts.
 */
export function checkCreator(
  row: Pick<RowDraft, 'creator' | 'mediaType'>,
  accounts: readonly CreatorAccount[],
  suggestion?: string,
): CellProblem | null {
  const [account, ...others] = accounts;
  const report = (code: string, problem: string, fix: string): CellProblem => ({
    column: 'creator',
    code,
    value: showValue(row.creator),
    problem,
    fix,
  });
  if (account === undefined) {
    const several = suggestion === undefined ? creatorsIn(row.creator).length : 1;
    if (several > 1) {
      return report(
        'creator_unknown',
        `the cell seems to name ${several} creators, but a row is one post of one creator`,
        'Write a row for each of them. If it is one account, write its username, creatorId or account id as in the service.',
      );
    }
    const unknown = report(
      'creator_unknown',
      `the service has no account with this name or id${suggestion === undefined ? '' : `; did you mean ${showValue(suggestion)}?`}`,
      'Write the username, creatorId or account id as in the service, or ask the creator to authorize.',
    );
    return suggestion === undefined ? unknown : { ...unknown, meant: suggestion };
  }
  if (others.length > 0) {
    const ids = accounts.slice(0, mostShown).map((each) => showValue(each.creatorId));
    if (accounts.length > mostShown) ids.push('...');
    return report(
      'creator_ambiguous',
      `several accounts have this name: ${ids.join(', ')}`,
      'Write the creatorId of the right one.',
    );
  }
  if (account.valid === false) {
    return report(
      'creator_authorization_invalid',
      "the creator's authorization is no longer valid",
      'Ask the creator to authorize again, then check again.',
    );
  }
  if (account.authSource !== undefined && account.authSource !== publishingAuthSource) {
    return report(
      'creator_auth_source',
      `this account was authorized by ${showValue(account.authSource)}, which cannot publish`,
      `Ask the creator to authorize as ${publishingAuthSource}.`,
    );
  }
  if (row.mediaType === 'PHOTO' && !account.permissions?.includes(photoPermission)) {
    return report(
      'creator_photo_permission',
      `the creator has no permission for photo posts (${photoPermission})`,
      'Ask the creator to grant it, or post a video.',
    );
  }
  return null;
}

const betweenNames = /[,;，、&+/|\r\n]| (?:and|und|et|e|y|dan|x|×) | (?=[@＠])/;

/** The names that a text lists, usernames or display names: also below each other. One for any other text. */
export function creatorsIn(text: string): readonly string[] {
  const names = text
    .split(betweenNames)
    .map((name) => name.trim())
    .filter(Boolean);
  return names.every(isName) ? names : [text];
}

/** Whether a text is a username, or a few words as in a display name: `Tara Boone`, not `the band`. */
function isName(text: string): boolean {
  const words = text.split(' ');
  if (words.length === 1) return /^[@＠]?[\p{L}\p{M}\d._]{2,}$/u.test(text);
  return words.length < 5 && words.every((word) => /^[\p{Lu}\p{Lo}][\p{L}\p{M}.'’-]*$/u.test(word));
}

const namesKept = 10_000;
/** Most creators of one sheet, counting each spelling of a name: all are kept in memory, and with the campaign. */
export const mostCreators = 20_000;

export class RowCreators {
  readonly #lookUp: CreatorLookUp | null;
  /** A `max` would take the room of all at once. */
  readonly #accounts = new LRUCache<string, readonly CreatorAccount[]>({
    maxSize: namesKept,
    sizeCalculation: () => 1,
  });
  /** Suggested usernames for unknown names of the prepared rows. */
  #suggestions: ReadonlyMap<string, string> = new Map();
  /** Creators of the accepted rows by `Row.creator`. */
  readonly registered = new Map<string, CreatorRef>();

  /** @param lookUp `null`: every name is accepted as a creator. */
  constructor(lookUp: CreatorLookUp | null) {
    this.#lookUp = lookUp;
  }

  /** Looks up the creators of some rows for `check` and `accept`. Rejects as the look-up does. */
  async prepare(drafts: readonly (RowDraft | null)[]): Promise<void> {
    if (this.#lookUp === null) return;
    const names = [...new Set(drafts.map((draft) => draft?.creator ?? ''))].filter(mayBeCreator);
    const unseen = names.filter((name) => !this.#accounts.has(name));
    if (unseen.length > 0) {
      const found = await this.#lookUp(unseen);
      for (const name of unseen) this.#accounts.set(detached(name), found.get(name) ?? []);
    }
    const unknown = names.filter((name) => this.#accounts.get(name)?.length === 0);
    if (unknown.length === 0) return;
    this.#suggestions = (await this.#lookUp.suggest?.(unknown)) ?? new Map();
  }

  /** @returns the problem of a row's creator, if the row has one. */
  check(draft: RowDraft): CellProblem | null {
    if (this.#lookUp === null || !mayBeCreator(draft.creator)) return null;
    if (this.registered.size >= mostCreators && !this.registered.has(draft.creator)) return tooMany;
    const accounts = this.#accounts.get(draft.creator) ?? [];
    return checkCreator(draft, accounts, this.#suggestions.get(draft.creator));
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
  fix: 'Split the sheet. If creators are spelled in several ways, use one spelling each: every spelling counts.',
};

/**
 * Longer texts and links are reported when the row is read. They are not looked up, because a service may refuse all names of the same
 * call.
 */
function mayBeCreator(name: string): boolean {
  return name !== '' && name.length <= maxIdLength && !(name.includes('/') && isLink(name));
}
