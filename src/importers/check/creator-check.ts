/** Whether a row's creator can post it: exists, is one only, is authorized, and may post photos (contract, sections 2.1 and 4.5). */
import { type CreatorAccount, photoPermission } from '../../api/contract/creators.ts';
import { type CellProblem, showValue } from '../../manifest/problem.ts';
import type { RowDraft } from '../../manifest/reader.ts';

/**
 * The accounts that names stand for, by the name as written. A name that no account bears is absent; one that several bear has
 * all of them.
 */
export type CreatorLookUp = (
  names: readonly string[],
) => Promise<ReadonlyMap<string, readonly CreatorAccount[]>>;

/** The `authSource` that publishing needs. */
export const publishingAuthSource = 'SOCIAL_SHOP_CREATOR';

/** What hinders the creator from posting this row; `null` where nothing does. `accounts` are those that its name stands for. */
export function checkCreator(
  row: Pick<RowDraft, 'creator' | 'mediaType'>,
  accounts: readonly CreatorAccount[],
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
    return report(
      'creator_unknown',
      'the service has no account of this name or id',
      'Write the username, creatorId or account id as the service has it, or let the creator authorize.',
    );
  }
  if (others.length > 0) {
    const ids = accounts.map((each) => each.creatorId).join(', ');
    return report(
      'creator_ambiguous',
      `several accounts bear this name: ${ids}`,
      'Write the creatorId of the one that is meant.',
    );
  }
  if (account.valid === false) {
    return report(
      'creator_authorization_invalid',
      "the creator's authorization is not valid any more",
      'Let the creator authorize anew, then check again.',
    );
  }
  if (account.authSource !== undefined && account.authSource !== publishingAuthSource) {
    return report(
      'creator_auth_source',
      `this account was authorized by ${showValue(account.authSource)}, which cannot publish`,
      `Let the creator authorize as ${publishingAuthSource}.`,
    );
  }
  if (row.mediaType === 'PHOTO' && !account.permissions?.includes(photoPermission)) {
    return report(
      'creator_photo_permission',
      `the creator has no permission for photo posts (${photoPermission})`,
      'Let the creator grant it, or post a video.',
    );
  }
  return null;
}
