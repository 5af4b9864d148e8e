/** Media: paths, URLs, and files of a wrong kind. `fillMediaRoot` creates the files of the entries. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { mp4, png } from '../../support/sheets/media-bytes.ts';
import { type BadManifest, csvOf } from './entry.ts';

/** @param outside a folder outside the root, as a target of links. */
export function fillMediaRoot(root: string, outside: string): void {
  writeFileSync(join(outside, 'secret.mp4'), mp4);
  writeFileSync(join(root, 'a.mp4'), mp4);
  mkdirSync(join(root, 'clips'));
  writeFileSync(join(root, 'clips/b.mp4'), mp4);
  writeFileSync(join(root, 'c,d.mp4'), mp4);
  writeFileSync(join(root, 'lie.mp4'), png);
  writeFileSync(join(root, 'empty.mp4'), '');
  mkdirSync(join(root, 'folder.mp4'));
  symlinkSync(join(outside, 'secret.mp4'), join(root, 'link.mp4'));
  symlinkSync('/dev/zero', join(root, 'device.mp4'));
  execFileSync('mkfifo', [join(root, 'fifo.mp4')]);
}

function entry(name: string, source: string, ...problems: BadManifest['problems']): BadManifest {
  return { name, content: csvOf({ media: source }), problems };
}

export const media: readonly BadManifest[] = [
  entry('a path that climbs', '../a.mp4', [
    '2 media',
    'path_outside_root',
    'the path contains .. and may leave the media folder',
    'Use a path relative to the media folder. Or choose another folder with --media-root.',
  ]),
  entry('an absolute path', '/etc/passwd.mp4', [
    '2 media',
    'media_outside_root',
    'the path points outside the media folder',
    'Add the file to the media folder. Or choose another folder with --media-root.',
  ]),
  entry('an absolute path of Windows', 'C:\\clips\\a.mp4', [
    '2 media',
    'absolute_path',
    'this is an absolute Windows path',
    'Use a path relative to the media folder, with / between the folders.',
  ]),
  entry('a link that leaves the media root', 'link.mp4', [
    '2 media',
    'media_outside_root',
    'the path points outside the media folder',
    'Add the file to the media folder. Or choose another folder with --media-root.',
  ]),
  entry('a link to a device', 'device.mp4', [
    '2 media',
    'media_outside_root',
    'the path points outside the media folder',
    'Add the file to the media folder. Or choose another folder with --media-root.',
  ]),
  entry('a FIFO', 'fifo.mp4', [
    '2 media',
    'media_not_regular',
    'this is not a regular file',
    'Name a file. Folders, devices and pipes are not supported.',
  ]),
  entry('a folder', 'folder.mp4', [
    '2 media',
    'media_not_regular',
    'this is not a regular file',
    'Name a file. Folders, devices and pipes are not supported.',
  ]),
  entry('no such file', 'gone.mp4', [
    '2 media',
    'media_missing',
    'there is no such file',
    'Add the file to the media folder, or fix its path in the sheet. Or choose another folder with --media-root.',
  ]),
  entry('two files separated by a comma', 'a.mp4, clips\\b.mp4', [
    '2 media',
    'media_separator',
    'the cell names 2 files, but does not separate them with |',
    'Write | between them: a.mp4|clips/b.mp4',
  ]),
  entry('two files separated by ;', 'a.mp4;clips/b.mp4', [
    '2 media',
    'media_separator',
    'the cell names 2 files, but does not separate them with |',
    'Write | between them: a.mp4|clips/b.mp4',
  ]),
  entry('two files separated by a line break', 'a.mp4\nclips/b.mp4', [
    '2 media',
    'media_separator',
    'the cell names 2 files, but does not separate them with |',
    'Write | between them: a.mp4|clips/b.mp4',
  ]),
  entry('two files separated by a full-width comma', 'a.mp4，clips/b.mp4', [
    '2 media',
    'media_separator',
    'the cell names 2 files, but does not separate them with |',
    'Write | between them: a.mp4|clips/b.mp4',
  ]),
  entry('two files separated by a space', 'a.mp4 clips/b.mp4', [
    '2 media',
    'media_separator',
    'the cell names 2 files, but does not separate them with |',
    'Write | between them: a.mp4|clips/b.mp4',
  ]),
  entry('a file whose name has a line break at its end', 'a.mp4\n'),
  entry('a file whose name has a comma', 'c,d.mp4'),
  entry('folders separated by a backslash', 'clips\\b.mp4', [
    '2 media',
    'media_backslash',
    'the file was not found, because the path uses \\ between folders',
    'Write / between the folders: clips/b.mp4',
  ]),
  entry('an extension that the bytes contradict', 'lie.mp4', [
    '2 media',
    'media_type_mismatch',
    'named as MP4, but contains PNG image',
    'Fix the extension of the file, or replace the file.',
  ]),
  entry('a file of 0 bytes', 'empty.mp4', [
    '2 media',
    'media_empty',
    'the file has no bytes',
    'Replace the file.',
  ]),
  entry('a scheme that is not fetched', 'ftp://cdn.example.com/a.mp4', [
    '2 media',
    'url_scheme',
    'media cannot be fetched from ftp: URLs',
    'Use an http or https URL, or a path relative to the media folder.',
  ]),
  entry('file:', 'file:///etc/passwd', [
    '2 media',
    'url_scheme',
    'media cannot be fetched from file: URLs',
    'Use an http or https URL, or a path relative to the media folder.',
  ]),
  entry('a data URL', 'data:video/mp4;base64,AAAA', [
    '2 media',
    'url_scheme',
    'data URLs are not supported',
    'Save it as a file and use its path, or use an http or https URL.',
  ]),
  entry('credentials in a URL', 'https://me:secret@cdn.example.com/a.mp4', [
    '2 media',
    'url_credentials',
    'the URL contains a user name or password',
    'Use a URL without them, such as a signed URL.',
  ]),
  entry('an address in hexadecimal', 'http://0x7f000001/a.mp4', [
    '2 media',
    'media_address_refused',
    '127.0.0.1 is not a public address',
    'Use a public URL, or ask an operator to allow this address. The setting is media.allowPrivateAddresses.',
  ]),
  entry('a short address', 'http://127.1/a.mp4', [
    '2 media',
    'media_address_refused',
    '127.0.0.1 is not a public address',
    'Use a public URL, or ask an operator to allow this address. The setting is media.allowPrivateAddresses.',
  ]),
  entry('an IPv4 address within IPv6', 'http://[::ffff:127.0.0.1]/a.mp4', [
    '2 media',
    'media_address_refused',
    '[::ffff:7f00:1] is not a public address',
    'Use a public URL, or ask an operator to allow this address. The setting is media.allowPrivateAddresses.',
  ]),
];
