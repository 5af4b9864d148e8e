/** Checks the whole sheet of a draft, by the rules of `campaigns check`, and stores the results that pages show. */

import { checkSheet } from '../../../importers/check/check-sheet.ts';
import type { CheckSink } from '../../../importers/check/checked-row.ts';
import type { ManifestFile } from '../../../importers/open/manifest-file.ts';
import { readLead } from '../../../manifest/campaign-options.ts';
import { noteMark, withRemembered } from '../../../manifest/headers/column-map.ts';
import { matchHeader } from '../../../manifest/headers/header.ts';
import { openSheet } from '../../../sheets/open-sheet.ts';
import { fileSource, type SheetOptions, type SheetRow } from '../../../sheets/sheet.ts';
import { readLinks } from '../../../sheets/xlsx/links.ts';
import { surveyWorkbook } from '../../../sheets/xlsx/read-xlsx.ts';
import { aliasesOf } from '../../campaigns/import/aliases.ts';
import { checkRules, type ReadingOptions } from '../../campaigns/import/check.ts';
import { updateCampaign } from '../../campaigns/import/update.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { readingId, sheetsOf } from '../draft.ts';
import { findOtherVersions } from '../files/media.ts';
import { keepPlan } from '../planned.ts';
import type { DraftDatabase } from '../store/database.ts';
import { forgetSheet, RowsWriter } from '../store/rows.ts';
import { readServiceAccounts } from '../suggestions/accounts.ts';
import { knownProducts } from '../suggestions/known-names.ts';
import { readOtherSheets } from '../suggestions/other-sheets.ts';
import { type CheckInputs, CheckPass, type WholeCheckOptions } from './check-pass.ts';
import {
  type CheckFacts,
  type CheckKnowledge,
  columnsOf,
  DraftCheck,
  findCheck,
  outdateCheck,
  storeCheck,
  type UpdateFacts,
} from './draft-check.ts';
import { ReplacedFiles } from './files-of-others.ts';
import {
  newMediaOf,
  ownCampaign,
  refuseReplaced,
  sheetOf,
  sheetOptionsOf,
  updatedCampaign,
} from './inputs.ts';

/** @throws {UseCaseError} as `checkSheet`, `draft_not_stored`. */
export async function checkWhole(
  runtime: Runtime,
  database: DraftDatabase,
  options: WholeCheckOptions,
): Promise<DraftCheck> {
  const { draft, edits, mediaRoot, signal, inputs } = options;
  const manifest = sheetOf(runtime, draft, mediaRoot);
  const sheet = sheetOptionsOf(draft.reading);
  const campaign = await updatedCampaign(runtime, draft);
  const map = withRemembered(sheet.map, campaign?.map);
  const replaced = new ReplacedFiles(await findOtherVersions(runtime, draft.id, campaign));
  const timezone = draft.reading.timezone ?? runtime.settings.timezone;
  const at = runtime.now();
  const rows = await RowsWriter.open(runtime, database, draft);
  const before = findCheck(database);
  if (before?.inputs !== inputs) await database.write(() => outdateCheck(database));
  const pass = new CheckPass(database, options, { map, rows, replaced });
  const visible = await visibleSheets(manifest.path);
  const knowledgeBefore = before && database.fact<CheckKnowledge>('knowledge');
  const known = knowledgeBefore?.lists;
  // A hidden worksheet may be a list, too.
  const isList = visible.length > 0 && known === undefined;
  const lists = isList ? await readOtherSheets(manifest.path, sheetsOf(draft.reading), signal) : known;
  const links = isList ? await readLinks(manifest.path, sheetsOf(draft.reading)) : knowledgeBefore?.links;
  const products = knownProducts(lists, await aliasesOf(runtime, 'product'));
  const given = { sheet, products, sink: pass.sink };
  const { result, update, newMedia } = await check(runtime, options, manifest, given);
  signal.throwIfAborted();
  await refuseReplaced(runtime, draft, result).catch(async (error: unknown) => {
    await forgetSheet(database);
    throw error;
  });
  await pass.end();
  if (pass.rows === 0) await rows.add(await firstRows(manifest.path, { ...sheet, map }));
  await rows.end(pass.rows > 0);
  const doubtful = result.blocking.flatMap(({ code, column }) =>
    code === 'doubtful_column' ? [column] : [],
  );
  const ofResults = update === undefined ? null : noteMark;
  const header = pass.header ?? result.header;
  const { problems: _problems, warnings: _warnings, rows: _rows, accepted: _accepted, ...found } = result;
  const { indexes } = matchHeader(header, { map });
  const facts: CheckFacts = {
    ...found,
    header,
    indexes,
    columns: columnsOf(result.header, map, new Set(doubtful), ofResults),
    sheets: result.format === null || result.format.kind === 'xlsx' ? visible : [],
    timezone: update ? update.campaign.timezone : timezone,
    added: edits.added.length,
  };
  const checked = new DraftCheck(database, facts, { update, newMedia });
  const accounts = lists && (await readServiceAccounts(lists, links, options.creators));
  const knowledge = { evidence: pass.evidence.stored, lists, links, accounts };
  const plan = pass.planned?.plan(draft, mediaRoot, result.creators);
  await database.write(() => {
    pass.store();
    storeCheck(database, { inputs, edits: edits.revision, at }, facts, knowledge);
    const { findings } = checked;
    const rows = pass.rows - findings.count('leftOut');
    const counts = { rows, refused: findings.count('refused'), blocking: facts.blocking.length };
    keepPlan(database, { of: readingId(draft), ...counts }, plan);
  });
  return checked;
}

