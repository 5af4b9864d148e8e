/** Only regular files under the media root may be read as media. */
import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  linkSync,
  mkdirSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { MediaError } from '../../../src/service/media/errors.ts';
import { identityOf, inspectLocal, openLocal } from '../../../src/service/media/local.ts';
import { describeLocalMedia } from '../../../src/service/media/source.ts';
import { rejection } from '../../support/client.ts';
import { temporaryFolder } from '../../support/folder.ts';

function setUp() {
  const folder = temporaryFolder();
  const root = join(folder, 'root');
  mkdirSync(join(root, 'sub'), { recursive: true });
  writeFileSync(join(root, 'sub', 'a.mp4'), 'inside');
  writeFileSync(join(folder, 'secret.mp4'), 'outside');
  return { folder, root };
}

test('a file is found relative to the root', async () => {
  const { root } = setUp();

  expect(await inspectLocal('sub/a.mp4', root)).toMatchObject({
    absolutePath: join(root, 'sub/a.mp4'),
    size: 6,
  });
});

test('an absolute path under the root is accepted', async () => {
  const { root } = setUp();

  expect(await inspectLocal(join(root, 'sub/a.mp4'), root)).toMatchObject({ size: 6 });
});

test('a link to a file under the root is followed', async () => {
  const { root } = setUp();
  symlinkSync('sub/a.mp4', join(root, 'link.mp4'));

  expect((await inspectLocal('link.mp4', root)).absolutePath).toBe(join(root, 'sub/a.mp4'));
});

test('the root itself may be a link', async () => {
  const { folder, root } = setUp();
  symlinkSync(root, join(folder, 'root-link'));

  expect(await inspectLocal('sub/a.mp4', join(folder, 'root-link'))).toMatchObject({ size: 6 });
});

test.each([
  ['..', '../secret.mp4'],
  ['.. further down', 'sub/../../secret.mp4'],
  ['a file that is not there', '../nothing.mp4'],
  ['another root that begins alike', '../root2/a.mp4'],
])('%s does not leave the root', async (_, path) => {
  const { root } = setUp();

  expect(await rejection(openLocal(path, root))).toMatchObject({ code: 'media_outside_root', subject: path });
});

test('an absolute path elsewhere is refused', async () => {
  const { folder, root } = setUp();

  expect(await rejection(openLocal(join(folder, 'secret.mp4'), root))).toMatchObject({
    code: 'media_outside_root',
  });
});

test.each([
  ['a link to a file outside', 'file.mp4', '../secret.mp4', 'file.mp4'],
  ['a link to a folder outside', 'way', '..', 'way/secret.mp4'],
])('%s is refused', async (_, link, target, path) => {
  const { root } = setUp();
  symlinkSync(target, join(root, link));

  expect(await rejection(openLocal(path, root))).toMatchObject({ code: 'media_outside_root' });
});

test('a name that only looks like a parent folder is a name', async () => {
  const { root } = setUp();
  writeFileSync(join(root, '..a.mp4'), 'fine');

  expect(await inspectLocal('..a.mp4', root)).toMatchObject({ size: 4 });
});

test.each([
  ['nothing there', 'none.mp4', 'media_missing'],
  ['a file as a folder', 'sub/a.mp4/b.mp4', 'media_missing'],
  ['a NUL', 'sub/a.mp4\0.png', 'media_missing'],
  ['a name without an end', 'x'.repeat(5000), 'media_missing'],
  ['a folder', 'sub', 'media_not_regular'],
  ['the root', '.', 'media_not_regular'],
])('%s: %s is refused', async (_, path, code) => {
  const { root } = setUp();

  expect(await rejection(openLocal(path, root))).toMatchObject({ code });
});

test('a pipe is refused without waiting for a writer', async () => {
  const { root } = setUp();
  execFileSync('mkfifo', [join(root, 'pipe.mp4')]);

  expect(await rejection(openLocal('pipe.mp4', root))).toMatchObject({ code: 'media_not_regular' });
});

test('a device is refused', async () => {
  expect(await rejection(openLocal('null', '/dev'))).toMatchObject({ code: 'media_not_regular' });
});

test('a circle of links is refused', async () => {
  const { root } = setUp();
  symlinkSync('b.mp4', join(root, 'a.mp4'));
  symlinkSync('a.mp4', join(root, 'b.mp4'));

  expect(await rejection(openLocal('a.mp4', root))).toMatchObject({ code: 'media_not_regular' });
});

