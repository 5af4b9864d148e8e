/** A process that takes the lock of the directory in its argument, says `locked`, and keeps it. */
import { withDirectoryLock } from '../../src/redis/directory-lock.ts';

await withDirectoryLock(process.argv[2] ?? '', 5000, () => {
  process.stdout.write('locked\n');
  return new Promise((resolve) => setTimeout(resolve, 60_000));
});
