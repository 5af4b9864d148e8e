/**
 * Undoes the `content-encoding` of an answer. The client asks for none (`accept-encoding: identity`), but a proxy may not heed that, and
 * an answer that nobody can read is an unknown outcome.
 */
import {
  brotliDecompressSync,
  gunzipSync,
  inflateRawSync,
  inflateSync,
  type ZlibOptions,
  zstdDecompressSync,
} from 'node:zlib';
import type { HttpAnswer } from './exchange.ts';

type Decoder = (body: Buffer, options: ZlibOptions) => Buffer;

const decoders: ReadonlyMap<string, Decoder> = new Map<string, Decoder>([
  ['gzip', gunzipSync],
  ['x-gzip', gunzipSync],
  ['deflate', inflateEither],
  ['br', (body, { maxOutputLength }) => brotliDecompressSync(body, { maxOutputLength })],
  ['zstd', (body, { maxOutputLength }) => zstdDecompressSync(body, { maxOutputLength })],
]);

/** A proxy may add one to that of the service. A header has room for thousands, and each can take 4 MB to undo. */
const mostEncodings = 3;

/** @param maxBytes largest body when decoded. */
export function decodeAnswer(answer: HttpAnswer, maxBytes: number): HttpAnswer {
  const names = encodingsOf(answer);
  if (names.length === 0) return answer;
  const nothing = Buffer.alloc(0);
  // Half of an encoded body says nothing.
  if (answer.broken) return { ...answer, body: nothing };
  if (names.length > mostEncodings) return { ...answer, body: nothing, broken: 'unknown encoding' };
  let { body } = answer;
  try {
    // The last encoding was applied last.
    for (const name of names.reverse()) {
      const decode = decoders.get(name);
      if (!decode) return { ...answer, body: nothing, broken: 'unknown encoding' };
      body = body.length === 0 ? body : decode(body, { maxOutputLength: maxBytes });
    }
    return { ...answer, body };
  } catch (error) {
    const isLarge = error instanceof RangeError;
    return { ...answer, body: nothing, broken: isLarge ? 'too large' : 'unknown encoding' };
  }
}

function encodingsOf({ headers }: HttpAnswer): string[] {
  return String(headers['content-encoding'] ?? '')
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && name !== 'identity');
}

/** Some servers leave out the zlib header. */
function inflateEither(body: Buffer, options: ZlibOptions): Buffer {
  const hasHeader = ((body[0] ?? 0) & 0x0f) === 8 && body.readUInt16BE(0) % 31 === 0;
  return hasHeader ? inflateSync(body, options) : inflateRawSync(body, options);
}
