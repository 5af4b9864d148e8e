/**
 * Remembers in the data folder, for each Redis, the last entry of the send journal that was seen, so that the next process, too,
 * notices if Redis has lost entries.
 */
import { mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import type { JournalPosition, SeenMark } from '../../ledger/journal-position.ts';
import { writeAtomicallySync } from '../../platform/files/write-file.ts';

const marks = z.record(
  z.string(),
  z.object({
    position: z.number(),
    at: z.number(),
    token: z.string(),
    ledger: z.string(),
  }),
);

/** The file is written at most this often, and at the end, because there may be thousands of entries. Milliseconds. */
const writeEveryMs = 1000;

/** Gives the journal the mark of the folder, and keeps that. @param redis description of the server. @returns writes the last mark. */
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

/** The last entry that was seen in each Redis, by its description. */
export function readJournalRecords(dataDir: string): Readonly<Record<string, SeenMark>> {
  return readMarks(join(dataDir, 'journal.json'));
}

function readMarks(file: string): Readonly<Record<string, SeenMark>> {
  try {
    return marks.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    // There is no file yet, or a crash cut it off: the next mark starts a new one.
    return {};
  }
}

/** Ignores failures such as a full disk or a read-only folder, because the record is only a help. */
function writeMarks(file: string, all: Readonly<Record<string, SeenMark>>): void {
  try {
    mkdirSync(dirname(file), { recursive: true });
    writeAtomicallySync(file, `${JSON.stringify(all, null, 2)}\n`);
  } catch {}
}
