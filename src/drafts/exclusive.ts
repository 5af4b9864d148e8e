/** Serializes the changes of a draft, in this process and with other consoles that use the same data directory. */
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { FileLockedError, withFileLock } from '../fs/file-lock.ts';
import { UseCaseError } from '../runtime/use-case-error.ts';
import { type DraftRuntime, draftFolder, draftNotFound, draftNotStored } from './folder.ts';
import { oneAtATime } from './one-at-a-time.ts';

/** Longest wait for the lock: a start holds the draft until its rows are imported. Milliseconds. */
const waitMs = 10_000;

/** Outcome of the work, to tell its errors from those of the lock. */
type Outcome<T> = { readonly value: T } | { readonly error: unknown };

/**
 * Runs a change after all earlier changes of the draft.
 * @throws {UseCaseError} `draft_not_found`; `draft_changed` while another process changes it; `draft_not_stored`; and errors of
 *   the work.
 */
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
    const lock = join(folder, 'lock');
    const outcome = await withFileLock(lock, waitMs, () => settle(work)).catch((error: unknown) => {
      throw error instanceof FileLockedError ? busy() : draftNotStored(error);
    });
    if ('error' in outcome) throw outcome.error;
    return outcome.value;
  });
}

async function settle<T>(work: () => Promise<T>): Promise<Outcome<T>> {
  try {
    return { value: await work() };
  } catch (error) {
    return { error };
  }
}

function busy(): UseCaseError {
  return new UseCaseError('draft_changed', 'another console is changing the draft', {
    cure: 'Try again in a moment. One console should serve a data directory.',
  });
}
