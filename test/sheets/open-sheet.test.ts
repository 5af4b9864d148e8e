import { readdirSync, readlinkSync, writeFileSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openSheet } from '../../src/sheets/open-sheet.ts';
import { fileSource } from '../../src/sheets/sheet.ts';
import { temporaryFolder } from '../support/folder.ts';

function openFiles(): readonly string[] {
  return readdirSync('/proc/self/fd').flatMap((fd) => {
    try {
      return [readlinkSync(`/proc/self/fd/${fd}`)];
    } catch {
      return [];
    }
  });
}

it.runIf(process.platform === 'linux').each([
  ['a.csv', 'key,caption\n1,x\n'],
  ['a.json', '[{"key":"1","caption":"x"}]'],
  ['a.jsonl', '{"key":"1","caption":"x"}\n{"key":"2"}\n'],
])(
  '%s is not held open if its rows are not read: a sheet that is refused is removed at once',
  async (name, text) => {
    const path = join(temporaryFolder(), name);
    writeFileSync(path, text);
    const sheet = await openSheet(fileSource(path));
    await sheet.close();
    // An open that is under way ends before these.
    for (let index = 0; index < 20; index += 1) await stat(path);
    expect(openFiles()).not.toContain(path);
  },
);

it('a reading that ends at its first row ends the reading of the file', async () => {
  let isOpen = false;
  async function* bytes() {
    isOpen = true;
    try {
      yield Buffer.from('key,caption\n1,x\n');
      for (let piece = 0; piece < 30; piece += 1) yield Buffer.from('2,y\n'.repeat(10_000));
    } finally {
      isOpen = false;
    }
  }
  const { rows } = await openSheet({ name: 'a.csv', bytes });
  for await (const _ of rows) break;
  expect(isOpen).toBe(false);
});
