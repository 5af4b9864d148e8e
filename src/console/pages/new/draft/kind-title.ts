/** What a kind of problem is called, and its fix in words. */
import type { DraftColumn, ProblemGroup } from '../../../../app/drafts/view.ts';
import { isOpenTime } from '../../../../manifest/cells/time-faults.ts';
import { asSentence, sentence, thousands } from '../../../../manifest/wording.ts';
import { fixOnDraft } from '../../../hints.ts';

/** The fix of a kind. Some problems have another fix on this page than in the terminal. */
export function fixOf(group: ProblemGroup, isNew: boolean): string {
  const { code, fix } = group;
  if (code === 'zoneless_time' && isNew) return 'Choose the time zone for times without one.';
  if (mostOf(group) !== undefined) return 'Shorten each.';
  return sentence(fixOnDraft(fix));
}

/** Title of a kind. If its rows have different values, it is more general than the problem of the first row. */
export function titleOf(group: ProblemGroup, columns: readonly DraftColumn[], isSuggested: boolean): string {
  const { code, problem, isSameValue, column } = group;
  const of = columns.find(({ position }) => position === group.position);
  const name = of?.title ?? column ?? '';
  if (group.count > 1 && isOpenTime(problem)) return 'The time is still open.';
  switch (code) {
    case 'scientific_id':
    case 'digits_lost':
      return `The spreadsheet program lost the last digits of ${name}.`;
    case 'ambiguous_time':
      return 'Which number is the day?';
    case 'other_calendar':
      return group.count === 1 ? 'The year is in another calendar.' : 'The years are in another calendar.';
    case 'zoneless_time':
      return 'No time zone';
    case 'time_past':
      return 'In the past';
    case 'already_posted':
      return group.count === 1
        ? asSentence(problem)
        : of?.column === 'key'
          ? 'The campaign has these posts under other keys.'
          : 'These posts are in other campaigns already.';
    case 'may_be_row':
      return group.count === 1 ? asSentence(problem) : 'These rows may be posts of the campaign.';
    case 'post_repeats':
      return group.count === 1
        ? asSentence(problem)
        : 'These posts are in earlier rows of this sheet already.';
    case 'own_status':
      return `${name} says that ${group.count === 1 ? 'the row is' : 'these rows are'} posted, cancelled or not ready.`;
    case 'row_differs':
      return isSameValue ? asSentence(problem) : `${name} differs from most rows.`;
    case 'remark_holds':
      return isSameValue ? asSentence(problem) : `${name} says that these rows should wait.`;
    case 'share_link':
      return isSameValue ? asSentence(problem) : 'The links lead to pages, not to files.';
    case 'creator_unknown':
      if (group.values > 1) return `The service has no account with these ${thousands(group.values)} names.`;
      return asSentence(shownProblem(group, isSuggested));
    case 'media_missing':
      return isSameValue ? asSentence(shownProblem(group, isSuggested)) : 'The files are missing.';
    default: {
      const most = mostOf(group);
      if (most !== undefined) return `${name} has more than ${most} characters.`;
      const what = shownProblem(group, isSuggested);
      const own = `${of?.column} `;
      if (what.startsWith(own)) return sentence(`${name} ${what.slice(own.length)}`);
      return asSentence(what);
    }
  }
}

/** Most characters allowed, if its texts are too long by different amounts. */
function mostOf({ code, problem, isSameValue, count }: ProblemGroup): string | undefined {
  if (code !== 'too_long' || isSameValue || count < 2) return undefined;
  return /; (\d+) are allowed$/.exec(problem)?.[1];
}

/** Removes the parts of a problem that the suggestion repeats, or that are true only of the first of several values. */
function shownProblem({ problem, isSameValue, count }: ProblemGroup, isSuggested: boolean): string {
  const end = !isSameValue && count > 1 ? ';' : isSuggested ? '; did you mean ' : undefined;
  return end === undefined ? problem : (problem.split(end)[0] ?? problem);
}
