/** Public downloads: uploaded files, generated media, product images, sample videos. */
import { readFile } from 'node:fs/promises';
import { type CreateAiGenerationSchedule, completedStatus } from '../api/contract/generation.ts';
import type { Clock } from './clocks/clock.ts';
import { taskStatus } from './clocks/generation-clock.ts';
import { type Answer, Refusal } from './http/answer.ts';
import { drawPng } from './png.ts';
import { contractHash } from './storage.ts';
import type { Store } from './store/store.ts';

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

/** The shapes of the sample videos. */
const shapes = ['portrait', 'landscape', 'square'] as const;
type Shape = (typeof shapes)[number];

export class Downloads {
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #speed: number;
  readonly #wrongAssets: Map<string, string>;
  readonly #videos = new Map<Shape, Promise<Buffer>>();

  /** @param wrongAssets takes note of the files that are no results, by their hashes. */
  constructor(store: Store, clock: Clock, speed: number, wrongAssets: Map<string, string>) {
    this.#store = store;
    this.#clock = clock;
    this.#speed = speed;
    this.#wrongAssets = wrongAssets;
  }

  /** Answers a path that begins with `/files/` or `/assets/`. @throws {Refusal} 404 */
  async get(path: string): Promise<Answer> {
    const [, folder, id = '', name = ''] = path.split('/');
    if (folder === 'files') return this.#file(Number(id));
    if (id === 'product') return png(drawPng(name, 320, 320));
    if (id === 'sample') return this.#sample(name);
    const [, position, form = ''] = /^(\d{1,9})\.([a-z0-9.]{1,20})$/.exec(name) ?? [];
    return this.#generated(id, Number(position), form);
  }

  async #file(fileId: number): Promise<Answer> {
    const file = this.#store.files.find(fileId);
    const content = file && this.#store.files.content(fileId);
    if (!content) throw missing();
    const body = 'path' in content ? await readFile(content.path) : Buffer.from(content.bytes);
    return { status: 200, headers: { 'content-type': file.contentType }, body };
  }

  /** A sample video, for manifests that take media from a URL: `/assets/sample/portrait.mp4`. */
  async #sample(name: string): Promise<Answer> {
    const shape = shapes.find((one) => name === `${one}.mp4`);
    if (!shape) throw missing();
    return mp4(await this.#read(shape));
  }

  async #generated(scheduleId: string, position: number, form: string): Promise<Answer> {
    const schedule = this.#store.generations.find(scheduleId);
    const task = this.#store.generations.tasks(scheduleId)[position];
    if (!schedule || !task) throw missing();
    if (taskStatus(schedule, task, this.#clock.now(), this.#speed) !== completedStatus) throw missing();
    const seed = `${scheduleId}/${position}`;
    const [width, height] = dimensions(schedule.request);
    const isVideo = schedule.request.type === 'VIDEO_GENERATION';
    if (form !== (isVideo ? 'mp4' : 'png')) return this.#other(form);
    return isVideo ? mp4(await this.#video(width, height, seed)) : png(drawPng(seed, width, height));
  }

  /** A file of a generation that is not its result, and says so. */
  async #other(form: string): Promise<Answer> {
    const kind = otherAssets.get(form);
    if (kind === undefined) throw missing();
    const mark = `wrong asset: ${kind}`;
    const isVideo = form.endsWith('mp4');
    const bytes = isVideo ? await this.#video(1, 1, mark) : drawPng(mark, 320, 320);
    this.#wrongAssets.set(contractHash(bytes), kind);
    return isVideo ? mp4(bytes) : png(bytes);
  }

  /** The sample video of the nearest shape, made unique by a box that players skip. */
  async #video(width: number, height: number, seed: string): Promise<Buffer> {
    const shape = width === height ? 'square' : width > height ? 'landscape' : 'portrait';
    return Buffer.concat([await this.#read(shape), freeBox(seed)]);
  }

  #read(shape: Shape): Promise<Buffer> {
    let video = this.#videos.get(shape);
    if (!video) {
      video = readFile(new URL(`./assets/${shape}.mp4`, import.meta.url));
      this.#videos.set(shape, video);
    }
    return video;
  }
}

function missing(): Refusal {
  return new Refusal(404, 'there is nothing here');
}

function mp4(body: Buffer): Answer {
  return { status: 200, headers: { 'content-type': 'video/mp4' }, body };
}

function png(body: Buffer): Answer {
  return { status: 200, headers: { 'content-type': 'image/png' }, body };
}

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
