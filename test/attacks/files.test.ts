/** What waits under the names of files that we write: links of other users, pipes, devices. Cases with a second user need root. */
import { execFileSync } from 'node:child_process';
import {
  lchownSync,
  lstatSync,
  lutimesSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createLog } from '../../src/app/runtime/log.ts';
import { findTarget } from '../../src/platform/files/ownership.ts';
import { AtomicFile, writeAtomically, writeAtomicallySync } from '../../src/platform/files/write-file.ts';
import { onceADay } from '../../src/platform/redis/warnings.ts';
import { isRoot, otherUser } from '../support/console/other-user.ts';
import { temporaryFolder } from '../support/folder.ts';
import { spawnNode } from '../support/processes/child.ts';
import { openScene } from '../support/processes/scene.ts';
import { videoRow } from '../support/sheets/rows.ts';

const program = new URL('../../src/cli/main.ts', import.meta.url);

const makePipe = (path: string) => void execFileSync('mkfifo', [path]);

function logTo(folder: string): void {
  createLog({ logLevel: 'info', dataDir: folder }, 'file').info('a line');
}

describe('a results sheet', () => {
  test('that has the name of a pipe is refused before anything is sent', async (context) => {
    const scene = await openScene(context);
    makePipe(join(scene.folder, 'posts.results.csv'));
    const ended = await scene.run(['run', scene.manifest([videoRow('one')])]);
    expect(ended).toMatchObject({ code: 2 });
    expect(ended.stderr).toContain('posts.results.csv cannot be written: this is a pipe');
    expect(scene.sandbox.effects().posts).toEqual([]);
    expect(lstatSync(join(scene.folder, 'posts.results.csv')).isFIFO()).toBe(true);
  });

  test('that is asked for as a folder is refused before anything is sent', async (context) => {
    const scene = await openScene(context);
    mkdirSync(join(scene.folder, 'sheets.csv'));
    const ended = await scene.run(['run', scene.manifest([videoRow('one')]), '--out', 'sheets.csv']);
    expect(ended).toMatchObject({ code: 2 });
    expect(ended.stderr).toContain('sheets.csv cannot be written: this is a folder');
    expect(scene.sandbox.effects().posts).toEqual([]);
  });

  test('of a campaign that goes on is refused as well, and so are a report and a problems file', async (context) => {
    const scene = await openScene(context);
    const file = scene.manifest([videoRow('one')]);
    expect((await scene.run(['import', file])).code).toBe(0);
    makePipe(join(scene.folder, 'posts.results.csv'));
    const [goOn, report, problems] = [
      await scene.run(['run']),
      await scene.run(['report', 'c1', '--out', 'posts.results.csv']),
      await scene.run(['check', file, '--problems', 'posts.results.csv']),
    ];
    for (const ended of [goOn, report, problems]) {
      expect(ended).toMatchObject({ code: 2 });
      expect(ended.stderr).toContain('this is a pipe');
    }
    expect(scene.sandbox.effects().posts).toEqual([]);
  });
});

describe('files that are written as a whole', () => {
  test('a link of this user is followed, and stays', async () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, 'share'));
    symlinkSync('share/sheet.csv', join(folder, 'sheet.csv'));
    await writeAtomically(join(folder, 'sheet.csv'), ['one']);
    writeAtomicallySync(join(folder, 'sheet.csv'), 'two');
    expect(readdirSync(join(folder, 'share'))).toEqual(['sheet.csv']);
    expect(readFileSync(join(folder, 'share/sheet.csv'), 'utf8')).toBe('two');
    expect(lstatSync(join(folder, 'sheet.csv')).isSymbolicLink()).toBe(true);
  });

  test('a device is no place for them', () => {
    // Only looked at: to root, a rename over a device succeeds.
    expect(() => findTarget('/dev/null')).toThrow('this is a device');
  });

  test('links in a circle are an error', async () => {
    const folder = temporaryFolder();
    symlinkSync('two', join(folder, 'one'));
    symlinkSync('one', join(folder, 'two'));
    await expect(AtomicFile.create(join(folder, 'one'))).rejects.toThrow('its links lead in a circle');
  });

  test('the umask of the user decides who may read them', async () => {
    const folder = temporaryFolder();
    const before = process.umask(0o077);
    try {
      await writeAtomically(join(folder, 'sheet.csv'), ['one']);
      logTo(folder);
    } finally {
      process.umask(before);
    }
    expect(statSync(join(folder, 'sheet.csv')).mode & 0o777).toBe(0o600);
    expect(statSync(join(folder, 'campaigns.log')).mode & 0o777).toBe(0o600);
  });
});

