/** Small videos as files have them: the boxes of ISO/IEC 14496-12, without pictures. */

export function box(name: string, ...content: readonly Buffer[]): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(head.length + content.reduce((sum, { length }) => sum + length, 0), 0);
  head.write(name, 4, 'latin1');
  return Buffer.concat([head, ...content]);
}

export interface MovieFacts {
  readonly width?: number;
  readonly height?: number;
  readonly ms?: number;
  /** Four letters. */
  readonly codec?: string;
  /** Filmed sideways, with a matrix that turns it. */
  readonly isTurned?: boolean;
  /** Boxes of the headers beside those that every video has. */
  readonly more?: readonly Buffer[];
}

const upright = [1, 0, 0, 1];
const turned = [0, 1, -1, 0];

/** @param options.atEnd the headers stand behind the pictures, as cameras write them. */
export function movie(facts: MovieFacts = {}, { atEnd = false } = {}): Buffer {
  const brand = box('ftyp', Buffer.from('isom\0\0\0\0isommp42', 'latin1'));
  const parts = [header(facts), box('mdat', Buffer.alloc(1_000_000))];
  return Buffer.concat([brand, ...(atEnd ? parts.toReversed() : parts)]);
}

function header({
  width = 1080,
  height = 1920,
  ms = 19_000,
  codec = 'avc1',
  isTurned = false,
  more = [],
}: MovieFacts) {
  const matrix = words(
    ...(isTurned ? turned : upright).flatMap((one, at) => (at % 2 ? [one * 65_536, 0] : [one * 65_536])),
    0,
    0,
    1_073_741_824,
  );
  const times = [0, 0, 1000, ms];
  const movieHeader = movieBox(times, matrix);
  const trackHeader = box(
    'tkhd',
    words(7, 0, 0, 1, 0, ms, 0, 0, 0, 0),
    matrix,
    words(width * 65_536, height * 65_536),
  );
  const sizes = Buffer.alloc(78);
  sizes.writeUInt16BE(1, 6);
  sizes.writeUInt16BE(width, 24);
  sizes.writeUInt16BE(height, 26);
  const table = box(
    'stbl',
    box('stsd', words(0, 1), box(codec, sizes)),
    box('stts', words(0, 0)),
    box('stsc', words(0, 0)),
    box('stsz', words(0, 0, 0)),
    box('stco', words(0, 0)),
  );
  const references = box('dinf', box('dref', words(0, 1), box('url ', words(1))));
  const handler = box('hdlr', words(0, 0), Buffer.from('vide'), words(0, 0, 0), Buffer.from('\0'));
  const information = box('minf', box('vmhd', words(1, 0, 0)), references, table);
  const media = box('mdia', box('mdhd', words(0, ...times, 0x55c4_0000)), handler, information);
  return box('moov', movieHeader, box('trak', trackHeader, media), ...more);
}

function movieBox(times: readonly number[], matrix: Buffer): Buffer {
  return box('mvhd', words(0, ...times, 65_536, 0x0100_0000, 0, 0), matrix, words(0, 0, 0, 0, 0, 0, 2));
}

/** A video that was saved before anything was filmed. */
export function blankMovie(): Buffer {
  const brand = box('ftyp', Buffer.from('isom\0\0\0\0isommp42', 'latin1'));
  return Buffer.concat([brand, box('moov', movieBox([0, 0, 1000, 0], words(...Array(9).fill(0))))]);
}

function words(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4);
  for (const [index, value] of values.entries()) bytes.writeUInt32BE(value >>> 0, index * 4);
  return bytes;
}
