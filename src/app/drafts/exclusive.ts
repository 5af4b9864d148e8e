/** Serializes work: by name within this process, and the changes of a draft also with other consoles of the same data directory. */
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { FileLockedError, withFileLock } from '../../platform/files/file-lock.ts';
import { draftBusy, draftNotFound, draftNotStored } from './draft.ts';
import { type DraftRuntime, draftFolder } from './folder.ts';

/** Longest wait for the lock: a start holds the draft until its rows are imported. Milliseconds. */
const waitMs = 10_000;

const last = new Map<string, Promise<unknown>>();

/** Runs the work when all earlier work of the same name has ended. */
export async function oneAtATime<T>(name: string, work: () => Promise<T>): Promise<T> {
  const before = last.get(name) ?? Promise.resolve();
  const run = before.then(work, work);
  last.set(name, run);
  try {
    return await run;
  } finally {
    if (last.get(name) === run) last.delete(name);
  }
}

/** After earlier changes. @throws {UseCaseError} `draft_not_found`, `draft_not_stored`; `draft_changed` if another process holds it. */
export async function exclusively<T>(
  runtime: Pick<DraftRuntime, 'environment'>,
  id: string,
  work: () => Promise<T>,
): Promise<T> {
  const folder = draftFolder(runtime, id);
  return oneAtATime(id, async () => {
    await stat(folder).catch(() => {
      throw draftNotFound();
    });
    let isLocked = false;
    const locked = () => {
      isLocked = true;
      return work();
    };
    return withFileLock(join(folder, 'lock'), waitMs, locked).catch((error: unknown) => {
      if (isLocked) throw error;
      throw error instanceof FileLockedError ? draftBusy() : draftNotStored(error);
    });
  });
}

/** How long to wait at once, so that a signal is noticed. Milliseconds. */
const lockMs = 200;

/** Runs work while no other process holds the lock of a file. @throws the reason of the signal, which ends the wait. */
export async function whenFree<T>(path: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  for (;;) {
    signal.throwIfAborted();
    try {
      return await withFileLock(path, lockMs, work);
    } catch (error) {
      if (!(error instanceof FileLockedError)) throw error;
    }
  }
}
