/** Holds back the checks of a draft, as if they took long. */
import { join } from 'node:path';
import { draftFolder } from '../../../src/app/drafts/folder.ts';
import { withFileLock } from '../../../src/platform/files/file-lock.ts';
import type { TestDraft } from '../../app/drafts/test-draft.ts';
import { patienceMs } from '../events.ts';

/** From when no check runs. @returns what lets them go on. */
export async function holdChecks({
  runtime,
  id,
}: Pick<TestDraft, 'runtime' | 'id'>): Promise<() => Promise<void>> {
  const [held, free] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const lock = withFileLock(join(draftFolder(runtime, id), 'checking'), patienceMs, () => {
    held.resolve();
    return free.promise;
  });
  await held.promise;
  return () => {
    free.resolve();
    return lock;
  };
}
