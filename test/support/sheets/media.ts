/** Small valid media; every seed makes different bytes. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { drawPng } from '../../../src/sandbox/downloads.ts';

/**
 * A file that begins like an MP4 and holds the seed in a box that players skip.
 * @param padding more bytes, to make it larger.
 */
export function mp4(seed: string, padding = 0): Buffer {
  const brand = Buffer.concat([box('ftyp', Buffer.from('isom\0\0\0\0isommp42', 'latin1'))]);
  return Buffer.concat([brand, box('free', Buffer.concat([Buffer.from(seed), Buffer.alloc(padding)]))]);
}

export function png(seed: string): Buffer {
  return drawPng(seed, 16, 16);
}

/** Writes media into a folder, of the type of their file extensions; each name is its own seed. */
export function writeMedia(folder: string, names: readonly string[]): void {
  for (const name of names) {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, name.endsWith('.mp4') ? mp4(name) : png(name));
  }
}

function box(name: string, content: Buffer): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(head.length + content.length, 0);
  head.write(name, 4, 'latin1');
  return Buffer.concat([head, content]);
}
