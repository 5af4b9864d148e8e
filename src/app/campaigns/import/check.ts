/** The rules that this deployment checks sheets by: its settings and rate limits, the creators of its service, the posts of its campaigns. */
import { z } from 'zod';
import type { Settings } from '../../../../config/schema.ts';
import type { CheckResult } from '../../../importers/check/check-sheet.ts';
import type { CheckRules, PostLookUp, RowMatcher } from '../../../importers/check/checked-row.ts';
import type { CreatorLookUp } from '../../../importers/check/creator-check.ts';
import { createCreatorLookUp } from '../../../importers/check/creator-look-up.ts';
import { createMediaCheck } from '../../../importers/check/local-media-check.ts';
import { findMediaRoot, type ManifestFile } from '../../../importers/open/manifest-file.ts';
import { planSchema } from '../../../importers/plan/plan.ts';
import { type OwnCampaign, Repeats } from '../../../importers/repeats/repeats.ts';
import { type Campaign, campaignState } from '../../../ledger/campaigns/campaign.ts';
import type { ApproveRule } from '../../../manifest/campaign-options.ts';
import { withRemembered } from '../../../manifest/headers/column-map.ts';
import { problemFields, warningFields } from '../../../manifest/problems/problem.ts';
import { foundDocument } from '../../../manifest/problems/problem-log.ts';
import { repeatedCall } from '../../../processors/runner/retry-policy.ts';
import { sampleOf } from '../../../service/media/source.ts';
import type { Through } from '../../../service/transport/paging.ts';
import type { SheetOptions } from '../../../sheets/sheet.ts';
import type { Document } from '../../runtime/documents.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { serviceError } from '../../runtime/service-connection.ts';
import { deliveryRules } from '../post-status.ts';

/** An earlier import of the same bytes. Only in a check, and only if there is one. */
export const earlierSchema = z.strictObject({
  campaign: z.string(),
  state: z.enum([...campaignState.options, 'deleted']),
});

export const checkSchema = z
  .strictObject({
    /** The detected format; `null` if the file could not be opened. */
    format: z.looseObject({}).nullable(),
    /** Line of the headers; `null` for JSON, and if the file could not be opened. */
    headerLine: z.int().nullable(),
    rows: z.int(),
    earlier: earlierSchema.optional(),
    ...problemFields,
    ...warningFields,
    plan: planSchema,
  })
  .meta({ id: 'Check' });

export interface ReadingOptions
  extends Pick<CheckRules, 'again' | 'edits' | 'names' | 'isAsked' | 'products'> {
  readonly sheet?: SheetOptions | undefined;
  /** Folder that media paths are relative to; the folder in the settings or of the manifest unless given. */
  readonly mediaRoot?: string | undefined;
  /** Folder of files that an update brings into the campaign's media folder before its rows are sent; looked in first. */
  readonly newMedia?: string | undefined;
  /** IANA zone of times without one; that of the settings unless given. */
  readonly timezone?: string | undefined;
  readonly allowUnknownColumns?: boolean | undefined;
  /** How long before their time the service gets the posts, in milliseconds; `null`: at once. Default: as the settings say. */
  readonly lead?: number | null | undefined;
  /** Which posts wait for an approval; default: as the settings say. */
  readonly approve?: ApproveRule | undefined;
}

/** Of an import, into a new campaign or one that there is. */
export interface ImportOptions extends ReadingOptions {
  /** Import the rows without problems, and write the others to the problems file. */
  readonly skipInvalid?: boolean | undefined;
  /** Null: write none, for a sheet that has no folder of its own. */
  readonly problemsFile?: null | undefined;
}

export interface RuleOptions extends ReadingOptions {
  /** Id of a campaign of the same manifest: the rows are its own, and no repeats of it. */
  readonly same?: string | undefined;
  /** Default: a new one, which asks the service. */
  readonly creators?: CreatorLookUp | undefined;
  /** Default: compares with all campaigns. */
  readonly posts?: PostLookUp | undefined;
  /** The campaign to import into. Its media root and time zone apply. */
  readonly update?: { readonly campaign: Campaign; readonly matcher: RowMatcher } | undefined;
  /** Redis is not asked for what only a plan needs: changed rate limits, and how many AI outputs are left this month. */
  readonly withoutPlan?: boolean | undefined;
}