/** Checks the sheet for a new campaign, or against the campaign that it updates. */
async function check(
  runtime: Runtime,
  { draft, mediaRoot, edits, creators }: CheckInputs,
  manifest: ManifestFile,
  {
    sink,
    ...reading
  }: Pick<ReadingOptions, 'products'> & {
    readonly sheet: SheetOptions;
    readonly sink: CheckSink;
  },
) {
  const options = { ...reading, edits, creators, isAsked: true };
  if (draft.into !== undefined) {
    const newMedia = await newMediaOf(runtime, draft);
    const plan = { ...options, newMedia, dryRun: true };
    const { check: result, ...update } = await updateCampaign(runtime, draft.into, manifest, plan, sink);
    return { result, update, newMedia };
  }
  const { timezone } = draft.reading;
  const lead = draft.options.lead === undefined ? undefined : readLead(draft.options.lead);
  const same = await ownCampaign(runtime, draft);
  const { approve } = draft.options;
  const rules = await checkRules(runtime, manifest, {
    ...options,
    mediaRoot,
    timezone,
    lead,
    approve,
    same,
  });
  const result = await checkSheet(fileSource(manifest.path, manifest.file), rules, sink);
  return { result, ...({ update: undefined, newMedia: undefined } satisfies UpdateFacts) };
}

const shownFirst = 3;

/** Reads the first rows of a sheet with a faulty header: it is not checked, but its rows help to match its columns. */
async function firstRows(path: string, options: SheetOptions): Promise<readonly SheetRow[]> {
  const sheet = await openSheet(fileSource(path), options).catch(() => undefined);
  if (sheet === undefined) return [];
  const rows: SheetRow[] = [];
  try {
    for await (const batch of sheet.rows) {
      rows.push(...batch.slice(0, shownFirst - rows.length));
      if (rows.length >= shownFirst) break;
    }
  } catch {
    // The problems of the check already say what is wrong.
  } finally {
    await sheet.close();
  }
  return rows;
}

/** Visible sheets of a workbook; empty for any other file. */
async function visibleSheets(path: string): Promise<readonly string[]> {
  return (await surveyWorkbook(path, undefined, 0).catch(() => ({ visible: [] }))).visible;
}
