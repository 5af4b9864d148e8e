/**
 * What this data folder has seen of the send journal, by the Redis that it was seen in. With it the next process notices,
 * too, when Redis has lost the end of its ledger, or all of it.
 */
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import type { JournalPosition, SeenMark } from '../ledger/journal-position.ts';

const marks = z.record(z.string(), z.object({ position: z.number(), at: z.number(), token: z.string() }));

/** Entries come by the thousand; the file is written once in a while, and at the end. */
const writeEveryMs = 1000;

/**
 * Lets a journal know what the folder has seen, and the folder what the journal sees from now on.
 * @param redis names the server, as people know it.
 * @returns what writes the last mark, to be disposed of at the end.
 */
export function keepJournalRecord(journal: JournalPosition, dataDir: string, redis: string): Disposable {
  const file = join(dataDir, 'journal.json');
  const before = readMarks(file)[redis];
  if (before) journal.see(before);
  let timer: NodeJS.Timeout | undefined;
  function write(): void {
    timer = undefined;
    const all = readMarks(file);
    const known = all[redis];
    if (known && known.position >= journal.seen.position) return;
    writeMarks(file, { ...all, [redis]: journal.seen });
  }
  journal.onMove(() => {
    timer ??= setTimeout(write, writeEveryMs).unref();
  });
  return {
    [Symbol.dispose]() {
      if (timer === undefined) return;
      clearTimeout(timer);
      write();
    },
  };
}

function readMarks(file: string): Readonly<Record<string, SeenMark>> {
  try {
    return marks.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    // None yet, or one that a crash cut off: the next mark begins it anew.
    return {};
  }
}

/** The record only helps: a disk that is full, or a folder that is read-only, keeps nothing from being done. */
function writeMarks(file: string, all: Readonly<Record<string, SeenMark>>): void {
  try {
    mkdirSync(dirname(file), { recursive: true });
    const temporary = `${file}.${process.pid}`;
    writeFileSync(temporary, `${JSON.stringify(all, null, 2)}\n`);
    renameSync(temporary, file);
  } catch {}
}