test('the identity of a file is the same by every path, and changes with the file', async () => {
  const { root } = setUp();
  linkSync(join(root, 'sub/a.mp4'), join(root, 'same.mp4'));
  const before = await inspectLocal('sub/a.mp4', root);
  const { handle, identity } = await openLocal('same.mp4', root);
  appendFileSync(join(root, 'sub/a.mp4'), '!');

  expect(identity).toBe(before.identity);
  expect(await identityOf(handle)).not.toBe(before.identity);
  await handle.close();
});

test('a file rewritten in place with its old size and time has another identity', async () => {
  const { root } = setUp();
  const file = join(root, 'sub/a.mp4');
  const time = 1_700_000_000;
  utimesSync(file, time, time);
  const { ctimeNs } = statSync(file, { bigint: true });
  const before = await inspectLocal('sub/a.mp4', root);
  writeFileSync(file, Buffer.alloc(before.size, 'x'));
  // Until the clock of the file system has gone on.
  do utimesSync(file, time, time);
  while (statSync(file, { bigint: true }).ctimeNs === ctimeNs);

  const { size, identity } = await inspectLocal('sub/a.mp4', root);
  expect(size).toBe(before.size);
  expect(identity).not.toBe(before.identity);
});

describe('a name with accents', () => {
  const nfc = 'Überblick – Çafé.mp4'.normalize('NFC');
  const nfd = nfc.normalize('NFD');

  /** A root with files of these names. */
  function rootWith(...paths: readonly string[]) {
    const { root } = setUp();
    for (const path of paths) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), path);
    }
    return root;
  }

  test.each([
    ['NFD', nfd, nfc],
    ['NFC', nfc, nfd],
    ['NFD, in a folder of NFC', join('Größe', nfd), join('Größe'.normalize('NFD'), nfc)],
    ['NFC, in a folder of NFD', join('Größe'.normalize('NFD'), nfc), join('Größe', nfd)],
    ['Korean in NFD', '한글.mp4'.normalize('NFD'), '한글.mp4'.normalize('NFC')],
  ])('on the disk in %s is found in the other form', async (_form, stored, written) => {
    const root = rootWith(stored);
    expect((await inspectLocal(written, root)).absolutePath).toBe(join(root, stored));
    await using file = (await openLocal(written, root)).handle;
    expect(String(await file.readFile())).toBe(stored);
    expect((await describeLocalMediaOf(written, root)).code).toBe('media_type_mismatch');
  });

  test('is found in its own form, by an absolute path as well', async () => {
    const root = rootWith(nfd);
    expect((await inspectLocal(nfd, root)).absolutePath).toBe(join(root, nfd));
    expect((await inspectLocal(join(root, nfc), root)).absolutePath).toBe(join(root, nfd));
  });

  test('is found under a root that is a link', async () => {
    const root = rootWith(nfd);
    symlinkSync(root, `${root}-link`);
    expect((await inspectLocal(nfc, `${root}-link`)).absolutePath).toBe(join(root, nfd));
  });

  test.each([nfc, nfd])('that is there in both forms is ambiguous', async (written) => {
    const error = await rejection(inspectLocal(written, rootWith(nfc, nfd)));
    expect(error).toMatchObject({ code: 'media_ambiguous', transient: false, subject: written });
  });

  test('that is nowhere is missing', async () => {
    expect(await rejection(inspectLocal(nfc, rootWith('x.mp4')))).toMatchObject({ code: 'media_missing' });
  });

  test.each([
    ['a linked folder', join('außen', 'secret.mp4'), join('außen'.normalize('NFD'), 'secret.mp4')],
    ['a linked file', nfc, nfd],
    ['..', join('..', nfc), ''],
  ])('leads out of the root by %s no more than any other', async (_way, written, link) => {
    const { folder, root } = setUp();
    writeFileSync(join(folder, nfd), 'outside');
    if (link !== '') {
      const target = link.endsWith('secret.mp4') ? folder : join(folder, 'secret.mp4');
      symlinkSync(target, join(root, link.replace(/\/secret.mp4$/, '')));
    }
    expect(await rejection(openLocal(written, root))).toMatchObject({ code: 'media_outside_root' });
  });
});

function describeLocalMediaOf(path: string, mediaRoot: string) {
  return rejection(describeLocalMedia(path, { mediaRoot, maxBytes: 1000 })) as Promise<MediaError>;
}
