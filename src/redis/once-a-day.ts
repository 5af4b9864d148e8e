/** Repeats a warning only after a day, because short commands would repeat it at every start. */
import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { writeAtomicallySync } from '../fs/atomic-file.ts';

const dayMs = 86_400_000;

/**
 * @param dataDir folder that remembers the time of the last warning. If it cannot be written, the warning is shown each time.
 * @param about which warning.
 */
export function onceADay(
  dataDir: string,
  warn: (message: string) => void,
  about = 'age',
): (message: string) => void {
  const said = join(dataDir, `redis-${about}-warning`);
  return (message) => {
    if (Date.now() - lastTime(said) < dayMs) return;
    warn(message);
    try {
      writeAtomicallySync(said, `${message}\n`);
    } catch {
      // The warning is shown again next time.
    }
  };
}

/** Unix epoch, milliseconds; 0 for never. */
function lastTime(file: string): number {
  try {
    return lstatSync(file).mtimeMs;
  } catch {
    return 0;
  }
}
