/** The scripts of the ledger, as far as they count outputs. Each function changes the world that it is given. */
import type { On } from './guards.ts';
import { type Entry, type Kept, numberOf, type Outcome, type Row, type World } from './world.ts';

/** Sets fields of the row's record. */
function set(row: Row, fields: Partial<Kept>): void {
  Object.assign(row, fields);
}

function without<T>(record: Readonly<Record<number, T>>, n: number): Record<number, T> {
  const { [n]: _, ...rest } = record;
  return rest;
}

function move(row: Row, state: Row['state'], place: Row['place'] = ''): void {
  Object.assign(row, { state, place });
}

export function admitAgain(row: Row, place: 'redo' | 'held' = 'redo'): void {
  row.revision += 1;
  move(row, 'w', place);
}

/** admit-rows.lua */
export function admit({ row }: World): void {
  move(row, 'r');
}

/** may_spend and spend in spending.lua. @returns whether the call may begin. */
function spend(world: World, n: number, limit: number, on: On): boolean {
  const { row } = world;
  const isCounted = row.spent[n] !== undefined;
  const isAllowed = row.paid || (isCounted && on('counted already'));
  if (!isAllowed && world.outputs + 1 > limit) return false;
  if (isCounted && on('counted once')) return true;
  const isPaid = row.paid && on('used up');
  set(row, { spent: { ...row.spent, [n]: { isPaid } }, paid: row.paid && !isPaid });
  world.outputs += 1;
  return true;
}

/** give_back in spending.lua. @returns whether something was spent. */
function giveBack(world: World, n: number, on: On): boolean {
  const { row } = world;
  const spent = row.spent[n];
  if (spent === undefined) return false;
  const isPaid = spent.isPaid && on('allowance given back');
  set(row, { spent: without(row.spent, n), paid: row.paid || isPaid });
  world.outputs -= 1;
  return true;
}

/** The allowances of calls that made nothing, as far as is known, are gone. */
function replaceUntold({ calls }: World, except = -1): void {
  for (const [number, call] of calls.entries())
    if (number !== except && call.told === 'no') call.isReplaced = true;
}

/** start-step.lua. @param call its attempt: added to the calls if it may begin. */
export function start(world: World, call: number, revision: number, limit: number, on: On) {
  const { row, calls } = world;
  const n = numberOf(row);
  if (row.state !== 'r' || row.revision !== revision || row.known.includes(n)) return 'no';
  const { entry } = row;
  const isOwn = entry?.by === call && entry.state === 'sending';
  if (entry && !isOwn) {
    set(row, { entry: { ...entry, state: entry.state === 'sending' ? 'unknown' : entry.state } });
    move(row, 'v');
    return 'no';
  }
  if (!spend(world, n, limit, on)) {
    // not_sent
    if (isOwn) {
      set(row, { entry: undefined });
      giveBack(world, n, on);
      if (calls[call]) calls[call].told = 'no';
    }
    return 'unpaid';
  }
  replaceUntold(world, call);
  calls[call] = { n, served: 'unsent', told: '', isReplaced: false };
  set(row, { entry: { by: call, state: 'sending' } });
  return 'go';
}

/** wait_at_gate in finish-step.lua */
export function wait({ row }: World, revision: number): void {
  if (row.state !== 'r' || row.revision !== revision) return;
  if (row.entry) move(row, 'v');
  else move(row, 'y', 'unpaid');
}

/** allow-spending.lua */
export function allow(world: World): void {
  set(world.row, { paid: true });
  world.row.place = 'ready';
  world.allowed += 1;
}

/** count_late in spending.lua */
function countLate(world: World, n: number, call: number, on: On): void {
  const { row } = world;
  const ofAny = Object.keys(row.given).map(Number);
  const by = on('token of a late answer') ? call : (ofAny[0] ?? -1);
  const given = row.given[by];
  if (given === undefined) return;
  const { isPaid } = given;
  const paid = row.paid && !(isPaid && on('late answer uses the allowance up'));
  set(row, { given: without(row.given, by), spent: { [n]: { isPaid }, ...row.spent }, paid });
  if (on('late answer ends the undo')) row.undo = undefined;
  world.outputs += 1;
}

/** finish-step.lua: what the attempt of a call reports. */
export function finish(world: World, call: number, revision: number, outcome: Outcome, on: On): void {
  const { row, calls } = world;
  const it = calls[call];
  if (!it) return;
  const { n } = it;
  const entry = row.entry && calls[row.entry.by]?.n === n ? row.entry : undefined;
  const answered = entry?.by === call;
  if (outcome === 'ok') {
    it.told = 'yes';
    if (on('late answer')) countLate(world, n, call, on);
  }
  const mine = row.state === 'r' && row.revision === revision;
  const lost = !entry && (outcome === 'ok' || (outcome === 'review' && mine));
  if (lost && row.known.includes(n)) return;
  if (!answered && !lost) return;
  if (outcome === 'ok') set(row, { known: [...new Set([...row.known, n])] });
  if (outcome === 'review') {
    set(row, { entry: { by: call, state: 'ended' } });
    move(row, 'v');
    return;
  }
  set(row, { entry: answered ? undefined : row.entry });
  if (outcome !== 'ok') {
    it.told = 'no';
    if (on('given back')) giveBack(world, n, on);
  }
  if (outcome === 'failed') move(row, 'f');
  else if (row.state === 'v' && answered) admitAgain(row);
}

function kept({ entry, paid, known, ended, spent, given }: Row): Kept {
  return { entry, paid, known, ended, spent, given };
}

/** decide-row.lua, once the call is over. @param exists what the person says. */
export function decide(world: World, exists: boolean, on: On): void {
  const { row, calls } = world;
  const { by } = row.entry as Entry;
  const call = calls[by];
  if (!call) return;
  const before = kept(row);
  set(row, { entry: undefined });
  let isGivenBack = false;
  if (exists) {
    set(row, { known: [...new Set([...row.known, call.n])] });
  } else if (on('decided not to exist')) {
    const spent = row.spent[call.n];
    isGivenBack = giveBack(world, call.n, on);
    if (spent) set(row, { given: { ...row.given, [by]: spent } });
  }
  call.told = exists ? 'yes' : 'no';
  admitAgain(row, 'held');
  const after = { state: 'w' as const, revision: row.revision };
  row.undo = { ...before, after, call: by, isGivenBack, names: exists };
}

/** undo-decision.lua */
export function undo(world: World, on: On): void {
  const { row, calls } = world;
  if (!row.undo) return;
  const { after, call, isGivenBack, names, ...before } = row.undo;
  if (row.state !== after.state || row.revision !== after.revision) return;
  const it = calls[call];
  if (!it || (!names && row.known.includes(it.n))) return;
  set(row, before);
  row.undo = undefined;
  if (isGivenBack && on('undo counts again')) world.outputs += 1;
  it.told = '';
  move(row, 'v');
}

/** finish-step.lua: the known generation has ended without its output. */
export function fail({ row }: World): void {
  set(row, { ended: numberOf(row) });
  move(row, 'f');
}

/** edit-row.lua: another prompt, so what was generated is not used. */
export function edit(world: World, on: On): void {
  const { row } = world;
  const latest = Math.max(row.ended, ...row.known);
  if (row.paid) {
    world.allowed -= 1;
    replaceUntold(world);
  }
  set(row, { ended: latest, paid: row.paid && !on('edited generation') });
  admitAgain(row);
}
