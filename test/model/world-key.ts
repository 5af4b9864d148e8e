/** When two worlds of the model are the same: texts that are equal for equal worlds. */
import type { Call, Entry, Search, Stored, Worker, World } from './world.ts';

/** Whether the age of a call matters: it is under way, or an entry that a decision may be about is of it. */
export function ages(world: World, number: number, { served }: Call): boolean {
  return (
    served === 'under way' ||
    world.rows.some(({ entry, undo }) => entry?.by === number || undo?.entry?.by === number) ||
    world.copy !== undefined
  );
}

/** Adds small numbers and words to a key. The first and the third letter tell all words of one kind apart. */
function add(codes: number[], ...parts: readonly (number | string | boolean)[]): void {
  for (const part of parts) {
    if (typeof part === 'string') codes.push(part.charCodeAt(0) || 1, part.charCodeAt(2) || 1);
    else codes.push(Number(part) + 3);
  }
}

function addPosts(codes: number[], posts: readonly number[]): void {
  for (const post of posts) codes.push(post + 2);
  codes.push(0);
}

function addEntry(codes: number[], entry: Entry | undefined): void {
  if (entry) add(codes, entry.by, entry.state);
  codes.push(0);
}

function addStored(codes: number[], { rows, holders, cancelled }: Stored): void {
  for (const row of rows) {
    add(
      codes,
      row.state,
      row.revision,
      row.post,
      row.failedBy,
      row.keeps,
      row.place,
      row.held,
      row.withdrawn,
    );
    // Of rows that need no approval, all three stay as they are.
    if (row.content > 0 || row.said !== -1) add(codes, row.content, row.said, row.agreed);
    addEntry(codes, row.entry);
    addPosts(codes, row.late);
    addPosts(codes, row.earlier);
    if (row.earlier.length > 0) add(codes, row.looked);
    const { undo } = row;
    if (undo) {
      add(codes, undo.state, undo.revision, undo.post);
      addEntry(codes, undo.entry);
      addPosts(codes, undo.late);
      addPosts(codes, undo.earlier);
      add(codes, undo.failedBy, undo.earlier.length > 0 ? undo.looked : 0, undo.back);
    }
    codes.push(0);
  }
  addPosts(codes, holders);
  add(codes, cancelled);
}

function workerKey(worker: Worker): string {
  const codes: number[] = [];
  const { phase, row, revision, call, age, reply, outcome, twice, position, seen, witness } = worker;
  const { approved, content } = worker;
  if (phase !== 'idle')
    add(codes, phase, row, revision, call, age, reply, outcome, twice, position, approved * 2 + content);
  if (seen > 0) add(codes, seen, witness);
  return String.fromCharCode(...codes);
}

function searchKey(search: Search | undefined): string {
  if (!search) return '';
  const codes: number[] = [];
  add(codes, search.claimed, search.row, search.revision, search.post);
  addEntry(codes, search.entry);
  return String.fromCharCode(...codes);
}

/** A text that is the same for equal worlds. Workers, and searches, are told apart by nothing but what they do. */
export function keyOf(world: World): string {
  const codes: number[] = [];
  addStored(codes, world);
  world.calls.forEach((call, number) => {
    add(codes, call.row, ages(world, number, call) ? call.age : 3, call.served, call.heard);
  });
  const { look, shown, copy, isPutBack, journal, workers, searches } = world;
  codes.push(0);
  if (look) add(codes, look.row, look.revision, look.unknownEffect, look.post, look.early);
  if (shown) add(codes, shown.row, shown.revision, shown.content, shown.isOutdated, shown.isWithdrawn);
  codes.push(0);
  if (copy) {
    addStored(codes, copy);
    add(codes, copy.journal.length);
  } else if (isPutBack) addPosts(codes, journal);
  const people = workers.map(workerKey).sort().join('\0');
  return `${String.fromCharCode(...codes)}\0${people}\0${searches.map(searchKey).sort().join('\0')}`;
}
