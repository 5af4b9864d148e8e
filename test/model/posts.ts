/** The index of posts, and what scripts do with posts (`posts.lua`, and `record_post` in `rows.lua`). */
import type { On } from './guards.ts';
import { type Entry, lookCounts, type Row, type Search, type World } from './world.ts';

/** record_post in rows.lua: the row's progress goes, with its journal entry. */
export function recordPost(row: Row, post: number): void {
  Object.assign(row, { state: 'p', post, place: '', held: 0 });
  Object.assign(row, { entry: undefined, late: [], failedBy: false, keeps: false });
  row.looked = lookCounts + 1;
}

export function toReview(row: Row): void {
  Object.assign(row, { state: 'v', place: '', held: 0 });
}

export function review(row: Row, entry: Entry): void {
  row.entry = entry;
  toReview(row);
}

/** review_duplicates: a row with several posts needs a person. */
export function tellTwice(row: Row, posts: readonly number[]): void {
  takePostOff(row);
  row.late = posts;
  row.entry = undefined;
  toReview(row);
}

/** take_post_off: a reconciled row still has its progress, with its journal entry; any other only what was kept with its post. */
function takePostOff(row: Row): void {
  if (row.state !== 'p') return;
  if (!row.keeps) row.entry = undefined;
  row.keeps = false;
  row.post = -1;
}

/** give_up_record: the row's record turned out to be another row's post. */
export function giveUp(world: World, at: number, post: number): void {
  const row = world.rows[at] as Row;
  if (row.state !== 'p' || row.post !== post) return;
  const before = row.undo?.post === post ? row.undo.entry : undefined;
  const entry = row.entry ?? before ?? { by: -1, state: 'ended' };
  takePostOff(row);
  review(row, entry);
}

/** confirm_post: an answer says what a person has said before. That is no longer taken back. */
export function confirmPost(world: World, at: number, post: number): void {
  const row = world.rows[at] as Row;
  if (world.holders[post] === at * 2) world.holders[post] = at * 2 + 1;
  if (row.undo?.post === post) row.undo = undefined;
}

/** take_answered. @returns whether another row's own call was answered with the same post. */
export function takeAnswered(world: World, at: number, post: number, answered: boolean, on: On): boolean {
  const row = world.rows[at] as Row;
  const isOther = row.post >= 0 && row.post !== post && (answered || !on('both posts are its own'));
  if (isOther && world.holders[row.post] === at * 2) world.holders[row.post] = -1;
  const held = world.holders[post] ?? -1;
  if (held >= 0 && held % 2 === 1 && held >> 1 !== at) return true;
  world.holders[post] = at * 2 + 1;
  if (held >= 0 && held >> 1 !== at && on('answer has the last word')) giveUp(world, held >> 1, post);
  return false;
}

/** claim-record.lua. @returns whether the row has the record now. */
export function claim(world: World, { row, post }: Search, on: On): boolean {
  const held = world.holders[post] ?? -1;
  if (held >= 0 && held >> 1 !== row && on('claim of a record')) return false;
  if (held < 0 || held >> 1 !== row) world.holders[post] = row * 2;
  return true;
}

/** over_of in rows.lua: whether the call of an entry may still be under way. */
export function overOf(world: World, row: number, { by, state }: Entry): boolean {
  // The span of what was lost has all calls of the row.
  if (by === -2) return world.calls.some((call) => call.row === row && call.age < 2);
  return state !== 'ended' && by >= 0 && (world.calls[by]?.age ?? 2) < 2;
}

/** reconcile-post.lua: the row takes the record that was claimed for it. */
export function reconcile(world: World, { row: at, revision, entry, post }: Search, on: On): void {
  const row = world.rows[at] as Row;
  if (row.state === 'p' && row.post === post) return;
  const isSame = row.entry?.by === entry.by && row.entry.state === entry.state;
  if (!(row.state === 'v' && row.revision === revision && isSame)) {
    const had = row.earlier.includes(post) && on('earlier post keeps its row');
    if (world.holders[post] === at * 2 && !had) world.holders[post] = -1;
    return;
  }
  if ((world.holders[post] ?? -1) >> 1 !== at && on('claim stands')) return;
  // The record may be that of an earlier call: it tells nothing of one that is under way.
  if (overOf(world, at, entry) && on('age of a search')) {
    if (world.holders[post] === at * 2) world.holders[post] = -1;
    return;
  }
  if (row.late.length > 0) {
    tellTwice(row, [...row.late, post]);
    return;
  }
  Object.assign(row, { state: 'p', post, place: '', held: 0, keeps: true });
}

/** fail-posts.lua: a post that was not published belongs to its row for ever. */
export function failPost(row: Row): void {
  row.earlier = [...row.earlier, row.post];
  if (!row.keeps) row.looked = lookCounts + 1;
  Object.assign(row, { state: 'f', post: -1, entry: undefined, keeps: false });
}

/** post-again.lua: an earlier post was published after all. */
export function postAgain(row: Row, post: number): void {
  row.earlier = row.earlier.filter((one) => one !== post);
  recordPost(row, post);
}
