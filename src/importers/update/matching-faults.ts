/** Problems of matching the rows of a sheet with the rows of a campaign. */
import { hint } from '../../manifest/problems/hint.ts';
import { type CellProblem, showValue } from '../../manifest/problems/problem.ts';
import { mostColumns } from '../../manifest/sheet-bounds.ts';

/** Each ledger counts its campaigns from 1. @param other the row's cell `ledger`. */
export function isOfOtherLedger(other: string, ledger: string): CellProblem {
  const shown = showValue(other);
  return {
    column: 'ledger',
    code: 'other_ledger',
    value: shown,
    problem: `this row comes from another ledger (${shown}): in this one (${ledger}), its campaign id means another campaign`,
    fix: 'Use the DATA_DIR or REDIS_URL that the sheet was written with. For a new row, clear ledger, campaign, status and post_id.',
  };
}

/** @param owner the row's cell `campaign`. */
export function belongsElsewhere(owner: string, id: string): CellProblem {
  const other = showValue(owner);
  return {
    column: 'campaign',
    code: 'other_campaign',
    value: other,
    problem: `this row belongs to campaign ${other}, not to ${id}`,
    fix: [
      `To add it to ${id}, clear campaign, status and post_id and give the row a new key.`,
      hint('updateCampaign', { campaign: other }),
    ],
  };
}

export function lacksKey(): CellProblem {
  return {
    column: 'key',
    code: 'key_missing',
    value: '',
    problem: 'this row has no key, so its row in the campaign cannot be found',
    fix: 'Copy its key from the results sheet. Give a new row a new key.',
  };
}

/** The sheet has no column `key`, and lost it: the last version of the plan had one, or is not here. */
export function lacksKeys(id: string): CellProblem {
  return {
    column: 'key',
    code: 'key_missing',
    value: '',
    problem: `the sheet has no column key, which identifies the rows of ${id}`,
    fix: [
      'Add the column, or edit the results sheet, which has the keys.',
      hint('writeSheet', { campaign: id, only: 'all' }),
    ],
  };
}

/** @param was the key that it may have had. */
export function lostItsKey(key: string, was: string | undefined, id: string): CellProblem {
  return {
    column: 'key',
    code: 'key_changed',
    value: showValue(key),
    problem: `this row has results, but ${id} has no row with this key`,
    fix: `Restore its key${was === undefined ? '' : `: ${showValue(was)}`}. For a new row, clear campaign, status and post_id.`,
    meant: was,
  };
}

/** The row has the results of a row with another key. */
export function hasOthersResults(key: string, postId: string, id: string): CellProblem {
  return {
    column: 'key',
    code: 'key_changed',
    value: showValue(key),
    problem: `the sheet has post ${showValue(postId)} in this row, but row ${showValue(key)} of ${id} has another post`,
    fix: [
      'Keys or other columns were moved away from their rows. Start again from a new results sheet.',
      hint('writeSheet', { campaign: id, only: 'all' }),
    ],
  };
}

/** With its row left out, two rows of the campaign would have one post. @param taker key of the row of the sheet that gets the post. */
export function keepsItsPost(key: string, taker: string, id: string): CellProblem {
  const shown = showValue(key);
  return {
    column: 'key',
    code: 'key_changed',
    value: shown,
    problem: `rows ${shown} and ${showValue(taker)} would have the same post in ${id}, because row ${shown} has a problem and cannot be updated`,
    fix: `Fix row ${shown} first.`,
  };
}

/** A person has filled in the post of a row in review, but an import decides nothing. */
export function needsDecision(key: string, postId: string, id: string): CellProblem {
  const post = showValue(postId);
  return {
    column: 'post_id',
    code: 'decision_needed',
    value: post,
    problem: `row ${showValue(key)} is in review, and an update ignores post_id`,
    fix: [
      'If this is its post, decide so first:',
      hint('decideRow', { campaign: id, key, decision: `posted ${postId}`, unchecked: false }),
    ],
  };
}

export function hasManyColumns(id: string): CellProblem {
  return {
    column: null,
    code: 'too_many_columns',
    value: '',
    problem: `with the columns of this sheet, ${id} would have more than ${mostColumns} columns`,
    fix: `Remove columns that ${id} does not have.`,
  };
}
