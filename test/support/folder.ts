/** A folder for one test. It is removed if the test passes; if it fails, the folder is kept and its path printed. */
import { mkdtempSync, realpathSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished, type TestContext } from 'vitest';

/** @param test the folder ends with it; required if tests run side by side. */
export function temporaryFolder(test: Pick<TestContext, 'onTestFinished'> = { onTestFinished }): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'campaigns-test-')));
  // Hooks for failed tests run later, so check for a failure here.
  test.onTestFinished(async ({ task }) => {
    if (task.result?.state === 'fail') process.stderr.write(`files of the failed test: ${folder}\n`);
    // The check of a draft may end a moment after its console.
    else await rm(folder, { recursive: true, force: true, maxRetries: 10 });
  });
  return folder;
}
