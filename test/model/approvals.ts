/** Approvals, as they change the model. What is posted is one of two contents; a digest of it is its number. */
import type { On } from './guards.ts';
import { admitAgain, move, rowOf } from './ledger.ts';
import { type Row, rejected, type Shown, type World } from './world.ts';

/** approvalOf in gates.ts */
export function isApproved({ said, content }: Row, on: On): boolean {
  return said === content || !on('approval at the gate');
}

/** decidePosts in approve.ts, then approve-rows.lua. What was shown before a rejection is no approval after it. */
export function approve(world: World, { row: at, revision, content, isOutdated }: Shown, on: On): void {
  const row = rowOf(world, at);
  if (row.content !== content && on('post as shown')) return;
  if (world.cancelled) return;
  if (row.revision !== revision && on('revision as shown')) return;
  if (row.place !== 'unapproved' && on('only waiting posts are approved')) return;
  row.said = row.content;
  row.agreed = isOutdated ? -1 : content;
  row.place = 'ready';
}

/** reject-rows.lua, of a row as it is. */
export function reject(world: World, at: number): void {
  const row = rowOf(world, at);
  if (row.place !== 'unapproved') return;
  row.said = rejected;
  row.agreed = -1;
  move(row, 'f');
  if (world.shown?.row === at) world.shown = { ...world.shown, isOutdated: true };
}

/** withdraw-rows.lua, of a row as it is: it waits for another approval, of whoever is shown it then. */
export function takeBack(world: World, at: number, on: On): void {
  const row = rowOf(world, at);
  if (row.said < 0 || (row.place !== 'ready' && on('only ready posts lose their approval'))) return;
  if (on('approval that is withdrawn')) row.said = -1;
  row.agreed = -1;
  if (on('revision of a withdrawn approval')) row.revision += 1;
  row.place = 'unapproved';
  if (world.shown?.row === at) world.shown = { ...world.shown, isOutdated: true };
}

/** cancel-row.lua, of a row as it is. */
export function withdraw(world: World, at: number, on: On): void {
  const row = rowOf(world, at);
  if (on('approval of a cancelled row')) row.said = -1;
  row.agreed = -1;
  row.withdrawn = true;
  if (on('revision of a cancelled row')) row.revision += 1;
  move(row, 'c');
  if (world.shown?.row === at) world.shown = { ...world.shown, isOutdated: true, isWithdrawn: true };
}

/** edit-row.lua, by a person who sees the row as it is. */
export function edit(world: World, at: number): void {
  rowOf(world, at).withdrawn = false;
  changeContent(world, at);
  admitAgain(world, rowOf(world, at));
}

/** edit-row.lua, of a row that was shown before. */
export function editShown(world: World, { row: at, revision, isWithdrawn }: Shown): void {
  const row = rowOf(world, at);
  if (row.revision !== revision || !isEditable(row) || world.cancelled) return;
  row.withdrawn = row.withdrawn && isWithdrawn;
  changeContent(world, at);
  admitAgain(world, row);
}

/** may_change in update-row.lua; of rows that had a post, the model edits none. */
export function isEditable({ state, earlier }: Row): boolean {
  return 'wyfc'.includes(state) && earlier.length === 0;
}

/** finish-step.lua: a second upload of the row's file ends, in the same revision. */
export function changeContent(world: World, at: number): void {
  const row = rowOf(world, at);
  row.content = 1 - row.content;
}
