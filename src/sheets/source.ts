/** Where the bytes of a manifest come from. */
import { open } from 'node:fs/promises';

export interface ManifestSource {
  /** What messages call it. */
  readonly name: string;
  /** Where it is, for formats that are not read from their start to their end. */
  readonly path?: string | undefined;
  /**
   * The pieces of the file, from its start at every call; each piece may be overwritten once the one after it has been dealt with.
   */
  bytes(): AsyncIterable<Uint8Array>;
}

const pieceBytes = 64 * 1024;

/** A file. @param name what messages call it. */
export function fileSource(path: string, name = path): ManifestSource {
  return { name, path, bytes: () => readPieces(path) };
}

/** Three buffers take turns, one of them being filled ahead: a stream would make a new one for every piece. */
async function* readPieces(path: string): AsyncGenerator<Buffer> {
  await using file = await open(path);
  const buffers = Array.from({ length: 3 }, () => Buffer.allocUnsafeSlow(pieceBytes));
  const read = (turn: number) => file.read(buffers[turn % 3] as Buffer, 0, pieceBytes, null);
  let next = read(0);
  for (let turn = 1; ; turn += 1) {
    const { bytesRead, buffer } = await next;
    if (bytesRead === 0) return;
    next = read(turn);
    // Whether it fails is looked at in its turn, if that ever comes.
    next.catch(() => undefined);
    yield buffer.subarray(0, bytesRead);
  }
}
