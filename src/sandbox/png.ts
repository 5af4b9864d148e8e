/** Pictures made by hand: a gradient with a few discs on it, other for every seed, in the PNG format. */
import { createHash } from 'node:crypto';
import { crc32, deflateSync } from 'node:zlib';

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

interface Disc {
  readonly x: number;
  readonly y: number;
  readonly radius: number;
  readonly color: Color;
}

type Color = readonly [number, number, number];

/** Draws a picture. The same seed, width and height (pixels) give the same bytes. */
export function drawPng(seed: string, width: number, height: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  // 8 bits a channel, RGB.
  header.set([8, 2, 0, 0, 0], 8);
  const pixels = deflateSync(drawRows(seed, width, height), { level: 3 });
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('tEXt', Buffer.from(`Comment\0${seed}`, 'latin1')),
    chunk('IDAT', pixels),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(data.length, 0);
  frame.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
}

/** Rows of RGB, each with its filter byte (none) before it. */
function drawRows(seed: string, width: number, height: number): Buffer {
  const digest = createHash('sha256').update(seed).digest();
  const [top, bottom] = [colorAt(digest, 0), colorAt(digest, 3)];
  const discs = [0, 1, 2].map((index) => discAt(digest, 6 + index * 6, Math.min(width, height)));
  const rows = Buffer.alloc(height * (1 + width * 3));
  let position = 0;
  for (let y = 0; y < height; y += 1) {
    position += 1;
    for (let x = 0; x < width; x += 1) {
      const slope = (x / width + y / height) / 2;
      const disc = discs.find((one) => isInside(one, x, y, width, height));
      for (let channel = 0; channel < 3; channel += 1) {
        const from = top[channel] ?? 0;
        const ground = from + ((bottom[channel] ?? 0) - from) * slope;
        rows[position] = disc ? (ground + (disc.color[channel] ?? 0)) / 2 : ground;
        position += 1;
      }
    }
  }
  return rows;
}

function colorAt(digest: Buffer, offset: number): Color {
  return [digest.readUInt8(offset), digest.readUInt8(offset + 1), digest.readUInt8(offset + 2)];
}

function discAt(digest: Buffer, offset: number, side: number): Disc {
  return {
    x: digest.readUInt8(offset) / 255,
    y: digest.readUInt8(offset + 1) / 255,
    radius: side * (0.1 + digest.readUInt8(offset + 2) / 1000),
    color: colorAt(digest, offset + 3),
  };
}

function isInside(disc: Disc, x: number, y: number, width: number, height: number): boolean {
  return (x - disc.x * width) ** 2 + (y - disc.y * height) ** 2 < disc.radius ** 2;
}