/**
 * The rules for checking rows of a manifest.
 * @throws {UseCaseError} `media_root_missing`, `service_not_configured`; the look-up of creators throws `service_*`.
 */
export async function checkRules(
  runtime: Runtime,
  manifest: ManifestFile,
  options: RuleOptions,
): Promise<CheckRules> {
  const { settings, now, prober } = runtime;
  const { withoutPlan, update: { campaign } = {} } = options;
  const changed = withoutPlan ? {} : await runtime.rateLimits.changed();
  const mediaRoot = campaign?.mediaRoot ?? (await findMediaRoot(runtime, manifest, options));
  return {
    settings: {
      ...settings,
      rateLimits: { ...settings.rateLimits, ...changed },
      timezone: campaign ? campaign.timezone : (options.timezone ?? settings.timezone),
      approve: campaign ? campaign.approve : (options.approve ?? settings.approve),
      lead: campaign ? campaign.lead : options.lead === undefined ? settings.lead : options.lead,
      spend: withoutPlan ? settings.spend : await spendNow(runtime),
    },
    now: now(),
    creators: options.creators ?? (await creatorsOf(runtime)),
    media: createMediaCheck({ mediaRoot, newMedia: options.newMedia, prober, ...settings.media }),
    posts: options.posts ?? postsOf(runtime, ownOf(options)),
    again: options.again,
    update: options.update?.matcher,
    edits: options.edits,
    names: options.names,
    products: options.products,
    isAsked: options.isAsked,
    allowUnknownColumns: options.allowUnknownColumns ?? false,
    sheet: { ...options.sheet, map: withRemembered(options.sheet?.map, campaign?.map) },
    givenMap: options.sheet?.map,
  };
}

/** `perMonth`: how many AI outputs are left of it. */
async function spendNow(runtime: Pick<Runtime, 'ledger' | 'settings'>): Promise<Settings['spend']> {
  const { spend } = runtime.settings;
  if (spend.perMonth === null) return spend;
  const left = spend.perMonth - (await runtime.ledger.approvals.outputsOfMonth());
  return { ...spend, perMonth: Math.max(0, left) };
}

function ownOf({ update, same }: RuleOptions): OwnCampaign | undefined {
  if (update === undefined) return same === undefined ? undefined : { id: same };
  const { campaign, matcher } = update;
  const rowOf = (key: string) => matcher.find(key);
  return { id: campaign.id, rowOf, counts: (key, other) => matcher.isRepeat(key, other) };
}

/** Finds rows of campaigns with the same posts. @param own the campaign that the rows belong to, if there is one. */
export function postsOf(
  runtime: Pick<Runtime, 'ledger' | 'settings' | 'now'>,
  own: OwnCampaign | undefined,
): PostLookUp {
  const { ledger, settings } = runtime;
  const { maxBytes } = settings.media;
  const contentAt = (source: string, mediaRoot: string) => sampleOf(source, { mediaRoot, maxBytes });
  return new Repeats(ledger, { own, contentAt, deliveryRules: () => deliveryRules(runtime) });
}

/** Looks up creators in the service, and caches them. Throws `service_*`. @throws {UseCaseError} `service_not_configured`. */
export async function creatorsOf(
  runtime: Pick<Runtime, 'settings'> & { readonly service: Pick<Runtime['service'], 'need'> },
): Promise<CreatorLookUp> {
  const { settings, service } = runtime;
  const { client, rateLimits } = await service.need();
  const through: Through = (operation, call) =>
    repeatedCall(operation, call, { rateLimits, retry: settings.retry });
  const lookUp = createCreatorLookUp((query) => client.creators.all(query, { through }));
  const ask: CreatorLookUp = (names) =>
    lookUp(names).catch((error: unknown) => {
      throw serviceError(error, 'creators could not be looked up');
    });
  return Object.assign(ask, lookUp);
}

/** @param earlier an earlier import of the same sheet. */
export function checkDocument(
  check: CheckResult,
  earlier?: Document<typeof checkSchema>['earlier'],
): Document<typeof checkSchema> {
  return {
    format: check.format,
    headerLine: check.headerLine,
    rows: check.rows,
    ...(earlier && { earlier }),
    ...foundDocument(check, check.notices),
    plan: check.plan,
  };
}
