/** What to do with the rows of a cancelled campaign: it sends nothing any more, but its rows can become a new campaign. */
import { defaultAccount } from '../../config/access.ts';
import type { Campaign } from '../ledger/campaigns/campaigns.ts';
import { foldHeader } from '../manifest/columns.ts';
import { type CurePart, hint } from '../manifest/problems/hint.ts';

/**
 * How to post the rows of a cancelled campaign that were not posted.
 * @returns undefined if there are none.
 */
export function rowsAnew(campaign: Campaign): readonly CurePart[] | undefined {
  const { id, counts, account, mediaRoot, timezone, map, header } = campaign;
  const states = (['cancelled', 'failed'] as const).filter((state) => counts[state] > 0);
  if (states.length === 0) return undefined;
  const mend = counts.failed > 0 ? ', fix what failed' : '';
  const headers = new Set(header.map(foldHeader));
  return [
    `Its ${states.join(' and ')} rows can be posted as a campaign of their own. ` +
      `Write them to a sheet, remove its column \`campaign\`${mend}, and import it.`,
    hint('rowsAnew', {
      campaign: id,
      states,
      account: account === defaultAccount ? null : account,
      mediaRoot,
      timezone,
      // The sheet may be in another folder than the manifest, and has its headers.
      map: Object.fromEntries([...map].filter(([name]) => headers.has(foldHeader(name)))),
    }),
  ];
}
