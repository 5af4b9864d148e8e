/** The scripts of the ledger that jobs and commands call, as they change the model. Each function is a script, and changes the world that it is given. */
import type { On } from './guards.ts';
import { confirmPost, giveUp, recordPost, review, takeAnswered, tellTwice, toReview } from './posts.ts';
import {
  type Letter,
  lookCounts,
  type Outcome,
  type Row,
  type Stored,
  type Worker,
  type World,
} from './world.ts';

export const rowOf = (world: Stored, at: number): Row => world.rows[at] as Row;

/**
 * `admit_again` in rows.lua: back to waiting in the next revision, or cancelled, or to review while a call is of unknown outcome. The job
 * that failed it was one of the old revision.
 */
export function admitAgain(world: Stored, row: Row): void {
  if (world.cancelled && row.entry) {
    move(row, 'v');
    return;
  }
  row.revision += 1;
  row.failedBy = false;
  move(row, world.cancelled ? 'c' : 'w');
  if (!world.cancelled) row.place = 'redo';
}

export function move(row: Row, to: Letter): void {
  row.state = to;
  row.place = '';
  row.held = 0;
}

/** admit-rows.lua */
export function admit(world: World, at: number): void {
  move(rowOf(world, at), 'r');
}

/** Whether a decided row has waited long enough. */
export const isDue = ({ place, held }: Row): boolean => place === 'held' && held > 0;

/** release-held.lua */
export function release(world: World): void {
  for (const row of world.rows.filter(isDue)) Object.assign(row, { place: 'redo', held: 0 });
}

/** finish-step.lua: all is there, but this gate of the row is closed. */
export function makeReady(world: World, at: number, gate: 'ready' | 'unapproved', on: On): void {
  const row = rowOf(world, at);
  if (row.entry && on('gate beside a call')) {
    toReview(row);
    return;
  }
  move(row, 'y');
  row.place = gate;
}

/** wake-ready.lua */
export function wake(world: World, at: number): void {
  admitAgain(world, rowOf(world, at));
}

/** has_lost in journal.lua: whether the entry that a process has seen is missing. */
export function hasLost({ journal }: Stored, { seen, witness }: Worker, on: On): boolean {
  if (seen === 0 || journal.slice(seen - 1).includes(-1)) return false;
  return journal.length < seen || (on('token of an entry') && journal[seen - 1] !== witness);
}

/**
 * start-step.lua, with a journalled call.
 * @param call the attempt that asks. It is added to the calls if the step may begin.
 */
export function start(world: World, worker: Worker, call: number, on: On): Worker['reply'] {
  const row = rowOf(world, worker.row);
  if (row.revision !== worker.revision && on('revision of the job')) return 'no';
  // `failed_before_loss`; of rows that fail after a loss, the model knows nothing.
  const isLost = world.journal.includes(-1);
  const hadPost = row.earlier.length > 0 && on('not after a post');
  if (row.state === 'f' && row.failedBy && !isLost && !world.cancelled && !hadPost) {
    admitAgain(world, row);
    return 'no';
  }
  if (row.state !== 'r' && on('row runs')) return row.state === 'v' ? 'review' : 'no';
  if (world.cancelled) {
    notSent(row, call);
    return 'no';
  }
  const isOwn = row.entry?.state === 'sending' && row.entry.by === call;
  if (row.entry && !isOwn && on('entry of another attempt')) {
    if (row.entry.state === 'sending') row.entry = { ...row.entry, state: 'unknown' };
    toReview(row);
    return 'no';
  }
  if (row.earlier.length > 0 && row.looked > lookCounts && on('last look')) return 'no';
  if (on('position of the journal') && hasLost(world, worker, on)) {
    notSent(row, call);
    return 'behind';
  }
  world.calls[call] = { row: worker.row, age: 0, served: 'unsent', heard: false };
  worker.content = row.content;
  row.entry = { by: call, state: 'sending' };
  world.journal = [...world.journal, call];
  return 'go';
}

/** not_sent in start-step.lua: the entry of this same attempt goes. */
function notSent(row: Row, call: number): void {
  if (row.entry?.state !== 'sending' || row.entry.by !== call) return;
  row.entry = undefined;
  endByLate(row);
}

