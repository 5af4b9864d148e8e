/** Problems of a sheet of decisions. */
import { belongsElsewhere, lacksKey } from '../../importers/into/matching-faults.ts';
import { type CurePart, hint } from '../../manifest/problems/hint.ts';
import { type CellProblem, showValue } from '../../manifest/problems/problem.ts';
import type { Decidable } from '../causes/commands.ts';
import { type DecisionFault, type Verdict, verdictText, whereToLook } from './decision.ts';

/** Valid texts of the column `decision`, by what the decision is about. */
const choices: Readonly<Record<Decidable, string>> = {
  post: 'posted POST_ID, or not-posted',
  generation: 'generated SCHEDULE_ID, or not-generated',
};

export function noSuchColumn(column: 'decision' | 'key', id: string): CellProblem {
  return {
    column,
    code: 'missing_column',
    value: '',
    problem: `the sheet has no column ${column}`,
    cure: [
      'Write the rows in review to a sheet, and fill in its column decision.',
      hint('writeSheet', { campaign: id, only: 'review' }),
    ],
  };
}

export function anotherCampaign(owner: string, id: string): CellProblem {
  const cure = ['Upload it for its own campaign.', hint('decideBySheet', { campaign: showValue(owner) })];
  return { ...belongsElsewhere(owner, id), cure };
}

export function noKey(id: string): CellProblem {
  const cure = ['Copy its key from a new sheet.', hint('writeSheet', { campaign: id, only: 'review' })];
  return { ...lacksKey(), cure };
}

export function unknownKey(key: string, id: string): CellProblem {
  return {
    column: 'key',
    code: 'row_not_found',
    value: showValue(key),
    problem: `${id} has no row with this key`,
    cure: 'Restore its key, or clear its decision.',
  };
}

export function duplicateKey(key: string, line: number): CellProblem {
  return {
    column: 'key',
    code: 'duplicate_key',
    value: showValue(key),
    problem: `line ${line} decides the same row`,
    cure: 'Keep one of the decisions.',
  };
}

export function unknownDecision(written: string): CellProblem {
  return decision(written, {
    code: 'invalid_decision',
    message: 'this is not a decision',
    cure: `Write ${choices.post}. For a generation, write ${choices.generation}. An empty cell decides nothing.`,
  });
}

/** The column `post_id` is filled in, but `decision` is not. */
export function forgottenDecision(postId: string): CellProblem {
  return decision('', {
    code: 'decision_missing',
    message: `the row has post_id ${showValue(postId)}, but no decision`,
    cure: `Write posted ${showValue(postId)} into decision.`,
  });
}

export function wrongDecision(verdict: Verdict, about: Decidable): CellProblem {
  return decision(verdictText(verdict), {
    code: 'wrong_decision',
    message: `the row needs a decision about its ${about}`,
    cure: `Write ${choices[about]}.`,
  });
}

/** The row was sent again since the sheet was written, and is of unknown outcome again: nobody has checked the new call. */
export function outdatedDecision(verdict: Verdict, id: string): CellProblem {
  return decision(verdictText(verdict), {
    code: 'decision_outdated',
    message: 'the row was resent after this sheet was written, and needs review again',
    cure: [
      `${whereToLook}, again. Then write a new sheet.`,
      hint('writeSheet', { campaign: id, only: 'review' }),
    ],
  });
}

/** The row was posted meanwhile, as another post. */
export function otherPost(verdict: Verdict, postId: string): CellProblem {
  return decision(verdictText(verdict), {
    code: 'posted_otherwise',
    message: `the row is posted already, as ${showValue(postId)}`,
    cure: 'Clear its decision. If both posts exist, delete one in the app.',
  });
}

export function duplicateId(verdict: Verdict, line: number): CellProblem {
  return decision(verdictText(verdict), {
    code: 'duplicate_id',
    message: `line ${line} has the same id`,
    cure: `${whereToLook}: each row has its own.`,
  });
}

/** The ledger or the service contradicts the decision. Another one is written into the sheet. */
export function faultyDecision(verdict: Verdict, { cure, ...fault }: DecisionFault): CellProblem {
  const inSheet = (part: CurePart) => {
    if (typeof part === 'string' || part.action !== 'decideRow') return part;
    const { decision, unchecked } = part.params;
    return unchecked ? hint('decideUnchecked') : `Write ${decision} into decision.`;
  };
  return decision(verdictText(verdict), {
    ...fault,
    cure: typeof cure === 'string' ? cure : cure.map(inSheet),
  });
}

function decision(value: string, { code, message, cure }: DecisionFault): CellProblem {
  return { column: 'decision', code, value: showValue(value), problem: message, cure };
}
