import { expect, test } from 'vitest';
import {
  decideFetchedType,
  decideType,
  kindOf,
  typeOfBytes,
  typeOfName,
} from '../../../src/service/media/content-type.ts';
import { beginnings, generalBrand, jpeg, mp4, png } from '../../support/sheets/media-bytes.ts';

test.each(Object.entries(beginnings))('%s is recognized by its bytes', (type, start) => {
  expect(typeOfBytes(start)).toBe(type);
});

test.each([
  ['avif', 'image/avif'],
  ['heic', 'image/heic'],
])('an image container with brand %s is %s', (compatible, type) => {
  expect(typeOfBytes(generalBrand(compatible))).toBe(type);
});

test('an old QuickTime file without a brand is recognized', () => {
  expect(typeOfBytes(Buffer.from('\0\0\0\x08wide\0\0\0\0mdat', 'latin1'))).toBe('video/quicktime');
});

test.each([
  ['HTML', Buffer.from('<!doctype html><html>')],
  ['a text', Buffer.from('BMW is a car, not a bitmap')],
  ['sound', Buffer.from('\0\0\0\x14ftypM4A \0\0\0\0isom', 'latin1')],
  ['nothing', Buffer.alloc(0)],
  ['one byte', Buffer.from([0xff])],
  ['a wave', Buffer.from('RIFF\x10\0\0\0WAVEfmt ', 'latin1')],
])('%s is not a video or image', (_, start) => {
  expect(typeOfBytes(start)).toBeUndefined();
});

test.each([
  ['a.MP4', 'video/mp4'],
  ['a.b.jpeg', 'image/jpeg'],
  ['a.txt', undefined],
  ['mp4', undefined],
])('the name %s says %o', (name, type) => {
  expect(typeOfName(name)).toBe(type);
});

test.each([
  ['clip.mov', mp4, 'video/quicktime'],
  ['clip.mp4', beginnings['video/quicktime'] ?? mp4, 'video/mp4'],
  ['clip', mp4, 'video/mp4'],
  ['clip.bin', png, 'image/png'],
])(
  'the type of %s comes from its name within a container family, else from its bytes',
  (name, start, type) => {
    expect(decideType(name, start, name)).toBe(type);
  },
);

test.each([
  ['photo.jpg', png, 'media_type_mismatch'],
  ['clip.mp4', png, 'media_type_mismatch'],
  ['clip.webm', beginnings['video/x-matroska'] ?? mp4, 'media_type_mismatch'],
  ['clip.mp4', Buffer.from('<html>'), 'media_web_page'],
  ['clip.mp4', Buffer.from('hello'), 'media_type_mismatch'],
  ['notes.txt', Buffer.from('hello'), 'media_type_unknown'],
])('%s with other bytes is a problem: %#', (name, start, code) => {
  expect(() => decideType(name, start, name)).toThrow(expect.objectContaining({ code, subject: name }));
});

test('a fetched image may have another format than its name', () => {
  expect(decideFetchedType('photo.jpg', png, 'u')).toBe('image/png');
});

test('a fetched image named as a video is a problem', () => {
  expect(() => decideFetchedType('clip.mp4', jpeg, 'u')).toThrow(
    expect.objectContaining({ code: 'media_type_mismatch' }),
  );
});

test('images are photos in posts', () => {
  expect([kindOf('image/heic'), kindOf('video/webm')]).toEqual(['PHOTO', 'VIDEO']);
});
