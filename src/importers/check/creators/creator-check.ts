/** Checks that a row's creator exists, is unambiguous, is authorized, and may post photos (contract, sections 2.1 and 4.5). */
import { type CreatorAccount, photoPermission } from '../../../api/contract/creators.ts';
import { type CellProblem, showValue } from '../../../manifest/problems/problem.ts';
import type { RowDraft } from '../../../manifest/reader.ts';

/** Finds the accounts of names, by the name as written. Unknown names are absent. An ambiguous name has several accounts. */
export interface CreatorLookUp {
  (names: readonly string[]): Promise<ReadonlyMap<string, readonly CreatorAccount[]>>;
  /** The username that an unknown name may be a misspelling of. Call it after the look-up of the name. */
  readonly suggest?: (name: string) => string | undefined;
}

/** Most accounts to name in a problem. */
const mostShown = 10;

/** The `authSource` that publishing needs. */
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
  const report = (code: string, problem: string, cure: string): CellProblem => ({
    column: 'creator',
    code,
    value: showValue(row.creator),
    problem,
    cure,
  });
  if (account === undefined) {
    const unknown = report(
      'creator_unknown',
      `the service has no account of this name or id${suggestion === undefined ? '' : `; did you mean ${showValue(suggestion)}?`}`,
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
