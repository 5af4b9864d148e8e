/** A path counts as local only if no share of the network can be on its way. */
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isOnLocalDisk, parseRemotePoints } from '../../../src/platform/files/local-disk.ts';
import { temporaryFolder } from '../../support/folder.ts';

const isLinux = process.platform === 'linux';

test('shares are told from disks by their type, and their points as they are written', () => {
  const table = [
    '27 1 254:0 / / rw,relatime - ext4 /dev/vda rw',
    '40 27 0:40 / /mnt/nas rw - nfs4 nas:/media rw',
    '41 27 0:41 / /mnt/team\\040drive rw,relatime shared:5 - fuse.sshfs drive rw',
    '42 40 254:3 / /mnt/nas/disk rw - xfs /dev/vdb rw',
    'a line of another kernel',
    '',
  ].join('\n');
  expect(parseRemotePoints(table)).toEqual(['/mnt/nas', '/mnt/team drive']);
});

test('a file of this disk is local', () => {
  const path = join(temporaryFolder(), 'a.mp4');
  writeFileSync(path, 'a');
  expect(isOnLocalDisk(path)).toBe(isLinux);
});

test('what no disk holds is not', () => {
  expect(isOnLocalDisk('/proc/self/status')).toBe(false);
});

test('a link on the way may lead anywhere', () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'real'));
  writeFileSync(join(folder, 'real/a.mp4'), 'a');
  symlinkSync('real', join(folder, 'linked'));
  for (const _again of [1, 2]) expect(isOnLocalDisk(join(folder, 'linked/a.mp4'))).toBe(false);
});

test('a missing folder is left to who can tell why', () => {
  expect(isOnLocalDisk(join(temporaryFolder(), 'gone/a.mp4'))).toBe(false);
});
