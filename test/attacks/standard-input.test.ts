/** Manifests from a pipe: they may be endless, and others share the temporary folder. */
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { checkSettings } from '../../config/load.ts';
import { openManifest } from '../../src/importers/open/manifest-file.ts';
import { hint } from '../../src/manifest/problems/hint.ts';
import { UseCaseError } from '../../src/manifest/problems/use-case-error.ts';
import { temporaryFolder } from '../support/folder.ts';

const gigabyte = 1024 ** 3;
const runtime = { settings: checkSettings({}) };

/** A pipe without an end, and how much of it was read. */
function endless() {
  const pipe = { bytes: 0 };
  const piece = Buffer.alloc(64 * 1024, 'x');
  const input = new Readable({
    read() {
      pipe.bytes += piece.length;
      this.push(piece);
    },
  });
  return { pipe, input };
}

describe('standard input', () => {
  test('is refused beyond the largest manifest, and nothing of it is left', async () => {
    const folder = temporaryFolder();
    const { pipe, input } = endless();
    const opening = openManifest(runtime, '-', { input, folder, maxBytes: 1_000_000 });
    await expect(opening).rejects.toThrow(UseCaseError);
    await expect(opening).rejects.toMatchObject({
      code: 'manifest_unreadable',
      fix: expect.arrayContaining([hint('setting', { name: 'manifest.maxBytes' })]),
    });
    expect(pipe.bytes).toBeLessThan(2_000_000);
    expect(readdirSync(folder)).toEqual([]);
  });

  test('is refused where less than 1 GB would stay free', async () => {
    const folder = temporaryFolder();
    const { pipe, input } = endless();
    const freeBytes = async () => 1e9 + 500_000 - pipe.bytes;
    const opening = openManifest(runtime, '-', { input, folder, maxBytes: gigabyte, freeBytes });
    await expect(opening).rejects.toThrow('less than 1 GB would stay free');
    expect(pipe.bytes).toBeLessThan(1_000_000);
    expect(readdirSync(folder)).toEqual([]);
  });

  test('is looked after while others fill the disk', async () => {
    const folder = temporaryFolder();
    const { pipe, input } = endless();
    const looks: number[] = [];
    const freeBytes = async () => {
      looks.push(pipe.bytes);
      return looks.length > 2 ? 0 : 100 * gigabyte;
    };
    await expect(
      openManifest(runtime, '-', { input, folder, maxBytes: gigabyte, freeBytes }),
    ).rejects.toThrow('1 GB');
    expect(looks).toHaveLength(3);
    expect(pipe.bytes).toBeLessThan(40_000_000);
  });

  test('is stored where only this user can read it', async () => {
    const folder = temporaryFolder();
    const input = Readable.from([Buffer.from('key,creator\n')]);
    await using manifest = await openManifest(runtime, '-', { input, folder, maxBytes: 1000 });
    expect(readFileSync(manifest.path, 'utf8')).toBe('key,creator\n');
    expect(lstatSync(manifest.path).mode & 0o777).toBe(0o600);
    expect(lstatSync(dirname(manifest.path)).mode & 0o777).toBe(0o700);
    expect(dirname(dirname(manifest.path))).toBe(folder);
    await manifest[Symbol.asyncDispose]();
    expect(readdirSync(folder)).toEqual([]);
  });
});

test('what a killed process left behind a day ago is removed, and nothing else', async () => {
  const folder = temporaryFolder();
  const longAgo = new Date(Date.now() - 25 * 3600 * 1000);
  const leftOver = (name: string, file = 'manifest') => {
    mkdirSync(join(folder, name));
    writeFileSync(join(folder, name, file), 'x');
    utimesSync(join(folder, name), longAgo, longAgo);
  };
  leftOver('campaigns-manifest-old');
  leftOver('campaigns-manifest-more', 'something');
  leftOver('other');
  leftOver('elsewhere');
  symlinkSync(join(folder, 'elsewhere'), join(folder, 'campaigns-manifest-link'));
  mkdirSync(join(folder, 'campaigns-manifest-new'));
  const input = Readable.from([Buffer.from('x')]);
  await using manifest = await openManifest(runtime, '-', { input, folder, maxBytes: 1000 });
  const own = basename(dirname(manifest.path));
  expect(
    readdirSync(folder)
      .filter((name) => name !== own)
      .sort(),
  ).toEqual([
    'campaigns-manifest-link',
    'campaigns-manifest-more',
    'campaigns-manifest-new',
    'elsewhere',
    'other',
  ]);
  expect(existsSync(join(folder, 'elsewhere', 'manifest'))).toBe(true);
});

test('a file beyond the largest manifest is refused unread', async () => {
  const file = join(temporaryFolder(), 'posts.csv');
  writeFileSync(file, 'x'.repeat(1001));
  await expect(openManifest(runtime, file, { maxBytes: 1000 })).rejects.toMatchObject({
    code: 'manifest_unreadable',
  });
  await using manifest = await openManifest(runtime, file, { maxBytes: 1001 });
  expect(manifest.path).toBe(file);
});
