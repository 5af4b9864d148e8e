/**
 * Rows that a problems file brings back, corrected. They have places in the planner's own sheet, which stays the file of the results, and
 * the version that her next one is compared with.
 */
import { withoutDefaults } from '../../../importers/check/default-rows.ts';
import { readPlace } from '../../../importers/check/problems-file.ts';
import { PlacedRows, placeName, SheetPlaces } from '../../../importers/sheet-places.ts';
import { type ComparedRow, caption, comparedOf, media } from '../../../importers/update/match-by-content.ts';
import type { Campaign } from '../../../ledger/campaigns/campaign.ts';
import { textOfCell } from '../../../manifest/cells/formula-guard.ts';
import { foldHeader } from '../../../manifest/columns.ts';
import { matchHeader } from '../../../manifest/headers/header.ts';
import type { RowPlace } from '../../../manifest/problems/problem.ts';
import { problemColumns } from '../../../manifest/result-columns.ts';
import { openSheet } from '../../../sheets/open-sheet.ts';
import { fileSource, type SheetOptions } from '../../../sheets/sheet.ts';
import { findRecord, type OfRuntime, type Role, writeRecord } from './own-record.ts';

interface CorrectedRow extends RowPlace, Pick<ComparedRow, 'content' | 'details'> {
  /** Its row of the campaign. */
  readonly at: number;
}

type Corrected = ReadonlyMap<string, CorrectedRow>;

/** Never throws. @param path of the problems file. @param places of its rows. */
export async function placeCorrectedRows(
  runtime: OfRuntime,
  campaign: Campaign,
  { path, options, places }: { path: string; options: SheetOptions; places: SheetPlaces },
): Promise<void> {
  try {
    const rows = new PlacedRows(places.all.rows);
    const corrected = new Map<string, CorrectedRow>();
    for await (const { lineText, ...row } of readRows(campaign, path, options)) {
      const [at, place] = [rows.at(row), readPlace(lineText)];
      if (at !== undefined && place !== undefined) corrected.set(placeName(place), { ...row, ...place, at });
    }
    for (const role of ['own', 'plan'] as const)
      await placeIn(runtime, campaign, role, corrected).catch(() => undefined);
  } catch {
    // The rows stand below the others.
  }
}

/** Only rows that had problems there, and that still are these posts: the file may be one of another version. */
async function placeIn(
  runtime: OfRuntime,
  campaign: Campaign,
  role: Role,
  corrected: Corrected,
): Promise<void> {
  const kept = await findRecord(runtime, campaign, role);
  if (kept === undefined) return;
  const { sheet, record, read: own } = kept;
  const refused = new Set(own.refused.map(([place]) => place));
  const found: CorrectedRow[] = [];
  for await (const row of readRows(campaign, sheet, own)) {
    const name = placeName(row);
    const now = refused.has(name) ? corrected.get(name) : undefined;
    if (now !== undefined && isSamePost(row, now)) found.push(now);
  }
  if (found.length === 0) return;
  const places = new SheetPlaces();
  for (const [worksheet, runs] of own.rows)
    for (let index = 0; index < runs.length; index += 3) {
      const [line = 0, row = 0, count = 0] = runs.slice(index, index + 3);
      for (let next = 0; next < count; next += 1) places.add({ line: line + next, worksheet }, row + next);
    }
  for (const { at, ...place } of found) places.add(place, at);
  const names = new Set(found.map(placeName));
  await writeRecord(record, {
    ...own,
    rows: places.all.rows,
    refused: own.refused.filter(([place]) => !names.has(place)),
    skipped: own.skipped.filter((place) => !names.has(place)),
  });
}

const [lineColumn] = problemColumns;

async function* readRows(campaign: Campaign, path: string, options: SheetOptions) {
  const { map } = campaign;
  const sheet = await openSheet(fileSource(path), { ...options, map });
  const header = matchHeader(sheet.header.cells, { map });
  const at = sheet.header.cells.map(foldHeader).lastIndexOf(lineColumn);
  for await (const rows of withoutDefaults(sheet))
    for (const { line, worksheet, cells } of rows)
      yield { line, worksheet, lineText: textOfCell(cells, at), ...comparedOf(header, cells) };
}

/** Rows of one creator and product are many. */
function isSamePost(was: Pick<ComparedRow, 'content'>, now: Pick<ComparedRow, 'content'>): boolean {
  return [media, caption].some(
    (field) => was.content[field] !== 0 && was.content[field] === now.content[field],
  );
}
