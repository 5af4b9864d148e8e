/** What an import into a campaign makes of a sheet's rows, in words. */
import type { Match } from '../importers/into/sheet-matcher.ts';
import type { PlannedMerge } from './into.ts';

const words: Readonly<Record<Match, string>> = {
  new: 'new',
  changed: 'changed',
  redone: 'redone',
  posted: 'left alone because posted',
  running: 'left alone because at work',
  unchanged: 'left alone because unchanged',
  cancelled: 'left alone because cancelled',
  review: 'refused because in review',
};

/** `Into c1: 12 new, 3 changed, 2 redone, 31 left alone because posted, 1 refused because in review`. */
export function describeMatches({
  campaign,
  counts,
  inReview,
}: Omit<PlannedMerge, 'check'>): readonly string[] {
  const parts = (Object.keys(words) as Match[])
    .filter((match) => counts[match] > 0)
    .map((match) => `${counts[match].toLocaleString('en')} ${words[match]}`);
  const lines = [`Into ${campaign.id}: ${parts.join(', ') || 'no rows'}`];
  const [first] = inReview;
  if (first !== undefined) {
    const more = counts.review > inReview.length ? ', ...' : '';
    lines.push(
      `  in review: ${inReview.join(', ')}${more}; decide first: campaigns settle ${campaign.id} ${first}`,
    );
  }
  return lines;
}