describe('the log', () => {
  test('appends to a file', () => {
    const folder = join(temporaryFolder(), 'data');
    logTo(folder);
    logTo(folder);
    expect(readFileSync(join(folder, 'campaigns.log'), 'utf8').trim().split('\n')).toHaveLength(2);
  });

  test('that is a pipe is refused, and waits for no reader', () => {
    const folder = temporaryFolder();
    makePipe(join(folder, 'campaigns.log'));
    expect(() => logTo(folder)).toThrow(/campaigns.log cannot be opened: this is a pipe/);
  });
});

test('a pipe under the name of a note in the data directory blocks nothing', () => {
  const folder = temporaryFolder();
  makePipe(join(folder, 'redis-age-warning'));
  utimesSync(join(folder, 'redis-age-warning'), 0, 0);
  const said: string[] = [];
  onceADay(folder, (message) => said.push(message))('too old');
  expect(said).toEqual(['too old']);
  expect(lstatSync(join(folder, 'redis-age-warning')).isFIFO()).toBe(true);
});

describe.skipIf(!isRoot)('a link of another user (needs root)', () => {
  /** A link that the other user has put under the name of a file of ours. @returns the file that it leads to. */
  function plantLink(folder: string, name: string): string {
    const victim = join(temporaryFolder(), 'victim');
    writeFileSync(victim, 'mine');
    symlinkSync(victim, join(folder, name));
    lchownSync(join(folder, name), otherUser.uid, otherUser.gid);
    return victim;
  }

  test('is not followed by a note in the data directory', () => {
    const folder = temporaryFolder();
    const victim = plantLink(folder, 'redis-age-warning');
    lutimesSync(join(folder, 'redis-age-warning'), 0, 0);
    onceADay(folder, () => undefined)('too old');
    expect(readFileSync(victim, 'utf8')).toBe('mine');
  });

  test('is not followed by the log', () => {
    const folder = temporaryFolder();
    const victim = plantLink(folder, 'campaigns.log');
    expect(() => logTo(folder)).toThrow('a link that another user owns');
    expect(readFileSync(victim, 'utf8')).toBe('mine');
  });

  test('is not followed by sheets, problems and saved mappings', async (context) => {
    const scene = await openScene(context);
    const victim = plantLink(scene.folder, 'posts.results.csv');
    const ended = await scene.run(['run', scene.manifest([videoRow('one')])]);
    expect(ended).toMatchObject({ code: 2 });
    expect(ended.stderr).toContain('a link that another user owns');
    expect(scene.sandbox.effects().posts).toEqual([]);
    await expect(AtomicFile.create(join(scene.folder, 'posts.results.csv'))).rejects.toThrow(
      'a link that another user owns',
    );
    expect(readFileSync(victim, 'utf8')).toBe('mine');
  });

  test('is not followed by a link of our own', async () => {
    const folder = temporaryFolder();
    const victim = plantLink(folder, 'theirs');
    symlinkSync('theirs', join(folder, 'ours'));
    await expect(writeAtomically(join(folder, 'ours'), ['new'])).rejects.toThrow('another user owns');
    expect(readFileSync(victim, 'utf8')).toBe('mine');
  });
});

test('a demo empties no folder but its own, whatever lies there', async () => {
  const folder = temporaryFolder();
  // The folder of a private Redis has a lock as well.
  mkdirSync(join(folder, 'appendonlydir'));
  writeFileSync(join(folder, 'start.lock'), '');
  writeFileSync(join(folder, 'appendonlydir/ledger'), 'mine');
  const demo = spawnNode(program, ['demo'], { DATA_DIR: folder }, { cwd: folder });
  expect(await demo.end()).toMatchObject({ code: 2 });
  expect(demo.output.stderr.join('\n')).toContain(
    'files that do not belong to a demo, such as appendonlydir',
  );
  expect(readFileSync(join(folder, 'appendonlydir/ledger'), 'utf8')).toBe('mine');
});
