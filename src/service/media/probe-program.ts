/** Reads the headers of one file after the other, in a thread. Asks for parts of a file as it needs them. */
import { once } from 'node:events';
import { parentPort } from 'node:worker_threads';
import { imageSize } from 'image-size';
import { createFile, type ISOFile, MP4BoxBuffer } from 'mp4box';
import type { MediaProbe, ProbeAnswer, ProbeRequest } from './probe.ts';

const partBytes = 256 * 1024;
/** Cameras put a small picture in front. */
const pictureBytes = 1024 * 1024;

const codecs: readonly (readonly [RegExp, string])[] = [
  [/^avc/, 'H.264'],
  [/^(?:hvc|hev|dvh)/, 'HEVC'],
  [/^vp0?9/, 'VP9'],
  [/^av01/, 'AV1'],
];

async function probeVideo({ head, size }: ProbeRequest): Promise<MediaProbe | undefined> {
  const file = createFile(false);
  file.onError = (_module, message) => {
    throw new Error(message);
  };
  for (let at = 0, part = head; part.length > 0; part = await read(at, Math.min(partBytes, size - at))) {
    const bytes = part.buffer.slice(part.byteOffset, part.byteOffset + part.length);
    // It skips boxes that it does not need, such as the pictures themselves.
    at = Math.max(at + part.length, file.appendBuffer(MP4BoxBuffer.fromArrayBuffer(bytes, at)));
    if (file.moov) return videoIn(file);
  }
  return undefined;
}

function videoIn(file: ISOFile): MediaProbe {
  const { videoTracks, isFragmented, duration, timescale, fragment_duration: fragments } = file.getInfo();
  const [track] = videoTracks;
  // Sound alone is no video either.
  if (track === undefined) return { durationMs: 0 };
  const { codec, matrix, track_width: width, track_height: height } = track;
  // A phone that is held upright films sideways, and says how to turn it.
  const isTurned = matrix[0] === 0 && matrix[4] === 0;
  const seconds = isFragmented ? fragments && fragments.num / fragments.den : duration / timescale;
  return {
    width: isTurned ? height : width,
    height: isTurned ? width : height,
    durationMs: Number.isFinite(seconds) ? Math.round(Number(seconds) * 1000) : undefined,
    codec: codecs.find(([form]) => form.test(codec))?.[1] ?? codec.slice(0, 4),
  };
}

async function probePicture({ head, size }: ProbeRequest): Promise<MediaProbe> {
  try {
    return sizeOf(head);
  } catch (error) {
    if (head.length === size) throw error;
    return sizeOf(await read(0, pictureBytes));
  }
}

function sizeOf(bytes: Uint8Array): MediaProbe {
  const { width, height } = imageSize(bytes);
  return { width, height };
}

function read(at: number, length: number): Promise<Uint8Array> {
  answer({ at, length });
  return receive();
}

async function receive<Message>(): Promise<Message> {
  const [message] = await once(parentPort as NonNullable<typeof parentPort>, 'message');
  return message as Message;
}

function answer(message: ProbeAnswer): void {
  parentPort?.postMessage(message);
}

// What libraries print is not for people, and would keep the process alive.
const silent = () => undefined;
Object.assign(globalThis.console, { log: silent, debug: silent, info: silent, warn: silent, error: silent });

for (;;) {
  const asked = await receive<ProbeRequest>();
  const found = asked.isVideo ? probeVideo(asked) : probePicture(asked);
  answer({ found: await found.catch(() => undefined) });
}
