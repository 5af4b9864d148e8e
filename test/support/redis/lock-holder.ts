/** A process that locks the directory in its argument, prints `locked`, and keeps the lock. */
import { withDirectoryLock } from '../../../src/platform/redis/private/place.ts';

await withDirectoryLock(process.argv[2] ?? '', 5000, () => {
  process.stdout.write('locked\n');
  return new Promise((resolve) => setTimeout(resolve, 60_000));
});
