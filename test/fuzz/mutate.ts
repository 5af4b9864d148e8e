/** Changes bytes as a broken program, a careless hand or an attacker would. */
import type { Random } from './random.ts';

/** Larger inputs add no new paths, only time. */
export const mostBytes = 300_000;

const mostEdits = 6;

/** @param words texts with a meaning to the reader. */
export function mutate(random: Random, bytes: Buffer, words: readonly (string | Buffer)[]): Buffer {
  let changed = bytes;
  for (let left = random.integer(1, mostEdits); left > 0; left -= 1) changed = edit(random, changed, words);
  return changed.subarray(0, mostBytes);
}

type Edit = (random: Random, bytes: Buffer, words: readonly (string | Buffer)[]) => Buffer;

const edits: readonly Edit[] = [
  (random, bytes) => replace(bytes, place(random, bytes), 1, Buffer.from([random.integer(0, 255)])),
  (random, bytes) => replace(bytes, place(random, bytes), random.integer(1, 20)),
  (random, bytes) => replace(bytes, place(random, bytes), random.integer(1, bytes.length)),
  (random, bytes, words) =>
    replace(bytes, place(random, bytes), 0, Buffer.from(random.pick(words) as string)),
  (random, bytes, words) => {
    const word = Buffer.from(random.pick(words) as string);
    return replace(bytes, place(random, bytes), word.length, word);
  },
  (random, bytes) => replace(bytes, place(random, bytes), 0, piece(random, bytes, 200)),
  (random, bytes) => bytes.subarray(0, place(random, bytes)),
  changeNumber,
  repeat,
];

function edit(random: Random, bytes: Buffer, words: readonly (string | Buffer)[]): Buffer {
  return random.pick(edits)(random, bytes, words);
}

function place(random: Random, bytes: Buffer): number {
  return random.integer(0, bytes.length);
}

function piece(random: Random, bytes: Buffer, longest: number): Buffer {
  const start = place(random, bytes);
  return bytes.subarray(start, start + random.integer(1, longest));
}

function replace(bytes: Buffer, start: number, removed: number, added: Buffer = Buffer.alloc(0)): Buffer {
  return Buffer.concat([bytes.subarray(0, start), added, bytes.subarray(start + removed)]);
}

const numbers = [
  '0',
  '-1',
  '1e999',
  '4294967296',
  '9007199254740993',
  '99999999999999999999',
  '0.1',
  '1e-400',
  'NaN',
];

/** Replaces a number of the text. */
function changeNumber(random: Random, bytes: Buffer): Buffer {
  const found = [...bytes.toString('latin1').matchAll(/\d+/g)];
  if (found.length === 0) return bytes;
  const { index, 0: digits } = random.pick(found);
  return replace(bytes, index, digits.length, Buffer.from(random.pick(numbers)));
}

/** Repeats a word or a piece many times: finds what takes quadratic time. */
function repeat(random: Random, bytes: Buffer, words: readonly (string | Buffer)[]): Buffer {
  if (!random.once(4)) return bytes;
  const unit = random.once(2) ? Buffer.from(random.pick(words) as string) : piece(random, bytes, 12);
  if (unit.length === 0) return bytes;
  const many = Buffer.alloc(unit.length * Math.ceil(random.integer(1, mostBytes) / unit.length), unit);
  return replace(bytes, place(random, bytes), 0, many);
}
