/** What an import into a campaign does with the rows of a sheet, in words. */
import type { PlannedMerge } from '../../campaigns/import/into.ts';
import type { Match, SheetMatches } from '../../importers/into/match-rows.ts';

const words: Readonly<Record<Match, string>> = {
  new: 'new',
  changed: 'changed',
  redone: 'redone',
  posted: 'left alone because posted',
  running: 'left alone because begun',
  unchanged: 'left alone because unchanged',
  cancelled: 'left alone because cancelled',
  review: 'refused because in review',
  unread: 'left alone because their failed posts could not be looked up again',
};
const named = ['new', 'changed', 'redone'] as const satisfies readonly Match[];
const keysShown = 8;

/** `Into c1: 12 new, 3 changed, 2 redone, 31 left alone because posted, 1 refused because in review`, then their keys. */
export function describeMatches({
  campaign: { id },
  matches,
  unread,
}: Pick<PlannedMerge, 'campaign' | 'matches' | 'unread'>): readonly string[] {
  const parts = (Object.keys(words) as Match[])
    .filter((match) => matches[match].count > 0)
    .map((match) => `${matches[match].count.toLocaleString('en')} ${words[match]}`);
  const lines = [`Into ${id}: ${parts.join(', ') || 'no rows'}`];
  for (const match of named) {
    if (matches[match].count > 0) lines.push(`  ${match}: ${keysOf(matches, match)}`);
  }
  if (matches.review.count > 0) {
    const sheet = `${id}.review.csv`;
    lines.push(
      `  in review: ${keysOf(matches, 'review')}. Decide first, in the column decision of a sheet:`,
      `    campaigns report ${id} --only review --out ${sheet}`,
      `    campaigns settle ${id} --from ${sheet}`,
    );
  }
  if (matches.unread.count > 0)
    lines.push(`  not looked up again: ${keysOf(matches, 'unread')}, because ${unread}`);
  if (matches.edited.count > 0) {
    lines.push(`  changed in the sheet, but left alone: ${keysOf(matches, 'edited')}`);
  }
  return lines;
}

function keysOf(matches: SheetMatches, kind: Match | 'edited'): string {
  const { count, keys } = matches[kind];
  return `${keys.slice(0, keysShown).join(', ')}${count > keysShown ? ', ...' : ''}`;
}
