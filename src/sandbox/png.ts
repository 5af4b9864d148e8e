/** Draws pictures in the PNG format: gradients whose colors depend on a seed. */
import { createHash } from 'node:crypto';
import { crc32, deflateSync } from 'node:zlib';

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

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

/** Rows of RGB, each after its filter byte (none). The gradient runs from the top left to the bottom right. */
function drawRows(seed: string, width: number, height: number): Buffer {
  const digest = createHash('sha256').update(seed).digest();
  const rows = Buffer.alloc(height * (1 + width * 3));
  let position = 0;
  for (let y = 0; y < height; y += 1) {
    position += 1;
    for (let x = 0; x < width; x += 1) {
      const slope = (x / width + y / height) / 2;
      for (let channel = 0; channel < 3; channel += 1) {
        const from = digest.readUInt8(channel);
        rows[position] = from + (digest.readUInt8(channel + 3) - from) * slope;
        position += 1;
      }
    }
  }
  return rows;
}
