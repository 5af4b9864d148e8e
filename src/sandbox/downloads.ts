/** Public downloads: uploaded files, generated media, product images, sample videos. */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { crc32, deflateSync } from 'node:zlib';
import { type CreateAiGenerationSchedule, completedStatus } from '../service/contract/generation.ts';
import { type Answer, content, Refusal } from './http.ts';
import { taskStatus } from './operations/generations.ts';
import type { Parts } from './parts.ts';
import { contractHash } from './storage.ts';

/** Pixels of the longer side of a generated image: large enough to look at, small enough to draw in milliseconds. */
const imageSide = 320;
const largeImageSides: Readonly<Record<string, number>> = {
  'nano-banana-2-2k': 1280,
  'nano-banana-2-4k': 1920,
};
/** Pixels of the shorter side at least. */
const leastSide = 16;

/** The other files of a generation, by the ends of their URLs. Each is the same for all generations. */
const otherAssets: ReadonlyMap<string, string> = new Map([
  ['cover.png', 'its cover'],
  ['thumbnail.png', 'its thumbnail'],
  ['other.png', 'the file of another URL'],
  ['other.mp4', 'the file of another URL'],
]);

const shapes = ['portrait', 'landscape', 'square'] as const;
type Shape = (typeof shapes)[number];

const videos = new Map<Shape, Promise<Buffer>>();

/** Answers a path that begins with `/files/` or `/assets/`. @throws {Refusal} 404 */
export async function download(path: string, now: number, parts: Parts): Promise<Answer> {
  const [, folder, id = '', name = ''] = path.split('/');
  if (folder === 'files') return uploaded(Number(id), parts);
  if (id === 'product') return png(drawPng(name, 320, 320));
  if (id === 'sample') return sample(name);
  const [, position, form = ''] = /^(\d{1,9})\.([a-z0-9.]{1,20})$/.exec(name) ?? [];
  return generated(id, Number(position), form, now, parts);
}

async function uploaded(fileId: number, { store, storage }: Parts): Promise<Answer> {
  const file = store.files.get(fileId);
  if (!file || file.state === 'registered') throw missing();
  return content(file.contentType, await storage.read(fileId));
}

/** A sample video, for manifests that take media from a URL: `/assets/sample/portrait.mp4`. */
async function sample(name: string): Promise<Answer> {
  const shape = shapes.find((one) => name === `${one}.mp4`);
  if (!shape) throw missing();
  return mp4(await read(shape));
}

async function generated(
  scheduleId: string,
  position: number,
  form: string,
  now: number,
  { store, speed, wrongAssets }: Parts,
): Promise<Answer> {
  const schedule = store.generations.get(scheduleId);
  const task = schedule?.tasks[position];
  if (!schedule || !task) throw missing();
  if (taskStatus(schedule, task, now, speed) !== completedStatus) throw missing();
  const seed = `${scheduleId}/${position}`;
  const [width, height] = dimensions(schedule.request);
  const isVideo = schedule.request.type === 'VIDEO_GENERATION';
  if (form !== (isVideo ? 'mp4' : 'png')) return other(form, wrongAssets);
  return isVideo ? mp4(await video(width, height, seed)) : png(drawPng(seed, width, height));
}

/** A file of a generation that is not its result, and says so. Its hash is noted. */
async function other(form: string, wrongAssets: Map<string, string>): Promise<Answer> {
  const kind = otherAssets.get(form);
  if (kind === undefined) throw missing();
  const mark = `wrong asset: ${kind}`;
  const isVideo = form.endsWith('mp4');
  const bytes = isVideo ? await video(1, 1, mark) : drawPng(mark, 320, 320);
  wrongAssets.set(contractHash(bytes), kind);
  return isVideo ? mp4(bytes) : png(bytes);
}

/** The sample video of the nearest shape, made unique by a box that players skip. */
async function video(width: number, height: number, seed: string): Promise<Buffer> {
  const shape = width === height ? 'square' : width > height ? 'landscape' : 'portrait';
  return Buffer.concat([await read(shape), freeBox(seed)]);
}

function read(shape: Shape): Promise<Buffer> {
  const bytes = videos.get(shape) ?? readFile(new URL(`./assets/${shape}.mp4`, import.meta.url));
  videos.set(shape, bytes);
  return bytes;
}

function missing(): Refusal {
  return new Refusal(404, 'there is nothing here');
}

const mp4 = (bytes: Buffer) => content('video/mp4', bytes);
const png = (bytes: Buffer) => content('image/png', bytes);

/** Width and height in pixels, in the ratio of the request. */
function dimensions(request: CreateAiGenerationSchedule): readonly [number, number] {
  const text = request.type === 'IMAGE_GENERATION' ? request.params.aspectRatio : request.params.size;
  const [width = 1, height = 1] = text.split(/[:x]/).map(Number);
  const scale = (largeImageSides[request.params.model] ?? imageSide) / Math.max(width, height);
  return [Math.max(leastSide, Math.round(width * scale)), Math.max(leastSide, Math.round(height * scale))];
}

/** A `free` box of the MP4 format: four bytes of length, its name, any content. */
function freeBox(text: string): Buffer {
  const content = Buffer.from(text);
  const head = Buffer.alloc(8);
  head.writeUInt32BE(head.length + content.length, 0);
  head.write('free', 4, 'latin1');
  return Buffer.concat([head, content]);
}

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

/** Rows of RGB, each after its filter byte (none): a sun over two hills. Its colors and places are of the seed. */
function drawRows(seed: string, width: number, height: number): Buffer {
  const digest = createHash('sha256').update(seed).digest();
  const part = (index: number) => digest.readUInt8(index) / 255;
  const channels = [0, 1, 2];
  const sky = channels.map((each) => 40 + 25 * each + 70 * part(each));
  const glow = channels.map((each) => 180 - 35 * each + 75 * part(each + 3));
  const sun = { x: width * (0.25 + part(6) / 2), y: height * (0.3 + part(7) / 4), radius: width / 7 };
  const hill = (x: number, turn: number) =>
    height * (0.72 + turn / 8 + Math.sin(x / width / 0.2 + part(8) * 6 + turn * 4) / 16);
  const columns = Array.from({ length: width }, (_, x) => ({ far: hill(x, 0), near: hill(x, 1) }));
  const rows = Buffer.alloc(height * (1 + width * 3));
  let position = 0;
  for (let y = 0; y < height; y += 1) {
    const light = channels.map(
      (each) => (sky[each] ?? 0) + ((glow[each] ?? 0) - (sky[each] ?? 0)) * (y / height),
    );
    position += 1;
    for (const [x, { far, near }] of columns.entries()) {
      const isSun = y < far && Math.hypot(x - sun.x, y - sun.y) < sun.radius;
      const shade = y > near ? 0.35 : y > far ? 0.6 : 1;
      for (const each of channels) {
        rows[position] = isSun ? 200 + (glow[each] ?? 0) / 5 : (light[each] ?? 0) * shade;
        position += 1;
      }
    }
  }
  return rows;
}
