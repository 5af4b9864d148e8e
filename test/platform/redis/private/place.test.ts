import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { PrivateRedisError } from '../../../../src/platform/redis/errors.ts';
import { findPlace, withDirectoryLock } from '../../../../src/platform/redis/private/place.ts';
import { temporaryFolder } from '../../../support/folder.ts';
import { spawnNode } from '../../../support/processes/child.ts';

const holder = new URL('../../../support/redis/lock-holder.ts', import.meta.url);

test('a folder that cannot be made is named, with what to do', () => {
  const file = join(temporaryFolder(), 'file');
  writeFileSync(file, '');
  const dataDir = join(file, 'data');
  expect(() => findPlace(dataDir)).toThrow(
    new PrivateRedisError(
      `The data folder ${dataDir} cannot be used: a part of its path is a file.`,
      'Set DATA_DIR to a folder that this user may write to.',
    ),
  );
});

test('waiters get the lock one after the other', async () => {
  const folder = temporaryFolder();
  const steps: string[] = [];
  const work = (name: string) =>
    withDirectoryLock(folder, 5000, async () => {
      steps.push(`${name} begins`);
      await new Promise(setImmediate);
      steps.push(`${name} ends`);
    });
  await Promise.all([work('one'), work('two')]);
  expect(steps).toEqual(['one begins', 'one ends', 'two begins', 'two ends']);
});

test('waiting too long is an error', async () => {
  const folder = temporaryFolder();
  const process = spawnNode(holder, [folder]);
  await process.line(/^locked$/);
  await expect(withDirectoryLock(folder, 100, async () => {})).rejects.toBeInstanceOf(PrivateRedisError);
});

test('the lock is free as soon as its process is killed', async () => {
  const folder = temporaryFolder();
  const process = spawnNode(holder, [folder]);
  await process.line(/^locked$/);
  process.kill('SIGKILL');
  await process.end();
  expect(await withDirectoryLock(folder, 100, async () => 'mine')).toBe('mine');
});

test('the lock is released when the work fails', async () => {
  const folder = temporaryFolder();
  const failing = withDirectoryLock(folder, 100, async () => {
    throw new TypeError('no');
  });
  await expect(failing).rejects.toBeInstanceOf(TypeError);
  expect(await withDirectoryLock(folder, 100, async () => 'mine')).toBe('mine');
});
