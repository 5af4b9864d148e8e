/** What keeps a row of a sheet from being matched with the rows of a campaign: each with its cure. */
import { type CellProblem, showValue } from '../../manifest/problem.ts';

/** @param owner as the row's cell `campaign` says. */
export function belongsElsewhere(owner: string, id: string): CellProblem {
  const other = showValue(owner);
  return {
    column: 'campaign',
    code: 'other_campaign',
    value: other,
    problem: `this row belongs to campaign ${other}, not to ${id}`,
    cure: `Import it with --into ${other}; or clear campaign, status and post_id and give the row a key of its own, to add it to ${id}.`,
  };
}

export function lacksKey(): CellProblem {
  return {
    column: 'key',
    code: 'key_missing',
    value: '',
    problem: 'without a key nobody can tell which row of the campaign this is',
    cure: 'Write the key that the results sheet has for it; for a new row, one that no other row has.',
  };
}

/** The sheet has no column of keys, and the campaign's rows have keys of their own. */
export function lacksKeys(id: string): CellProblem {
  return {
    column: 'key',
    code: 'key_missing',
    value: '',
    problem: `the sheet has no column key, and the rows of ${id} have keys of their own`,
    cure: `Add the column; or mend the sheet that has the keys: campaigns report ${id} --out FILE`,
  };
}

export function lostItsKey(key: string, id: string): CellProblem {
  return {
    column: 'key',
    code: 'key_changed',
    value: showValue(key),
    problem: `this row has results, but ${id} has no row with this key`,
    cure: 'Put its key back; for a new row, clear campaign, status and post_id.',
  };
}

/** The row's results are those of a row with another key. */
export function hasOthersResults(key: string, postId: string, id: string): CellProblem {
  return {
    column: 'key',
    code: 'key_changed',
    value: showValue(key),
    problem: `the sheet says that this row was posted as ${showValue(postId)}, but that is not the post of row ${showValue(key)} of ${id}`,
    cure: `Keys or other columns have been moved apart from their rows: begin anew from campaigns report ${id} --out FILE`,
  };
}

/** @param row the number of one that is not what stands there in the campaign; undefined: there are too few. */
export function hasMoved(row: number | undefined, id: string): CellProblem {
  return {
    column: 'key',
    code: 'rows_moved',
    value: '',
    problem:
      row === undefined
        ? `the sheet has no column key, and fewer rows than ${id}: nobody can tell which are which`
        : `the sheet has no column key, and its row ${row} is not the one that ${id} has there`,
    cure: `Mend the sheet that has the keys: campaigns report ${id} --out FILE`,
  };
}
