import { describe, expect, it } from 'vitest';
import { printable, printableLines, shortened } from '../../src/manifest/printable.ts';

describe('shown as it is', () => {
  it.each([
    ['a family', 'us 👩‍👩‍👧 at home'],
    ['with a tone of skin and a sign', '👩🏽‍⚕️ and 🏳️‍🌈'],
    ['the flag of Scotland', '🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}'],
    ['Persian with a non-joiner', 'می‌خواهم'],
    ['Hindi with a joiner', 'क्‍ष'],
  ])('%s', (_what, text) => {
    expect(printable(text)).toBe(text);
    expect(printableLines(text)).toBe(text);
  });
});

describe('shown by its code, because it hides or reverses', () => {
  it.each([
    ['a joiner between letters of an id', 'U\u200dS', 'U\\u200dS'],
    ['a second joiner', '👩\u200d\u200d👧', '👩\\u200d\\u200d👧'],
    ['a joiner after an emoji that joins nothing', '👩\u200d!', '👩\\u200d!'],
    ['a tag without a flag', 'a\u{e0041}', 'a\\u{e0041}'],
    [
      'a text of tags behind a flag',
      `🏴${'\u{e0061}'.repeat(9)}`,
      `🏴${'\u{e0061}'.repeat(7)}${'\\u{e0061}'.repeat(2)}`,
    ],
    ['a turn of direction', 'a\u202eb', 'a\\u202eb'],
  ])('%s', (_what, text, shown) => {
    expect(printable(text)).toBe(shown);
  });
});

it('a line break is an arrow in one line, and kept in several', () => {
  expect(printable('one\r\ntwo\nthree')).toBe('one↵two↵three');
  expect(printableLines('one\r\ntwo\nthree\rfour')).toBe('one\ntwo\nthree\\u000dfour');
});

describe('a long text is cut', () => {
  it.each([
    ['a family', 'us 👩‍👩‍👧!', 5, 'us …'],
    ['an accent', 'cafe\u0301 noir', 4, 'caf…'],
    ['a flag', 'in 🇫🇷🇩🇪', 9, 'in 🇫🇷…'],
    ['half an emoji', 'ab🌙c', 3, 'ab…'],
  ])('before %s', (_what, text, most, shown) => {
    expect(shortened(text, most)).toBe(shown);
  });

  it('inside a heap of accents, which would leave nothing', () => {
    expect(shortened(`a${'\u0301'.repeat(500)}`, 100)).toBe(`a${'\u0301'.repeat(99)}…`);
  });
});
