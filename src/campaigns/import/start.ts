/** Turns a manifest into a campaign: finds an earlier import, or checks and imports it. */
import { defaultAccount } from '../../../config/access.ts';
import type { CheckResult } from '../../importers/check/check.ts';
import { nameOf } from '../../importers/check/checked-row.ts';
import type { Campaign } from '../../ledger/campaigns/campaigns.ts';
import { type CurePart, hint } from '../../manifest/problems/hint.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { UseCaseError } from '../../runtime/use-case-error.ts';
import { plural } from '../../runtime/wording.ts';
import { rowsAnew } from '../cancel.ts';
import { findCampaign, refuseUnreadable } from '../find.ts';
import {
  checkManifestFile,
  findDigest,
  findMediaRoot,
  type ReadingOptions,
  writtenDelimiter,
} from './check.ts';
import { keptOptions } from './kept-options.ts';
import type { ManifestFile } from './manifest-file.ts';

/** Options of `startCampaign`. */
export interface StartOptions extends ReadingOptions {
  /** Name of the campaign; default: that in the file, else the name of the file. */
  readonly name?: string | undefined;
  /** Account of the service; the one of the environment unless given. */
  readonly account?: string | undefined;
  /** Import it as a new campaign even if it was imported before, or rows of it are posts of other campaigns. */
  readonly again?: boolean | undefined;
  /** Digest of a repeatable request: repeated, it gets the same campaign, even with `again`. */
  readonly origin?: string | undefined;
  /** How long the origin is remembered, in milliseconds; 25 hours unless given. */
  readonly originMs?: number | undefined;
  /** Import the rows without problems, and write the others to the problems file. */
  readonly skipInvalid?: boolean | undefined;
  /** Null: write none, for a sheet that has no folder of its own. */
  readonly problemsFile?: null | undefined;
  /** Number of rows to begin with; the others wait until the campaign is resumed. */
  readonly canary?: number | undefined;
  /** Percentage of ended rows that may fail before the campaign is paused. */
  readonly stopAfter?: number | undefined;
  /** Called with the results of the check before the import. Throws to prevent the import. */
  readonly onChecked?: ((check: CheckResult) => void | Promise<void>) | undefined;
}

/** What `startCampaign` did with a manifest. */
export type Started =
  | {
      readonly kind: 'imported';
      readonly campaign: Campaign;
      readonly check: CheckResult;
      /** Absolute path of the problems file. */
      readonly problemsFile: string | undefined;
    }
  /** An unfinished campaign of the same manifest. `kept`: options that it keeps although other values are given now. */
  | { readonly kind: 'known'; readonly campaign: Campaign; readonly kept: readonly string[] }
  | { readonly kind: 'problems'; readonly check: CheckResult };

/**
 * Imports a manifest as a campaign. Sends nothing; workers take the campaign up.
 * @throws {UseCaseError} `manifest_known` when a campaign of the same manifest has ended or was cancelled or deleted, and the
 *   errors of `checkManifestFile`; `import_conflict` when others import the same posts all the time.
 */
export async function startCampaign(
  runtime: Runtime,
  manifest: ManifestFile,
  options: StartOptions = {},
): Promise<Started> {
  if (!options.again) {
    const known = await findKnown(runtime, manifest, options);
    if (known) return known;
  }
  for (let attempt = 1; attempt <= mostAttempts; attempt += 1) {
    const started = await tryStart(runtime, manifest, options);
    if (started !== 'overtaken') return started;
  }
  throw new UseCaseError('import_conflict', 'other imports of the same posts come in all the time', {
    cure: 'Nothing was imported. Try again in a moment.',
  });
}

/** Another import of the same posts at the same moment makes it check the rows again. */
const mostAttempts = 5;

