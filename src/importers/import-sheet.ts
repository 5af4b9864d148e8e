/** Imports a sheet as a new campaign: its rows are staged in the ledger while they are checked, then become a campaign at once. */
import type { SheetDelimiter } from '../ledger/campaigns/campaign.ts';
import type { ImportedCampaign, NewCampaign } from '../ledger/imports/import.ts';
import { mostStored } from '../ledger/imports/staged-rows.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { fileSource, type SheetFormat } from '../sheets/sheet.ts';
import { type CheckResult, checkSheet } from './check/check-sheet.ts';
import { type CheckRules, nameOf } from './check/checked-row.ts';
import { fileBytesOf, type ManifestFile } from './open/manifest-file.ts';
import { SheetPlaces } from './sheet-places.ts';

/** Options of the campaign that the sheet does not give. */
export type CampaignOptions = Pick<
  NewCampaign,
  | ('name' | 'mediaRoot' | 'canary' | 'canaryRows' | 'canaryOf')
  | ('stopAfter' | 'lead' | 'approve' | 'startedBy' | 'origin' | 'originMs')
>;

export interface SheetImport {
  readonly manifest: ManifestFile;
  readonly rules: CheckRules;
  readonly problems: string | undefined;
  /** Called with the results of the check. @returns undefined if the sheet must not become a campaign. May throw as well. */
  readonly agree: (check: CheckResult) => Promise<CampaignOptions | undefined>;
}

export type SheetImported =
  | { readonly kind: 'problems'; readonly check: CheckResult }
  /** `known`: the same sheet became this campaign during the check, and nothing was imported. */
  | {
      readonly kind: ImportedCampaign['kind'];
      readonly id: string;
      readonly check: CheckResult;
      readonly places: SheetPlaces;
    };

/**
 * Stages the rows of a sheet while they are checked, then makes them a campaign.
 * @throws {UseCaseError} as `checkSheet`; `manifest_unreadable` if its rows take too much. Then nothing is imported.
 */
export async function importSheet(
  ledger: Ledger,
  { manifest, rules, problems, agree }: SheetImport,
): Promise<SheetImported> {
  const again = rules.again ?? false;
  const postsVersion = again ? undefined : await ledger.posts.version();
  await using staged = ledger.newImport(mostStored(await fileBytesOf(manifest)));
  await using leftOut = ledger.leftOut.stage();
  const places = new SheetPlaces();
  let added = 0;
  const check = await checkSheet(fileSource(manifest.path, manifest.file), rules, {
    problems,
    onRefused: (row) => {
      places.refuse(row, row.problems);
      return leftOut.add(nameOf(row));
    },
    onSkipped: ({ name, ...row }) => {
      places.skip(row);
      leftOut.push(name);
    },
    onAccepted: async (rows) => {
      await leftOut.write();
      for (const row of rows) places.add(row, added++);
      await staged.add(rows);
    },
  });
  // If the same manifest was imported during the check, its rows repeat those of that campaign.
  const isRepeated = !again && check.problems.total > 0 && check.sha256 !== null;
  const known = isRepeated ? await ledger.campaigns.findByManifest(check.sha256 ?? '') : undefined;
  if (known) return { kind: 'known', id: known.id, check, places };
  const options = await agree(check);
  if (options === undefined || check.sha256 === null) return { kind: 'problems', check };
  const { settings, sheet } = rules;
  const { id, kind } = await staged.commit({
    ...options,
    sha256: check.sha256,
    header: check.header,
    map: sheet?.map,
    delimiter: writtenDelimiter(check.format),
    timezone: settings.timezone,
    source: manifest.file,
    window: settings.window,
    leftOut: check.rows - check.accepted,
    creators: check.creators,
    again,
    postsVersion,
  });
  if (kind === 'created') await ledger.leftOut.remember(id, leftOut);
  return { kind, id, check, places };
}

/** The delimiter of the sheet, if spreadsheet programs write it: in some regions they read only `;`. */
export function writtenDelimiter(format: SheetFormat | null): SheetDelimiter {
  return format?.kind === 'csv' && format.delimiter === ';' ? ';' : ',';
}
