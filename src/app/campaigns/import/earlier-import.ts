/** Was this sheet imported before? Finds the earlier import, and says whether a new import of the same bytes goes on with it. */

import { checkSheet } from '../../../importers/check/check-sheet.ts';
import { findDigest, findMediaRoot, type ManifestFile } from '../../../importers/open/manifest-file.ts';
import type { Campaign, CampaignState } from '../../../ledger/campaigns/campaign.ts';
import { foldHeader } from '../../../manifest/columns.ts';
import type { ColumnMap } from '../../../manifest/headers/column-map.ts';
import { type FixPart, hint } from '../../../manifest/problems/hint.ts';
import { UseCaseError } from '../../../manifest/problems/use-case-error.ts';
import { plural } from '../../../manifest/wording.ts';
import { fileSource } from '../../../sheets/sheet.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { refuseUnreadable } from '../find.ts';
import { rowsAnew } from '../progress/notes.ts';
import { checkRules, type ReadingOptions } from './check.ts';

export type EarlierImport =
  | { readonly kind: 'campaign'; readonly campaign: Campaign }
  /** A deleted campaign whose rows were, or may have been, posted. */
  | { readonly kind: 'deleted'; readonly id: string };

/** Options of an import that an earlier one of the same manifest may have been given differently. */
interface GivenOptions extends ReadingOptions {
  readonly name?: string | undefined;
}

/** An unfinished campaign of the same manifest. */
export interface KnownCampaign {
  readonly kind: 'known';
  readonly campaign: Campaign;
  /** Options that it keeps although other values are given now. */
  readonly kept: readonly string[];
}

/** @param sha256 digest of a manifest, from a check. */
export async function findEarlierImport(
  { ledger }: Pick<Runtime, 'ledger'>,
  sha256: string,
): Promise<EarlierImport | undefined> {
  const campaign = await ledger.campaigns.findByManifest(sha256).catch(refuseUnreadable);
  if (campaign) return { kind: 'campaign', campaign };
  const id = await ledger.campaigns.findDeleted(sha256);
  return id === undefined ? undefined : { kind: 'deleted', id };
}

export function earlierId(earlier: EarlierImport): string {
  return earlier.kind === 'campaign' ? earlier.campaign.id : earlier.id;
}

/** The campaign of an earlier import, and its state, as the document of a check has them. */
export function earlierDocument(earlier: EarlierImport | undefined) {
  if (earlier === undefined) return undefined;
  const state: CampaignState | 'deleted' = earlier.kind === 'campaign' ? earlier.campaign.state : 'deleted';
  return { campaign: earlierId(earlier), state };
}

/** The earlier import of a manifest that is not checked yet. @throws {UseCaseError} `manifest_unreadable`. */
export async function findImportOf(
  runtime: Pick<Runtime, 'ledger'>,
  manifest: Pick<ManifestFile, 'file' | 'path'>,
  sheet: ReadingOptions['sheet'],
): Promise<EarlierImport | undefined> {
  const sha256 = await findDigest(manifest, sheet);
  return sha256 === undefined ? undefined : findEarlierImport(runtime, sha256);
}

/**
 * Finds all problems of a manifest, and plans it. Sends nothing but look-ups of creators.
 * @param options.problems the problems file: receives rows with problems, if there are any.
 * @throws {UseCaseError} as `checkSheet` and `checkRules`.
 */
export async function checkBeforeImport(
  runtime: Runtime,
  manifest: ManifestFile,
  { problems, ...options }: ReadingOptions & { readonly problems?: string | undefined },
) {
  const earlier = await findImportOf(runtime, manifest, options.sheet);
  const rules = await checkRules(runtime, manifest, { ...options, same: earlier && earlierId(earlier) });
  return { earlier, check: await checkSheet(fileSource(manifest.path, manifest.file), rules, { problems }) };
}

/**
 * The campaign that an import of this manifest goes on with; undefined if it was not imported before.
 * @throws {UseCaseError} `manifest_known` if the campaign has ended or was cancelled or deleted.
 */
export async function findKnown(
  runtime: Runtime,
  manifest: ManifestFile,
  options: GivenOptions,
): Promise<KnownCampaign | undefined> {
  const earlier = await findImportOf(runtime, manifest, options.sheet);
  if (earlier === undefined) return undefined;
  if (earlier.kind === 'campaign') {
    const { campaign } = earlier;
    return resumeKnown(runtime, campaign, await keptBy(runtime, manifest, campaign, options));
  }
  throw new UseCaseError(
    'manifest_known',
    `this sheet was imported before, as campaign ${earlier.id}, which was deleted after rows of it were posted`,
    { fix: [hint('postAllAgain')] },
  );
}

/** Lists options that were given but do not apply, so that people know. */
async function keptBy(
  runtime: Runtime,
  manifest: ManifestFile,
  campaign: Campaign,
  options: GivenOptions,
): Promise<readonly string[]> {
  if (campaign.state === 'ended') return [];
  const mediaRoot = await findMediaRoot(runtime, manifest, options);
  const timezone = options.timezone ?? runtime.settings.timezone ?? undefined;
  return keptOptions(campaign, { name: options.name, map: options.sheet?.map, mediaRoot, timezone });
}

/** @param kept options that the campaign keeps. @throws {UseCaseError} `manifest_known`, as `findKnown`. */
export async function resumeKnown(
  { service }: Runtime,
  campaign: Campaign,
  kept: readonly string[],
): Promise<KnownCampaign> {
  const { id } = campaign;
  const refuse = (what: string, ...fix: readonly FixPart[]) => {
    const message = `this sheet was imported before, as campaign ${id}${what}`;
    return new UseCaseError('manifest_known', message, { fix });
  };
  if (campaign.state !== 'ended') {
    await service.need();
    return { kind: 'known', campaign, kept };
  }
  const again = hint('postAllAgain');
  const show = hint('show', { campaign: id });
  if (campaign.cancelledAt !== undefined) {
    throw refuse(', and cancelled', again, show, ...(rowsAnew(campaign) ?? []));
  }
  const { failed, review } = campaign.counts;
  throw refuse(
    ', which has ended',
    again,
    show,
    ...(failed > 0 ? [hint('retry', { campaign: id })] : []),
    ...(review > 0 ? [`Decide about ${plural(review, 'row')} in review: the campaign shows how.`] : []),
  );
}

interface GivenNow {
  readonly name: string | undefined;
  readonly map: ColumnMap | undefined;
  /** Absolute. */
  readonly mediaRoot: string;
  readonly timezone: string | undefined;
}

/**
 * Options that a campaign keeps from its import, although other values are given now.
 * @returns those that differ, in words. Options not given now are not compared.
 */
export function keptOptions(
  campaign: Pick<Campaign, 'name' | 'map' | 'mediaRoot' | 'timezone'>,
  now: GivenNow,
): readonly string[] {
  return [
    ...(now.name === undefined || now.name === campaign.name ? [] : [`its name ${campaign.name}`]),
    ...(now.map === undefined || isSame(now.map, campaign.map) ? [] : ['its mapping of headers']),
    ...(now.mediaRoot === campaign.mediaRoot ? [] : [`its media folder ${campaign.mediaRoot}`]),
    ...(now.timezone === undefined || now.timezone === campaign.timezone
      ? []
      : [`its time zone (${campaign.timezone ?? 'none'})`]),
  ];
}

function isSame(one: ColumnMap, other: ColumnMap): boolean {
  const listed = (map: ColumnMap) =>
    JSON.stringify([...map].map(([header, column]) => [foldHeader(header), column]).sort());
  return listed(one) === listed(other);
}
