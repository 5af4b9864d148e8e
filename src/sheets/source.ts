/** The source of a manifest's bytes. */
import { createReadStream } from 'node:fs';

export interface ManifestSource {
  /** Its name in messages. */
  readonly name: string;
  /** Needed for workbooks, which are not read from start to end. */
  readonly path?: string | undefined;
  /** Reads the file in chunks, from its start at every call. */
  bytes(): AsyncIterable<Buffer>;
}

/** @param name of the file in messages. */
export function fileSource(path: string, name = path): ManifestSource {
  return { name, path, bytes: () => createReadStream(path) };
}
