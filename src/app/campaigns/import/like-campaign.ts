/** Reads the next version of a campaign's sheet as the last one was read: the same worksheets, or separator and encoding, and line of headers. */
import type { ManifestFile } from '../../../importers/open/manifest-file.ts';
import type { Campaign } from '../../../ledger/campaigns/campaign.ts';
import { withRemembered } from '../../../manifest/headers/column-map.ts';
import { matchHeader } from '../../../manifest/headers/header.ts';
import { openSheet } from '../../../sheets/open-sheet.ts';
import { fileSource, type ManifestSource, type SheetOptions } from '../../../sheets/sheet.ts';
import { type CampaignRef, findCampaign } from '../find.ts';
import { findPlan } from '../results/own-sheet.ts';

/** @returns nothing if a person has chosen worksheets, separator or encoding. @throws {UseCaseError} `campaign_not_found`. */
export async function readingLike(
  runtime: Parameters<typeof findCampaign>[0] & Parameters<typeof findPlan>[0],
  into: CampaignRef,
  { path, file }: Pick<ManifestFile, 'path' | 'file'>,
  asked: SheetOptions,
): Promise<Partial<SheetOptions>> {
  if ((asked.sheets ?? asked.delimiter ?? asked.encoding) !== undefined) return {};
  return readingLikeCampaign(runtime, await findCampaign(runtime, into), fileSource(path, file), asked);
}

/** A wrong encoding shows within them. */
const mostRows = 10_000;

/**
 * @param options for a sheet of which nobody has chosen worksheets, separator or encoding.
 * @returns nothing if the sheet has more of what it needs with these options alone.
 */
export async function readingLikeCampaign(
  runtime: Parameters<typeof findPlan>[0],
  campaign: Campaign,
  source: ManifestSource,
  options: SheetOptions = {},
): Promise<Pick<SheetOptions, 'sheets' | 'delimiter' | 'encoding' | 'headerLine'>> {
  const kept = await findPlan(runtime, campaign);
  if (kept === undefined) return {};
  const { kind, sheets, delimiter, encoding } = kept;
  const map = withRemembered(options.map, campaign.map);
  const headerLine = options.headerLine === undefined ? kept.headerLine : undefined;
  // What is found in a file wins over its separator and encoding of before, but not over chosen worksheets.
  const likes =
    kind === 'csv' ? [{}, { delimiter, encoding }] : sheets === undefined ? [{}] : [{ sheets }, {}];
  let best: { readonly like: SheetOptions; readonly lacks: number } | undefined;
  const all = likes.flatMap((each) => (headerLine === undefined ? each : [{ ...each, headerLine }, each]));
  for (const like of all) {
    const lacks = await countLacking(source, { ...options, ...like, map });
    if (best === undefined || lacks < best.lacks) best = { like, lacks };
    if (lacks === 0) break;
  }
  return best?.like ?? {};
}

/** How many columns are missing; infinitely many if the sheet cannot be read so. */
async function countLacking(source: ManifestSource, { map, ...options }: SheetOptions): Promise<number> {
  try {
    const sheet = await openSheet(source, { ...options, map });
    try {
      let rows = 0;
      for await (const part of sheet.rows) {
        rows += part.length;
        if (rows > mostRows) break;
      }
    } finally {
      await sheet.close();
    }
    const { problems } = matchHeader(sheet.header.cells, { map });
    return problems.filter(({ code }) => code === 'missing_column').length;
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}
