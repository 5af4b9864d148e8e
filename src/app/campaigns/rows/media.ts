/** Media of a row, to show to people. Opens only files under the campaign's media root, and never fetches URLs. */
import { z } from 'zod';
import { type MediaColumn, mediaColumns, mediaOf } from '../../../importers/check/media-check.ts';
import type { Campaign } from '../../../ledger/campaigns/campaign.ts';
import { isUrl } from '../../../manifest/cells/media-source.ts';
import { UseCaseError } from '../../../manifest/problems/use-case-error.ts';
import { MediaError } from '../../../service/media/errors.ts';
import { type OpenMedium, openShown } from '../../../service/media/source.ts';
import type { Document } from '../../runtime/documents.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { type AskedMedium, findRowMedium, shownOrRefused } from './pictures.ts';

export const mediumSchema = z
  .strictObject({
    column: z.enum(mediaColumns),
    /** Place among the media of its column, from 0. */
    index: z.int(),
    /** Path or URL, as written. */
    source: z.string(),
    kind: z.enum(['address', 'file', 'fault']),
    /** Of a file, detected from its first bytes. */
    contentType: z.string().nullable(),
    bytes: z.int().nullable(),
    /** Why a file cannot be shown. */
    fault: z.string().nullable(),
  })
  .meta({ id: 'Medium' });

export type ShownMedium = Document<typeof mediumSchema>;

type MediaRuntime = Pick<Runtime, 'ledger' | 'views'>;

/** All media of a row; none if this version cannot read the row. */
export async function listMedia(
  runtime: MediaRuntime,
  campaign: Campaign,
  row: number,
): Promise<readonly ShownMedium[]> {
  const media = await placed(runtime, campaign, row);
  return Promise.all(media.map(async (medium) => ({ ...medium, ...(await look(campaign, medium.source)) })));
}

/** A local image or video. @throws {UseCaseError} `campaign_not_found`, `row_not_found`, `media_not_shown`. */
export async function openRowMedium(
  runtime: MediaRuntime,
  id: string,
  key: string,
  asked: AskedMedium,
): Promise<OpenMedium> {
  const { source, root } = await findRowMedium(runtime, id, key, asked);
  if (isUrl(source)) throw new UseCaseError('media_not_shown', 'the row has no such file');
  return shownOrRefused(() => openShown(source, root));
}

async function placed({ views }: MediaRuntime, campaign: Campaign, row: number) {
  const view = await views.open(campaign.id, campaign.sheetVersion);
  const spec = await view?.uncachedRow(row);
  const counts = new Map<MediaColumn, number>();
  return (spec ? mediaOf(spec) : []).map(({ column, source }) => {
    const index = counts.get(column) ?? 0;
    counts.set(column, index + 1);
    return { column, index, source };
  });
}

async function look({ mediaRoot }: Campaign, source: string) {
  const nothing = { contentType: null, bytes: null, fault: null };
  if (isUrl(source)) return { ...nothing, kind: 'address' as const };
  try {
    const { contentType, bytes, close } = await openShown(source, mediaRoot);
    await close();
    return { ...nothing, kind: 'file' as const, contentType, bytes };
  } catch (error) {
    if (error instanceof MediaError) return { ...nothing, kind: 'fault' as const, fault: error.message };
    throw error;
  }
}
