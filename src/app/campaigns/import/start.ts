/** Turns a manifest into a campaign: goes on with an earlier import (`earlier-import.ts`), or checks and imports it. */
import { z } from 'zod';
import type { CheckResult } from '../../../importers/check/check-sheet.ts';
import { type CampaignOptions, importSheet } from '../../../importers/import-sheet.ts';
import { findMediaRoot, type ManifestFile } from '../../../importers/open/manifest-file.ts';
import type { Campaign } from '../../../ledger/campaigns/campaign.ts';
import { UseCaseError } from '../../../manifest/problems/use-case-error.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { findCampaign, refuseUnreadable } from '../find.ts';
import { keepOwnSheet } from '../results/own-sheet.ts';
import { type CanaryChoice, canaryPositions, nameCanary } from './canary.ts';
import { checkRules, type ImportOptions } from './check.ts';
import { findKnown, type KnownCampaign, resumeKnown } from './earlier-import.ts';

const stopAfterChecks = [z.gte(0), z.lt(100)] as const;
/** The bounds in words, after "a percentage". With 100, a campaign would never be paused. */
export const stopAfterBounds = 'from 0 to below 100';
export const stopAfterSchema = z.number().check(...stopAfterChecks);
/** The same, written as a text. */
export const stopAfterText = z.coerce.number().check(...stopAfterChecks);

export interface StartOptions extends ImportOptions {
  /** Name of the campaign; default: that in the file, else the name of the file. */
  readonly name?: string | undefined;
  /** Digest of a repeatable request: repeated, it gets the same campaign, even with `again`. */
  readonly origin?: string | undefined;
  /** How long the origin is remembered, in milliseconds; 25 hours unless given. */
  readonly originMs?: number | undefined;
  /** Rows to begin with; the others wait until the campaign is resumed. */
  readonly canary?: CanaryChoice | undefined;
  /** Percentage of ended rows that may fail before the campaign is paused. */
  readonly stopAfter?: number | undefined;
  readonly startedBy?: string | undefined;
  /** Called with the results of the check before the import. Throws to prevent the import. */
  readonly onChecked?: ((check: CheckResult) => void | Promise<void>) | undefined;
}

export type Started =
  | {
      readonly kind: 'imported';
      readonly campaign: Campaign;
      readonly check: CheckResult;
      /** Absolute path of the problems file. */
      readonly problemsFile: string | undefined;
    }
  | KnownCampaign
  | { readonly kind: 'problems'; readonly check: CheckResult };

/**
 * Imports a manifest as a campaign. Sends nothing; workers take the campaign up.
 * @throws {UseCaseError} `manifest_known` when a campaign of the same manifest has ended or was cancelled or deleted, and the
 *   errors of `checkSheet`; `import_conflict` when others import the same posts all the time.
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
  throw new UseCaseError('import_conflict', 'other imports of the same posts keep arriving', {
    fix: 'Nothing was imported. Try again in a moment.',
  });
}

/** Another import of the same posts at the same moment makes it check the rows again. */
const mostAttempts = 5;

async function tryStart(
  runtime: Runtime,
  manifest: ManifestFile,
  options: StartOptions,
): Promise<Started | 'overtaken'> {
  const imported = await importSheet(runtime.ledger, {
    manifest,
    rules: await checkRules(runtime, manifest, options),
    problems:
      options.skipInvalid && options.problemsFile !== null
        ? `${options.name ?? manifest.name}.problems.csv`
        : undefined,
    agree: (check) => agree(runtime, manifest, check, options),
  }).catch(refuseUnreadable);
  const { kind, check } = imported;
  if (kind === 'problems') return { kind, check };
  if (kind === 'overtaken') return kind;
  const campaign = await findCampaign(runtime, imported.id);
  // Somebody else imported the same manifest at the same moment: use that campaign.
  if (kind === 'known') return resumeKnown(runtime, campaign, []);
  const reading = { ...options, name: manifest.name, places: imported.places };
  await keepOwnSheet(runtime, campaign, manifest, check, reading);
  return { kind: 'imported', campaign, check, problemsFile: check.problemsFile };
}

/** @returns undefined if the sheet may not start because of its problems. @throws {UseCaseError} `canary_empty`. */
async function agree(
  runtime: Runtime,
  manifest: ManifestFile,
  check: CheckResult,
  options: StartOptions,
): Promise<CampaignOptions | undefined> {
  await options.onChecked?.(check);
  if (!mayStart(check, options)) return undefined;
  const { stopAfter, startedBy, origin, originMs } = options;
  const { lead = runtime.settings.lead, approve = runtime.settings.approve } = options;
  return {
    name: options.name ?? check.name ?? manifest.name,
    mediaRoot: await findMediaRoot(runtime, manifest, options),
    ...canaryOf(check, options),
    stopAfter,
    lead,
    approve,
    startedBy,
    origin,
    originMs,
  };
}

function canaryOf({ canary: rows }: CheckResult, { canary }: StartOptions) {
  if (canary === undefined || typeof canary === 'number') return { canary };
  const canaryRows = canaryPositions(rows, canary) ?? [];
  if (canaryRows.length > 0) return { canary: canaryRows.length, canaryRows, canaryOf: nameCanary(canary) };
  throw new UseCaseError('canary_empty', 'none of the rows chosen as canary can be posted', {
    fix: 'Choose other rows as canary.',
  });
}

function mayStart(check: CheckResult, { skipInvalid = false }: StartOptions): boolean {
  // There may be no rows and no problems, because all rows are left out.
  if (check.accepted === 0) return false;
  return check.problems.total === 0 || (skipInvalid && check.blocking.length === 0);
}
