/** The record of a draft's mends on disk: one line for each change. */
import { open, readFile } from 'node:fs/promises';
import { UseCaseError } from '../runtime/use-case-error.ts';
import { type Draft, type DraftChange, draftRefused, onDisk } from './draft.ts';
import { type DraftRuntime, draftFiles, parseAs } from './folder.ts';
import { entrySchema, type Mend, type MendEntry, Mends, mendSchema, readingId } from './mends.ts';

/** Largest record of all mends of a draft, in bytes: some hundred thousand cells. */
const maxBytes = 64 * 1024 * 1024;

/** A change as it can be stored. @throws {UseCaseError} `draft_refused` for one that could not be read again. */
export function readMend(mend: Mend): Mend {
  const read = mendSchema.safeParse(mend);
  if (!read.success) {
    const why = read.error.issues[0]?.message ?? 'the change cannot be read';
    throw draftRefused(why, 'Nothing was changed. Correct it, and save once more.');
  }
  const { cells = [] } = read.data;
  // Looked at before it is written as one line: that might be longer than a string can be.
  if (cells.reduce((sum, { text }) => sum + text.length, 0) > maxBytes) throw tooMuch();
  return read.data;
}

function tooMuch(): UseCaseError {
  return draftRefused(
    'there are too many edits',
    'Nothing was changed. Fix the sheet itself, and drop it again.',
  );
}

/**
 * The mends of the draft's sheet, as it is read now.
 * @throws {UseCaseError} `draft_not_stored`, also if one of them cannot be read: without it, another text would be posted.
 */
export async function readMends(runtime: DraftRuntime, draft: Draft): Promise<Mends> {
  const entries: MendEntry[] = [];
  const of = readingId(draft);
  for (const line of (await readRecord(runtime, draft)).split('\n')) {
    if (line === '') continue;
    const entry = parseAs(entrySchema, line);
    if (entry === undefined) throw unreadable(runtime, draft);
    if (entry.of === of) entries.push(entry);
  }
  return new Mends(entries, draft.mendsBytes);
}

/** Reads the valid part of the record. The rest was written by a change that was not completed. */
async function readRecord(runtime: DraftRuntime, draft: Draft): Promise<string> {
  const { id, mendsBytes = 0 } = draft;
  if (mendsBytes === 0) return '';
  const record = await onDisk(() => readFile(draftFiles(runtime, id).mends));
  if (record.length < mendsBytes) throw unreadable(runtime, draft);
  return record.toString('utf8', 0, mendsBytes);
}

function unreadable(runtime: DraftRuntime, { id }: Draft): UseCaseError {
  const { mends } = draftFiles(runtime, id);
  return new UseCaseError('draft_not_stored', `the edits of the draft, ${mends}, cannot be read`, {
    cure: 'Drop the sheet again, as a new draft. The file is as it was in the folder of the draft.',
  });
}

/**
 * Writes one change. Call it within `changeDraft`, with the draft as it is there: the change counts once `mendsBytes` is stored.
 * @throws {UseCaseError} `draft_not_stored`; `draft_refused` if there is no room for it.
 */
export async function addMend(
  runtime: DraftRuntime,
  { id, mendsBytes = 0 }: Draft,
  entry: MendEntry,
): Promise<Pick<DraftChange, 'mendsBytes'>> {
  const line = Buffer.from(`${JSON.stringify(entry)}\n`);
  if (mendsBytes + line.length > maxBytes) throw tooMuch();
  await onDisk(async () => {
    await using file = await open(draftFiles(runtime, id).mends, 'a', 0o600);
    // Cuts off the rest of a change that was not completed.
    await file.truncate(mendsBytes);
    await file.appendFile(line);
    await file.sync();
  });
  return { mendsBytes: mendsBytes + line.length };
}
