/** Generated assets of a row, as JSON: a list of URLs. One with a thumbnail is a pair: its own URL, and that of the thumbnail. */
import { z } from 'zod';
import { readStored } from '../stored-json.ts';

const stored = z.array(z.union([z.string(), z.tuple([z.string(), z.string()])]));

export interface Assets {
  /** URLs, in order. */
  readonly assets: readonly string[];
  /** URLs of their thumbnails, by the same index; undefined where the service names none. */
  readonly thumbnails: readonly (string | undefined)[];
}

export function packAssets({ assets, thumbnails }: Assets): string {
  return JSON.stringify(
    assets.map((url, index) => (thumbnails[index] === undefined ? url : [url, thumbnails[index]])),
  );
}

/** @returns undefined if there are none, or they cannot be read. */
export function readAssets(json: string | null | undefined): Assets | undefined {
  const read = readStored(stored, json ?? null);
  return (
    read && {
      assets: read.map((entry) => (typeof entry === 'string' ? entry : entry[0])),
      thumbnails: read.map((entry) => (typeof entry === 'string' ? undefined : entry[1])),
    }
  );
}
