/**
 * Samples of a video's public counters, packed into chunks.
 *
 * A chunk is one byte with the number of its samples, then one record for each: a byte of marks, the time and the counters as
 * differences from the record before, and the caption where it changed. The first record of a chunk is complete, so that a chunk can
 * be read, and dropped, by itself. A nightly record takes about a dozen bytes.
 */
import { type Amount, ByteReader, ByteWriter, minus, plus } from './amount.ts';

/** The public counters, in the order in which they are stored. */
export const counters = ['play', 'digg', 'comment', 'share', 'collect'] as const;

/** A counter that the service did not give is undefined. */
export type Counts = readonly (Amount | undefined)[];

/** Counters of a video at one time. */
export interface Snapshot {
  /** Unix epoch, seconds. */
  readonly at: number;
  readonly counts: Counts;
}

export interface Sample extends Snapshot {
  readonly caption: string;
  /** Whether each counter is lower than before. */
  readonly fell: readonly boolean[];
}

/** Chunks of a history by their start (Unix epoch, seconds), oldest first. */
export type Chunks = ReadonlyMap<number, Buffer>;

/** With more samples, each append would take longer; with fewer, there would be more chunks. */
export const samplesPerChunk = 32;
const nightSeconds = 86_400;
const hasCaption = 0x20;
const hasFallen = 0x40;

/** The base of the next record. */
export interface Previous {
  readonly at: number;
  /** The last known value of each counter; 0 if there never was one. */
  readonly known: readonly Amount[];
  readonly caption: string;
}

/** Shared by all samples without a fallen counter. */
export const nothingFell: readonly boolean[] = counters.map(() => false);

export const noneKnown: readonly Amount[] = counters.map(() => 0);

/** The last known value of each counter after a sample. */
export function knownAfter(known: readonly Amount[], counts: Counts): readonly Amount[] {
  return known.map((count, index) => counts[index] ?? count);
}

/**
 * Packs one record.
 * @param isFirst whether it is the first of its chunk, and so complete, with the last known values of missing counters.
 */
export function packSample(sample: Sample, previous: Previous, isFirst: boolean): Buffer {
  const writer = new ByteWriter();
  const { at, counts, caption, fell } = sample;
  const withCaption = caption !== (isFirst ? '' : previous.caption);
  const fallen = fell === nothingFell ? 0 : bitsOf(fell);
  writer.byte(presenceOf(counts) | (withCaption ? hasCaption : 0) | (fallen > 0 ? hasFallen : 0));
  if (fallen > 0) writer.byte(fallen);
  writer.signed(isFirst ? at : at - previous.at - nightSeconds);
  for (let counter = 0; counter < counters.length; counter += 1) {
    const count = counts[counter];
    const before = previous.known[counter] ?? 0;
    if (isFirst) writer.signed(count ?? before);
    else if (count !== undefined) writer.signed(minus(count, before));
  }
  if (withCaption) writer.text(caption);
  return writer.finish();
}

/** Packs a whole chunk. At most 255 samples. */
export function packChunk(samples: readonly Sample[]): Buffer {
  const pieces: Buffer[] = [Buffer.of(samples.length)];
  let previous: Previous = { at: 0, known: noneKnown, caption: '' };
  for (const [index, sample] of samples.entries()) {
    pieces.push(packSample(sample, previous, index === 0));
    const { at, caption, counts } = sample;
    previous = { at, caption, known: knownAfter(previous.known, counts) };
  }
  return Buffer.concat(pieces);
}

/** Reads the records of a chunk in order. */
export function* readChunk(chunk: Buffer): Generator<Sample> {
  const reader = new ByteReader(chunk, 1);
  let at = 0;
  let caption = '';
  const known: Amount[] = counters.map(() => 0);
  for (let isFirst = true; !reader.isAtEnd; isFirst = false) {
    const marks = reader.byte();
    const fallen = (marks & hasFallen) > 0 ? reader.byte() : 0;
    const time = Number(reader.signed());
    at = isFirst ? time : at + time + nightSeconds;
    const counts: (Amount | undefined)[] = [];
    for (let counter = 0; counter < counters.length; counter += 1) {
      const isPresent = (marks & (1 << counter)) > 0;
      if (isPresent || isFirst) known[counter] = plus(known[counter] ?? 0, reader.signed());
      counts.push(isPresent ? known[counter] : undefined);
    }
    if ((marks & hasCaption) > 0) caption = reader.text();
    const fell = fallen === 0 ? nothingFell : counters.map((_name, counter) => (fallen & (1 << counter)) > 0);
    yield { at, counts, caption, fell };
  }
}

/** A bit for each counter that the service gave. */
export function presenceOf(counts: Counts): number {
  let bits = 0;
  for (let counter = 0; counter < counters.length; counter += 1)
    if (counts[counter] !== undefined) bits |= 1 << counter;
  return bits;
}

function bitsOf(marks: readonly boolean[]): number {
  return marks.reduce((bits, mark, index) => (mark ? bits | (1 << index) : bits), 0);
}
