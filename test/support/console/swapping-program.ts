/** Replaces a folder by a link and back, until it is killed: `sub` is a folder, then what `link` leads to. Argument: their parent. */
import { renameSync } from 'node:fs';
import { join } from 'node:path';

const at = (name: string) => join(process.argv[2] ?? '', name);

process.stdout.write('swapping\n');
for (;;) {
  renameSync(at('sub'), at('spare'));
  renameSync(at('link'), at('sub'));
  renameSync(at('sub'), at('link'));
  renameSync(at('spare'), at('sub'));
}
