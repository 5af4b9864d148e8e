/** A checked row as plain values, and the coordinates of rows. One row is one post. */
import type { ImageModel, VideoModel } from '../service/contract/generation.ts';
import type { MediaType } from '../service/contract/posts.ts';
import type { ApproveRule } from './campaign-options.ts';

/**
 * Place of a row in its campaign, from 0. An index does not pass for a number, nor the other way round; a plain number, as a literal or a
 * result of a calculation, passes for both. The line of a row in its file is a third coordinate (`line`).
 */
export type RowIndex = number & { readonly coordinate?: 'RowIndex' };
/** A row's number as people see it, from 1. */
export type RowNumber = number & { readonly coordinate?: 'RowNumber' };

export function rowNumber(index: RowIndex): RowNumber {
  return index + 1;
}

/** A row of a known campaign, in one of its revisions. */
export interface RowVersion {
  readonly row: RowIndex;
  /** 0 to 255, then 0 again: only equality counts. */
  readonly revision: number;
}

/** A row in one of its revisions, from its jobs to the ledger. */
export interface RowRef extends RowVersion {
  readonly campaign: string;
}

export interface Row {
  /** Unique in the campaign; else the row number as text. */
  readonly key: string;
  /** Username without `@`, `creatorId` or account id. */
  readonly creator: string;
  readonly mediaType: MediaType;
  /** Paths (relative to the media root) or http(s) URLs in display order; empty if the media is generated. */
  readonly media: readonly string[];
  readonly caption: string;
  readonly product: ProductAnchor;
  /** Whether to add the product to the creator's showcase before the post. */
  readonly showcase: boolean;
  readonly schedule?: Schedule | undefined;
  /** How long before its time the service gets it, in milliseconds; `null`: at once; undefined: as its campaign. */
  readonly lead?: number | null | undefined;
  /** Whether it waits for an approval; undefined: as its campaign. */
  readonly approve?: ApproveRule | undefined;
  readonly oauthRegion?: string | undefined;
  /** Only of videos; undefined: not sent. */
  readonly isAiGenerated?: boolean | undefined;
  readonly preCheck?: boolean | undefined;
  /** Seconds. */
  readonly preCheckOvertime?: number | undefined;
  readonly music?: Music | undefined;
  readonly cover?: Cover | undefined;
  readonly generation?: Generation | undefined;
}

interface ProductAnchor {
  readonly id: string;
  readonly title: string;
  readonly source: 'SHOP' | 'SHOWCASE';
  /** URL for adding the product to the showcase, instead of its id. */
  readonly link?: string | undefined;
}

interface Schedule {
  /** Unix epoch, milliseconds. */
  readonly at: number;
  /** IANA zone name of the row or the settings. */
  readonly tz?: string | undefined;
}

interface Music {
  readonly id: string;
  readonly title?: string | undefined;
  readonly author?: string | undefined;
  readonly duration?: string | undefined;
}

/** For videos only. */
export type Cover =
  | { readonly kind: 'frame'; readonly timestampMs: number }
  | { readonly kind: 'file'; readonly source: string }
  | { readonly kind: 'uploaded'; readonly fileId: string; readonly uri: string };

interface GenerationBase {
  readonly prompt: string;
  /** Paths or URLs in order. Local files are uploaded first. */
  readonly references: readonly string[];
  /** Outputs to make: 1 to 15 images, or 1 video. */
  readonly count: number;
  /** Unix epoch, milliseconds. */
  readonly execAt?: number | undefined;
  readonly promptId?: string | undefined;
  readonly name?: string | undefined;
  readonly businessId?: string | undefined;
  readonly businessType?: 'MERCHANT_SKU' | 'AI_PURCHASE_TASK' | undefined;
}

export type Generation =
  | (GenerationBase & {
      readonly type: 'IMAGE_GENERATION';
      readonly model: ImageModel;
      readonly aspectRatio: string;
    })
  | (GenerationBase & {
      readonly type: 'VIDEO_GENERATION';
      readonly model: VideoModel;
      readonly seconds: number;
      readonly size: string;
      readonly watermark?: boolean | undefined;
    });
