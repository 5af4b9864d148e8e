/**
 * The steps that each row of a sheet needs, and its scheduled time: read once, chunk by chunk, and cached in a few bytes a row.
 */
import { LRUCache } from 'lru-cache';
import type { Campaign } from '../../../ledger/campaigns/campaign.ts';
import type { Ledger } from '../../../ledger/ledger.ts';
import { isUrl } from '../../../manifest/cells/media-source.ts';
import { createImportedRowReader } from '../../../manifest/reader.ts';
import type { Row } from '../../../manifest/row.ts';
import type { NeedsOfRow } from '../../../manifest/steps.ts';

/** Needs of a row in one byte: showcase, generation, a cover to upload, then how many files its post takes, and whether its job uploads it. */
const showcaseBit = 1;
const generationBit = 2;
const coverBit = 4;
const filesShift = 3;
const mostFiles = 15;
const postUploadsBit = 128;
/** Values of needs are below this. */
export const needsEnd = 256;

export interface SheetNeeds {
  /** Needs of each row, as `needsOf` reads them. */
  readonly rows: Uint8Array;
  /** Scheduled time of each row: Unix epoch, milliseconds; NaN for a row without a time. */
  readonly scheduledAt: Float64Array;
}

export function needsOf(byte: number): NeedsOfRow {
  return {
    showcase: (byte & showcaseBit) !== 0,
    generation: (byte & generationBit) !== 0,
    cover: (byte & coverBit) !== 0,
    files: (byte >> filesShift) & mostFiles,
    postUploads: (byte & postUploadsBit) !== 0,
  };
}

export function needsOfRow({ showcase, generation, cover, media }: Row): NeedsOfRow {
  const [first] = media;
  const hasCover = cover?.kind === 'file';
  const isAlone = media.length === 1 && !hasCover && generation === undefined;
  return {
    showcase,
    generation: generation !== undefined,
    postUploads: isAlone && first !== undefined && !isUrl(first),
    cover: hasCover,
    files: Math.min(mostFiles, generation?.count ?? media.length),
  };
}

function byteOf({ showcase, generation, cover, files, postUploads }: NeedsOfRow): number {
  return (
    (showcase ? showcaseBit : 0) |
    (generation ? generationBit : 0) |
    (cover ? coverBit : 0) |
    (postUploads ? postUploadsBit : 0) |
    (files << filesShift)
  );
}

/** About a million rows at nine bytes. */
const mostBytes = 10 * 1024 * 1024;
const bytesARow = 9;
/** A page waits for sheets up to this size; larger ones are read in the background. */
const rowsAtOnce = 5000;

type CachedNeeds = {
  readonly rows: number;
  readonly reading: Promise<SheetNeeds>;
  read: SheetNeeds | undefined;
};

export class RowNeeds {
  readonly #ledger: Ledger;
  readonly #sheets = new LRUCache<string, CachedNeeds>({
    maxSize: mostBytes,
    sizeCalculation: ({ rows }) => Math.min(mostBytes, rows * bytesARow + 1),
  });

  constructor(ledger: Ledger) {
    this.#ledger = ledger;
  }

  /** @returns undefined while a large sheet is being read: ask again. */
  async of(campaign: Campaign): Promise<SheetNeeds | undefined> {
    const key = `${campaign.sheetVersion} ${campaign.rows}`;
    let kept = this.#sheets.get(key);
    if (kept === undefined) {
      const begun: CachedNeeds = { rows: campaign.rows, reading: this.#read(campaign), read: undefined };
      begun.reading.then(
        (needs) => {
          begun.read = needs;
        },
        () => this.#sheets.delete(key),
      );
      this.#sheets.set(key, begun);
      kept = begun;
    }
    return kept.read ?? (campaign.rows <= rowsAtOnce ? kept.reading : undefined);
  }

  async #read(campaign: Campaign): Promise<SheetNeeds> {
    const reader = createImportedRowReader(campaign);
    const rows = new Uint8Array(campaign.rows);
    const scheduledAt = new Float64Array(campaign.rows).fill(Number.NaN);
    for await (const part of this.#ledger.store.all(campaign)) {
      for (const [position, stored] of part) {
        const row = reader.row(stored);
        if (row === undefined) continue;
        rows[position] = byteOf(needsOfRow(row));
        scheduledAt[position] = row.schedule?.at ?? Number.NaN;
      }
    }
    return { rows, scheduledAt };
  }
}
