import { pbkdf2 } from 'node:crypto';
import { rmSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { writeNewFile } from '../../src/fs/new-file.ts';
import { temporaryFolder } from '../support/folder.ts';

it('a file whose stream fails before it is opened does not come after whoever removes it', async () => {
  const folder = temporaryFolder();
  const path = join(folder, 'sheet');
  // The threads that open files are busy.
  const busy = Array.from({ length: 8 }, () => promisify(pbkdf2)('', '', 20_000, 32, 'sha512'));
  const lost = async function* (): AsyncGenerator<Buffer> {
    yield Promise.reject(new Error('the connection was lost'));
  };
  await expect(writeNewFile(path, (file) => pipeline(lost, file))).rejects.toThrow('lost');
  rmSync(path, { force: true });
  await Promise.all(busy);
  await writeNewFile(join(folder, 'whole'), (file) => pipeline(['x'], file));
  expect(await readdir(folder)).toEqual(['whole']);
});
