/** The scripts of the ledger that carry out what a person says of a row, as they change the model. */
import type { On } from './guards.ts';
import { admitAgain, move, rowOf } from './ledger.ts';
import { overOf, recordPost, tellTwice } from './posts.ts';
import type { Row, Undo, World } from './world.ts';

/** decide-row.lua. `post`: the one that a person names, or -1 for 'not posted'. */
export function decide(
  world: World,
  {
    row: at,
    revision,
    unknownEffect,
    post,
  }: { row: number; revision: number; unknownEffect: boolean; post: number },
  on: On,
): 'decided' | 'changed' | 'early' {
  const row = rowOf(world, at);
  if (row.state !== 'v') return 'changed';
  const isAsShown = row.revision === revision && (row.entry !== undefined) === unknownEffect;
  if (!isAsShown && on('row as shown')) return 'changed';
  const { entry } = row;
  if (entry && post < 0 && overOf(world, at, entry) && on('age of an unknown outcome')) return 'early';
  if (post >= 0 && isTaken(world, at, post, on)) return 'changed';

  const isTwice = post >= 0 && unknownEffect && row.late.length > 0 && !row.late.includes(post);
  const [late] = row.late;
  const named = post < 0 && late !== undefined && on('late post and a decision') ? late : post;
  const before = remember(row, 'v', named);
  row.entry = undefined;
  if (isTwice) {
    tellTwice(row, [...row.late, named]);
  } else if (named >= 0) {
    row.earlier = row.earlier.filter((one) => one !== named);
    recordPost(row, named);
  } else {
    admitAgain(world, row);
    if (row.place === 'redo') row.place = 'held';
  }
  row.undo = { ...before, state: row.state, revision: row.revision };
  return 'decided';
}

/** undo.lua: what a decision, or a retry, replaces. */
function remember({ entry, late, earlier, looked, failedBy }: Row, back: Undo['back'], post: number) {
  return { post, entry, late, earlier, looked, failedBy, back };
}

/** is_taken in decide-row.lua: whether another row has the post, or had it. A claim alone does not count. */
function isTaken(world: World, at: number, post: number, on: On): boolean {
  const held = world.holders[post] ?? -1;
  const holder = held >> 1;
  if (held >= 0 && holder !== at) {
    const other = rowOf(world, holder);
    const has = (other.state === 'p' && other.post === post) || other.earlier.includes(post);
    if ((held % 2 === 1 || has) && on('post of another row')) return true;
  }
  if (held < 0 || holder !== at) world.holders[post] = at * 2;
  return false;
}

/** undo-decision.lua */
export function undo(world: World, at: number, on: On): 'undone' | 'changed' {
  const row = rowOf(world, at);
  const kept = row.undo as Undo;
  const isAsDecided = row.state === kept.state && row.revision === kept.revision;
  if (!isAsDecided && on('row as decided')) return 'changed';
  if (row.state === 'p' && row.post !== kept.post) return 'changed';
  if (kept.post >= 0 && world.holders[kept.post] === at * 2) world.holders[kept.post] = -1;
  if (row.state === 'p') {
    if (kept.earlier.length > 0) row.earlier = kept.earlier;
    row.post = -1;
  }
  row.undo = undefined;
  row.entry = kept.entry;
  row.late = kept.late;
  // The job that failed a retried row was one of its old revision.
  row.failedBy = kept.back === 'v' && kept.failedBy;
  row.looked = kept.looked;
  row.keeps = false;
  move(row, kept.back);
  return 'undone';
}

/** record-recheck.lua: the records say that none of the row's earlier posts is published. */
export function recordRecheck(world: World, at: number): void {
  rowOf(world, at).looked = 0;
}

/** redo-rows.lua, after a look. A row that had a post waits for a moment. */
export function redo(world: World, at: number): void {
  const row = rowOf(world, at);
  const before = remember(row, 'f', -1);
  admitAgain(world, row);
  if (row.earlier.length === 0) return;
  if (row.place === 'redo') row.place = 'held';
  row.undo = { ...before, state: row.state, revision: row.revision };
}