/** finish-step.lua: what an attempt reports. `call` is -1 for a step without a call. */
export function finish(
  world: World,
  at: number,
  revision: number,
  call: number,
  outcome: Outcome,
  on: On,
): void {
  const row = rowOf(world, at);
  // In place of an entry that was lost: the answer decides.
  const known = row.entry?.by === -2 ? undefined : row.entry;
  const answered = call >= 0 && known?.by === call;
  if (outcome === 'posted') {
    endPosted(world, at, call, answered, on);
    return;
  }
  const mine = row.state === 'r' && row.revision === revision;
  const verdict = outcome === 'cut-off' ? 'review' : outcome === 'unfit' ? 'cleared' : outcome;
  const lost = call >= 0 && !known && verdict === 'review' && mine;
  if (call >= 0 && !answered && !lost && on('own entry')) return;
  if (row.state === 'p' && answered && verdict !== 'review') dropRecord(world, at);
  if (row.state === 'p' || (call < 0 && !mine)) return;
  if (call >= 0) {
    row.entry =
      verdict === 'review' && on('no answer is an unknown outcome')
        ? { by: known?.by ?? call, state: outcome === 'cut-off' ? 'unknown' : 'ended' }
        : undefined;
  }
  if (call >= 0 && verdict !== 'review' && endByLate(row)) return;
  if (verdict !== 'cleared') {
    const isUnknown =
      verdict === 'review' || (call < 0 && row.entry !== undefined && on('unknown outcome of another call'));
    if (!isUnknown && mine) row.failedBy = true;
    if (row.state !== 'c') move(row, isUnknown ? 'v' : 'f');
  } else if (row.state === 'v' && answered) {
    admitAgain(world, row);
  }
}

/** `end_by_late` in posts.lua: the newest call had no effect, but an earlier one had. */
function endByLate(row: Row): boolean {
  const [late] = row.late;
  if (late === undefined) return false;
  recordPost(row, late);
  return true;
}

/** end_posted in finish-step.lua */
function endPosted(world: World, at: number, post: number, answered: boolean, on: On): void {
  const row = rowOf(world, at);
  const call = world.calls[post];
  if (call) call.heard = true;
  const recorded = row.state === 'p' ? row.post : -1;
  if (!answered && !on('late post')) return;
  if (!answered && (recorded === post || row.late.includes(post) || row.earlier.includes(post))) {
    if (on('answer confirms a decision')) confirmPost(world, at, post);
    return;
  }
  const other = takeAnswered(world, at, post, answered, on);
  if (other) {
    if (row.state === 'p') return;
    review(row, { by: row.entry && row.entry.by !== -2 ? row.entry.by : -1, state: 'ended' });
    return;
  }
  if (row.entry && row.entry.by !== -2 && !answered && recorded < 0) {
    if (on('post beside a call')) row.late = [...row.late, post];
    return;
  }
  const known = recorded >= 0 && !answered ? [recorded, ...row.late] : row.late;
  if (known.length === 0) recordPost(row, post);
  else tellTwice(row, [...known, post]);
}

/** drop_record in posts.lua: a call was refused, so the record that was taken as its post is another row's. */
function dropRecord(world: World, at: number): void {
  const { post } = rowOf(world, at);
  if (world.holders[post] !== at * 2) return;
  world.holders[post] = -1;
  giveUp(world, at, post);
}

/** cancel.lua */
export function cancel(world: World): void {
  world.cancelled = true;
}

/** cancel-rows.lua */
export function cancelRow(world: World, at: number, on: On): void {
  const row = rowOf(world, at);
  if (row.entry && on('cancelled with an unknown outcome')) toReview(row);
  else move(row, 'c');
}

/** mark_unknown in lost-rows.lua: the row may have been sent in what Redis has lost. */
export function markUnknown(row: Row): void {
  if (row.state === 'v' && row.late.length > 0) return;
  row.entry = { by: row.entry?.by ?? -2, state: 'unknown' };
  row.failedBy = false;
  toReview(row);
}
