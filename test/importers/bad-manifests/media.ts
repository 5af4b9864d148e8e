/** Media: paths, URLs, and files that are not what they say. `fillMediaRoot` makes the files that the entries name. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { mp4, png } from '../../support/media-bytes.ts';
import { type BadManifest, csvOf } from './entry.ts';

/** @param outside a folder beside it, to lead links to. */
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

function entry(name: string, source: string, ...told: BadManifest['told']): BadManifest {
  return { name, content: csvOf({ media: source }), told };
}

export const media: readonly BadManifest[] = [
  entry('a path that climbs', '../a.mp4', [
    '2 media',
    'path_outside_root',
    'the path climbs with .. and may leave the media root',
    'Give the path relative to the media root; --media-root moves the root.',
  ]),
  entry('an absolute path', '/etc/passwd.mp4', [
    '2 media',
    'media_outside_root',
    'the path leads out of the media root',
    'Move the file under the media root, or name another one with --media-root.',
  ]),
  entry('an absolute path of Windows', 'C:\\clips\\a.mp4', [
    '2 media',
    'absolute_path',
    'this is an absolute path of Windows',
    'Give the path relative to the media root, with / between the folders.',
  ]),
  entry('a link that leaves the media root', 'link.mp4', [
    '2 media',
    'media_outside_root',
    'the path leads out of the media root',
    'Move the file under the media root, or name another one with --media-root.',
  ]),
  entry('a link to a device', 'device.mp4', [
    '2 media',
    'media_outside_root',
    'the path leads out of the media root',
    'Move the file under the media root, or name another one with --media-root.',
  ]),
  entry('a FIFO', 'fifo.mp4', [
    '2 media',
    'media_not_regular',
    'this is not a regular file',
    'Name a file; folders, devices and pipes are not taken.',
  ]),
  entry('a folder', 'folder.mp4', [
    '2 media',
    'media_not_regular',
    'this is not a regular file',
    'Name a file; folders, devices and pipes are not taken.',
  ]),
  entry('no such file', 'gone.mp4', [
    '2 media',
    'media_missing',
    'there is no such file',
    'Put the file there, or mend the path; it is relative to the media root.',
  ]),
  entry('two files separated by a comma', 'a.mp4, clips\\b.mp4', [
    '2 media',
    'media_separator',
    'there is no such file, but there are 2 of these names: the separator is |',
    'Write | between the files: a.mp4|clips/b.mp4',
  ]),
  entry('two files separated by ;', 'a.mp4;clips/b.mp4', [
    '2 media',
    'media_separator',
    'there is no such file, but there are 2 of these names: the separator is |',
    'Write | between the files: a.mp4|clips/b.mp4',
  ]),
  entry('two files separated by a line break', 'a.mp4\nclips/b.mp4', [
    '2 media',
    'control_characters',
    'it holds a line break',
    'Write it in one line; several files are separated by |, as in a.jpg|b.jpg.',
  ]),
  entry('a file whose name has a comma', 'c,d.mp4'),
  entry('folders separated by a backslash', 'clips\\b.mp4', [
    '2 media',
    'media_backslash',
    'there is no such file: its folders are separated by \\',
    'Write / between the folders: clips/b.mp4',
  ]),
  entry('an extension that the bytes contradict', 'lie.mp4', [
    '2 media',
    'media_type_mismatch',
    'the name says video/mp4, the bytes are image/png',
    'Give the file the extension of what it is, or replace it by what it should be.',
  ]),
  entry('a file of 0 bytes', 'empty.mp4', [
    '2 media',
    'media_empty',
    'the file has no bytes',
    'Replace the file: it has no bytes.',
  ]),
  entry('a scheme that is not fetched', 'ftp://cdn.example.com/a.mp4', [
    '2 media',
    'url_scheme',
    'ftp: is not a scheme that media can be fetched by',
    'Give an http or https URL, or a path relative to the media root.',
  ]),
  entry('file:', 'file:///etc/passwd', [
    '2 media',
    'url_scheme',
    'file: is not a scheme that media can be fetched by',
    'Give an http or https URL, or a path relative to the media root.',
  ]),
  entry('a data URL', 'data:video/mp4;base64,AAAA', [
    '2 media',
    'url_scheme',
    'data URLs are not taken',
    'Save it as a file and give its path, or give an http or https URL.',
  ]),
  entry('credentials in a URL', 'https://me:secret@cdn.example.com/a.mp4', [
    '2 media',
    'url_credentials',
    'the URL holds a user name or password',
    'Give a URL without them, such as a signed one.',
  ]),
  entry('an address in hexadecimal', 'http://0x7f000001/a.mp4', [
    '2 media',
    'media_address_refused',
    '127.0.0.1 is not a public address',
    'Give a public URL, or add the address to the setting media.allowPrivateAddresses.',
  ]),
  entry('a short address', 'http://127.1/a.mp4', [
    '2 media',
    'media_address_refused',
    '127.0.0.1 is not a public address',
    'Give a public URL, or add the address to the setting media.allowPrivateAddresses.',
  ]),
  entry('an IPv4 address within IPv6', 'http://[::ffff:127.0.0.1]/a.mp4', [
    '2 media',
    'media_address_refused',
    '[::ffff:7f00:1] is not a public address',
    'Give a public URL, or add the address to the setting media.allowPrivateAddresses.',
  ]),
];
