/** Where the bytes of a manifest come from. */
import { createReadStream } from 'node:fs';

export interface ManifestSource {
  /** What messages call it. */
  readonly name: string;
  /** Where it is, for formats that are not read from their start to their end. */
  readonly path?: string | undefined;
  /** The pieces of the file, from its start at every call. */
  bytes(): AsyncIterable<Buffer>;
}

/** A file. @param name what messages call it. */
export function fileSource(path: string, name = path): ManifestSource {
  return { name, path, bytes: () => createReadStream(path) };
}
