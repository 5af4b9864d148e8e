/** Checks one edited row of a campaign, by the rules of an import. */
import type { Settings } from '../../../config/schema.ts';
import type { CreatorRef } from '../../ledger/campaigns/campaign.ts';
import type { CellProblem } from '../../manifest/problems/problem.ts';
import type { ImportedSheet } from '../../manifest/reader.ts';
import type { Row } from '../../manifest/row.ts';
import { CallForecast } from '../plan/plan.ts';
import type { PostLookUp } from './checked-row.ts';
import type { CreatorLookUp } from './creators/creator-check.ts';
import type { MediaCheck } from './media/media-check.ts';
import { RowChecks } from './row-checks.ts';
import { checkManifestNeeds } from './row-warnings.ts';

export interface CheckOneOptions {
  readonly settings: Settings;
  /** Earliest allowed time, in milliseconds since the epoch. */
  readonly now: number;
  readonly creators: CreatorLookUp;
  readonly media: MediaCheck;
  readonly posts: PostLookUp;
  /** Post the row again if it repeats a post of another campaign. */
  readonly again: boolean;
  /** @returns how many AI outputs of the row are still to be made. */
  readonly outputsOf: (row: Row) => number;
}

export type CheckedOne =
  | { readonly kind: 'problems'; readonly problems: readonly CellProblem[] }
  | {
      readonly kind: 'accepted';
      readonly row: Row;
      /** Undefined if the creator has no known account. */
      readonly creator: CreatorRef | undefined;
      readonly warnings: readonly CellProblem[];
      /** Identity of its post. */
      readonly post: Buffer | undefined;
    };

/**
 * @param sheet the columns of the cells.
 * @param stored.number of the row in the manifest, from 1.
 * @throws errors of the look-ups.
 */
export async function checkOne(
  sheet: ImportedSheet,
  { number, cells }: { readonly number: number; readonly cells: readonly string[] },
  { settings, now, creators, media, posts, again, outputsOf }: CheckOneOptions,
): Promise<CheckedOne> {
  const checks = new RowChecks(
    sheet.header,
    {},
    {
      settings: { ...settings, timezone: sheet.timezone },
      now,
      creators,
      media,
      posts,
      again,
      allowUnknownColumns: true,
      isTyped: true,
      // The row is in the campaign already.
      sheet: { map: sheet.map, ownStatus: 'post', noPosts: 'post' },
    },
  );
  checks.rowsSeen = number - 1;
  const { accepted, refused } = await checks.check([{ line: number, cells }]);
  const problems: CellProblem[] = refused.flatMap((row) => row.problems);
  const need = checkManifestNeeds(settings.api);
  if (need) problems.push(need);
  const [row] = accepted;
  if (!row) return { kind: 'problems', problems };
  const plan = new CallForecast({ settings, now });
  const missed = plan.add(row, outputsOf(row.row));
  const overspending = plan.overspending();
  if (problems.length > 0) return { kind: 'problems', problems };
  return {
    kind: 'accepted',
    row: row.row,
    creator: checks.creators.registered.get(row.row.creator),
    warnings: [
      ...row.warnings,
      ...(missed ? [checks.titled(missed, cells)] : []),
      ...(overspending ? [overspending.problem] : []),
    ],
    post: row.post,
  };
}
