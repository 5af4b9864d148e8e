/** A folder of the test's own, removed when the test has passed and kept, and named, when it has failed. */
import { mkdtempSync, realpathSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished, type TestContext } from 'vitest';

/** @param test what the folder ends with: a must where tests run side by side. */
export function temporaryFolder(test: Pick<TestContext, 'onTestFinished'> = { onTestFinished }): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'campaigns-test-')));
  // The hooks of failed tests run after these: whether it failed is read here.
  test.onTestFinished(async ({ task }) => {
    if (task.result?.state === 'fail') process.stderr.write(`files of the failed test: ${folder}\n`);
    else await rm(folder, { recursive: true, force: true });
  });
  return folder;
}
