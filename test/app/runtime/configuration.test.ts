import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readDataDir, readSpeedUp } from '../../../src/app/runtime/configuration.ts';
import { temporaryFolder } from '../../support/folder.ts';

it('a file is no data folder', () => {
  const file = join(temporaryFolder(), 'file');
  writeFileSync(file, '');
  expect(() => readDataDir({ DATA_DIR: file })).toThrow(
    expect.objectContaining({ code: 'settings_invalid', message: `DATA_DIR names a file: ${file}` }),
  );
});

it.each([
  ['', 1],
  ['3', 3],
  ['0.5', 1],
  ['soon', 1],
])('a speed-up of "%s" is %i', (text, times) => {
  expect(readSpeedUp(text)).toBe(times);
});
