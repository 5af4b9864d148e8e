/** Packs an overview into bytes, so that it outlives its process. */
import { promisify } from 'node:util';
import { deserialize, serialize } from 'node:v8';
import { zstdCompress, zstdDecompress } from 'node:zlib';
import type { ListStamp } from '../../ledger/videos/overviews.ts';
import { VideoOrder } from './order.ts';
import type { Overview } from './read.ts';

const compress = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);

/** Version of the format. Other versions are not read. */
const version = 2;
/** Largest unpacked overview. A list of a million videos takes about 100 MB. */
const mostBytes = 256 * 1024 * 1024;

export interface StampedOverview {
  readonly overview: Overview;
  /** Stamp of the list when the reading began. */
  readonly stamp: ListStamp;
}

export async function packOverview({ overview, stamp }: StampedOverview): Promise<Buffer> {
  const { order, ...rest } = overview;
  return compress(serialize({ version, stamp, rest, order: order.pack() }));
}

/** @returns undefined for bytes that cannot be read. */
export async function unpackOverview(packed: Buffer): Promise<StampedOverview | undefined> {
  try {
    const bytes = await decompress(packed, { maxOutputLength: mostBytes });
    const found = deserialize(bytes) as {
      readonly version: number;
      readonly stamp: ListStamp;
      readonly rest: Omit<Overview, 'order'>;
      readonly order: ReturnType<VideoOrder['pack']>;
    };
    if (found.version !== version) return undefined;
    return { stamp: found.stamp, overview: { ...found.rest, order: VideoOrder.unpack(found.order) } };
  } catch {
    return undefined;
  }
}
