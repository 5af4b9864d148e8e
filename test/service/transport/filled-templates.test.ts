import { expect, test } from 'vitest';
import { placeholdersOf } from '../../../src/service/contract/templates.ts';
import { readPointer } from '../../../src/service/transport/referenced-answer.ts';
import {
  fillBody,
  fillPath,
  fillQuery,
  MissingValueError,
} from '../../../src/service/transport/referenced-caller.ts';

test('a placeholder that is a whole string keeps the type of its value', () => {
  expect(
    fillBody({ id: '{fileId}', flag: '{on}', name: '{fileName}' }, { fileId: 7, on: true, fileName: 'a' }),
  ).toEqual({ id: 7, flag: true, name: 'a' });
});

test('a placeholder can ask for a text', () => {
  expect(
    fillBody(['{a:string}', '{b:string}', '{none:string}', '{a:text}'], { a: 2n ** 60n, b: true }),
  ).toEqual(['1152921504606846976', 'true', '{a:text}']);
});

test('placeholders are filled in anywhere, and nothing else is touched', () => {
  const body = { list: ['{a}', { deep: 'x-{a}-{b}' }], n: 1, nil: null, off: false, braces: '{ "a": 1 }' };

  expect(fillBody(body, { a: 1, b: 'B' })).toEqual({
    list: [1, { deep: 'x-1-B' }],
    n: 1,
    nil: null,
    off: false,
    braces: '{ "a": 1 }',
  });
});

test('a field without a value is left out', () => {
  expect(fillBody({ a: '{a}', b: ['{b}', 'c'] }, {})).toEqual({ b: ['c'] });
  expect(String(fillQuery({ a: '{a}', b: 'x' }, {}))).toBe('b=x');
});

test('a value is encoded in the path, and cannot climb out of its place', () => {
  expect(fillPath('/files/{id}/confirm', { id: '../a b?' })).toBe('/files/..%2Fa%20b%3F/confirm');
  expect(fillPath('/{id:string}', { id: 'a\ud800' })).toBe('/a%EF%BF%BD');
});

test('a placeholder within a longer text needs a value', () => {
  expect(() => fillBody('file-{id}', {})).toThrow(MissingValueError);
  expect(() => fillPath('/{id}', {})).toThrow(MissingValueError);
});

test('a value that looks like a placeholder or a pattern is used as it is', () => {
  expect(fillBody({ a: '{a}', b: '<{a}>' }, { a: '{b} $& $1' })).toEqual({
    a: '{b} $& $1',
    b: '<{b} $& $1>',
  });
});

test('all placeholders of a template are found', () => {
  const names = placeholdersOf({
    method: 'POST',
    path: '/{a}',
    query: { q: '{b}' },
    body: [{ c: 'x{c}y{d}' }],
    encoding: 'json',
    result: {},
  });

  expect([...names]).toEqual(['a', 'b', 'c', 'd']);
});

test.each([
  ['/data/uri', 'u'],
  ['/data/list/1', 'two'],
  ['/a~1b/m~0n', 1],
  ['/data/none', undefined],
  ['/data/uri/length', undefined],
  ['/constructor', undefined],
  ['/data/list/length', 2],
])('the pointer %s finds %o', (pointer, expected) => {
  const content = { data: { uri: 'u', list: ['one', 'two'] }, 'a/b': { 'm~n': 1 } };

  expect(readPointer(content, pointer)).toBe(expected);
});
