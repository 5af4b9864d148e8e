/** Prints what a sheet changes in its campaign. */
import type { UpdatePlan } from '../../app/campaigns/import/update.ts';
import type { MatchedRows } from '../../importers/update/match-group.ts';
import type { Match } from '../../importers/update/row-match.ts';
import type { ChangedRow } from '../../importers/update/update-pass.ts';
import {
  describeAbsent,
  describePlace,
  describePlaces,
  matchedByPost,
  nameRows,
  otherKeys,
  showValue,
} from '../../manifest/problems/problem.ts';
import { thousands } from '../../manifest/wording.ts';
import { reviewCommands } from '../hints.ts';
import { namesOf, type Output } from './output.ts';
import { printFormat, printPlan, printWarnings } from './problems.ts';

/** Prints what will happen to an existing campaign. */
export function printPlannedUpdate(output: Output, planned: UpdatePlan): void {
  printFormat(output, planned.check);
  for (const line of describeMatches(planned)) output.print(line);
  printPlan(output, planned.check, planned.campaign.timezone);
  printWarnings(output, planned.check);
}

const words: Readonly<Record<Match, string>> = {
  new: 'new',
  changed: 'changed',
  redone: 'retried',
  posted: 'already posted or scheduled, unchanged',
  running: 'already started, unchanged',
  unchanged: 'unchanged',
  cancelled: 'cancelled, unchanged',
  review: 'in review, refused',
  unread: 'not retried: their earlier posts could not be looked up',
  rejected: 'rejected by a person, unchanged',
};
const named = ['new', 'changed', 'redone'] as const satisfies readonly Match[];
const keysShown = 8;

/** `Changes to c1: 12 new; 3 changed; 2 retried; 31 already posted or scheduled, unchanged`, then their keys. */
export function describeMatches(planned: Omit<UpdatePlan, 'check'>): readonly string[] {
  const { matches, unread, changes, ignored, absent, rekeyed, isKeyless } = planned;
  const { id } = planned.campaign;
  const { count: skipped, rows } = planned.skippedAgain;
  const parts = (Object.keys(words) as Match[])
    .filter((match) => matches[match].count > 0)
    .map((match) => `${thousands(matches[match].count)} ${words[match]}`);
  const rowsOf = (of: MatchedRows) =>
    isKeyless ? nameRows(of, true, keysShown) : namesOf(of.keys, keysShown, of.count);
  const lines = [`Changes to ${id}: ${parts.join('; ') || 'no rows'}`];
  if (matches.edited.count > 0) {
    lines.push(`  changed in the sheet, but not in the campaign: ${rowsOf(matches.edited)}`);
    lines.push(...cellLines(ignored, isKeyless, (was, is) => `stays ${was}; the sheet has ${is}`));
  }
  if (rekeyed > 0) lines.push(`  ${otherKeys(rekeyed)}: ${matchedByPost}`);
  if (skipped > 0) {
    const shown = rows.slice(0, keysShown);
    lines.push(
      `  skipped again, as in the last version: ${describePlaces(shown, skipped - shown.length)}. To post one, edit it in the sheet.`,
    );
  }
  if (absent.count > 0)
    lines.push(
      `  ${describeAbsent(absent)}: ${rowsOf(absent)}${isKeyless ? ' of an earlier version' : ''}. ${absent.count === 1 ? 'It stays in the campaign, and will still be sent if it waits' : 'They stay in the campaign, and those that wait will still be sent'}.`,
    );
  for (const match of named) {
    if (matches[match].count > 0) lines.push(`  ${words[match]}: ${rowsOf(matches[match])}`);
    if (match === 'changed')
      lines.push(...cellLines(changes, isKeyless, (was, is) => `${was} becomes ${is}`));
  }
  if (matches.review.count > 0) {
    lines.push(
      `  in review: ${rowsOf(matches.review)}. Decide these first:`,
      ...reviewCommands(id).map((command) => `    ${command}`),
    );
  }
  if (matches.unread.count > 0)
    lines.push(
      `  not looked up: ${rowsOf(matches.unread)}, because ${unread}. Update again once they can be looked up.`,
    );
  return lines;
}

/** `line 7, NB-004, caption: “old” becomes “new”` for the first cells. */
function cellLines(
  rows: readonly ChangedRow[],
  isKeyless: boolean,
  text: (was: string, is: string) => string,
): readonly string[] {
  const lines = rows.flatMap((row) =>
    row.cells.map(({ column, was, is }, index) => {
      const note = row.note !== undefined && index === 0 ? ` (${row.note})` : '';
      const change = text(`“${showValue(was)}”`, `“${showValue(is)}”`);
      return `    ${describePlace(row)}, ${isKeyless ? '' : `${row.key}, `}${column}: ${change}${note}`;
    }),
  );
  return lines.slice(0, keysShown);
}