async function tryStart(
  runtime: Runtime,
  manifest: ManifestFile,
  options: StartOptions,
): Promise<Started | 'overtaken'> {
  const { ledger, accounts } = runtime;
  const account = accounts.need(options.account ?? defaultAccount);
  const postsVersion = options.again ? undefined : await ledger.posts.version();
  const staged = ledger.newImport();
  await using leftOut = ledger.leftOut.stage();
  const { check, problemsFile } = await checkManifestFile(
    runtime,
    manifest,
    account,
    {
      ...options,
      problems:
        options.skipInvalid && options.problemsFile !== null
          ? `${options.name ?? manifest.name}.problems.csv`
          : undefined,
      onRefused: (row) => leftOut.add(nameOf(row)),
      onLeftOut: (name) => leftOut.push(name),
    },
    async (rows) => {
      await leftOut.write();
      await staged.add(rows);
    },
  );
  // Somebody else imported the same manifest during the check, so its rows repeat those of that campaign.
  if (!options.again && check.problems.total > 0 && check.sha256 !== null) {
    const campaign = await ledger.campaigns.findByManifest(check.sha256).catch(refuseUnreadable);
    if (campaign) {
      await staged.discard();
      return goOn(runtime, campaign, options, []);
    }
  }
  try {
    await options.onChecked?.(check);
  } catch (error) {
    await staged.discard();
    throw error;
  }
  if (!mayStart(check, options) || check.sha256 === null) {
    await staged.discard();
    return { kind: 'problems', check };
  }
  const { id, kind } = await staged.commit({
    name: options.name ?? check.name ?? manifest.name,
    sha256: check.sha256,
    header: check.header,
    map: options.sheet?.map,
    delimiter: writtenDelimiter(check.format),
    account: account.name,
    mediaRoot: await findMediaRoot(runtime, manifest, options),
    timezone: options.timezone ?? runtime.settings.timezone,
    source: manifest.file,
    window: runtime.settings.window,
    leftOut: check.rows - check.accepted,
    creators: check.creators,
    canary: options.canary,
    stopAfter: options.stopAfter,
    again: options.again ?? false,
    origin: options.origin,
    originMs: options.originMs,
    postsVersion,
  });
  if (kind === 'overtaken') return kind;
  if (kind === 'created') await ledger.leftOut.remember(id, leftOut);
  const campaign = await findCampaign(runtime, id);
  // Somebody else imported the same manifest at the same moment: use that campaign.
  if (kind === 'known') return goOn(runtime, campaign, options, []);
  return { kind: 'imported', campaign, check, problemsFile };
}

function mayStart(check: CheckResult, { skipInvalid = false }: StartOptions): boolean {
  // There may be no rows and no problems, because all rows are left out.
  if (check.accepted === 0) return false;
  return check.problems.total === 0 || (skipInvalid && check.blocking.length === 0);
}

/** An earlier import of the same bytes. */
export type EarlierImport =
  | { readonly kind: 'campaign'; readonly campaign: Campaign }
  /** A deleted campaign whose rows were, or may have been, posted. */
  | { readonly kind: 'deleted'; readonly id: string };

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

export function idOf(earlier: EarlierImport): string {
  return earlier.kind === 'campaign' ? earlier.campaign.id : earlier.id;
}

/** The earlier import of a manifest that is not checked yet. @throws {UseCaseError} `manifest_unreadable`. */
export async function findImportOf(
  runtime: Pick<Runtime, 'ledger'>,
  manifest: Pick<ManifestFile, 'file' | 'path'>,
  sheet: StartOptions['sheet'],
): Promise<EarlierImport | undefined> {
  const sha256 = await findDigest(manifest, sheet);
  return sha256 === undefined ? undefined : findEarlierImport(runtime, sha256);
}

async function findKnown(
  runtime: Runtime,
  manifest: ManifestFile,
  options: StartOptions,
): Promise<Started | undefined> {
  const earlier = await findImportOf(runtime, manifest, options.sheet);
  if (earlier === undefined) return undefined;
  if (earlier.kind === 'campaign') {
    const { campaign } = earlier;
    return goOn(runtime, campaign, options, await keptBy(runtime, manifest, campaign, options));
  }
  throw new UseCaseError(
    'manifest_known',
    `this sheet was imported before, as campaign ${earlier.id}, which was deleted after rows of it were posted`,
    { cure: [hint('postAllAgain')] },
  );
}

/** Lists options that were given but do not apply, so that people know. */
async function keptBy(
  runtime: Runtime,
  manifest: ManifestFile,
  campaign: Campaign,
  options: StartOptions,
): Promise<readonly string[]> {
  if (campaign.state === 'ended') return [];
  const mediaRoot = await findMediaRoot(runtime, manifest, options);
  const timezone = options.timezone ?? runtime.settings.timezone ?? undefined;
  return keptOptions(campaign, { name: options.name, map: options.sheet?.map, mediaRoot, timezone });
}

function goOn(
  { accounts }: Runtime,
  campaign: Campaign,
  options: StartOptions,
  kept: readonly string[],
): Started {
  const { id, account } = campaign;
  const known = `campaign ${id}${account === (options.account ?? defaultAccount) ? '' : ` of the account ${account}`}`;
  const refuse = (what: string, ...cure: readonly CurePart[]) => {
    const message = `this sheet was imported before, as ${known}${what}`;
    return new UseCaseError('manifest_known', message, { cure });
  };
  if (options.account !== undefined && options.account !== account) {
    throw refuse(
      '',
      'To resume it, use its account.',
      hint('keep', { option: 'account' }),
      hint('postAllAgain'),
    );
  }
  if (campaign.state !== 'ended') {
    accounts.need(account);
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
