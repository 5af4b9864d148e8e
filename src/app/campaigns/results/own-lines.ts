/** Lines of results for rows of the planner's own sheet, and a table of them all for a file of another format. */
import { unseenAs } from '../../../importers/check/unseen-rows.ts';
import { placeName } from '../../../importers/sheet-places.ts';
import { CellAlignment } from '../../../importers/update/cell-alignment.ts';
import type { Campaign } from '../../../ledger/campaigns/campaign.ts';
import { unguardFormula } from '../../../manifest/cells/formula-guard.ts';
import { matchHeader } from '../../../manifest/headers/header.ts';
import type { RowPlace } from '../../../manifest/problems/problem.ts';
import { skippedStatus } from '../../../manifest/result-columns.ts';
import { openSheet } from '../../../sheets/open-sheet.ts';
import { fileSource } from '../../../sheets/sheet.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { deliveryRules } from '../post-status.ts';
import type { OwnSheet } from './own-sheet.ts';
import { endedRows, openResults, type ResultLines, type ResultsOptions } from './sheet.ts';

export const skippedByPerson = 'Skipped by you.';

/** @returns undefined for a row that is no post, such as a heading. */
export function whySkipped({ skipped, refused }: OwnSheet, row: RowPlace): string | undefined {
  const place = placeName(row);
  return refused.get(place) ?? (skipped.has(place) ? skippedByPerson : undefined);
}

export function skippedLine({ header }: ResultLines, why: string): readonly string[] {
  const said = new Map([
    [header.lastIndexOf('status'), skippedStatus],
    [header.lastIndexOf('error'), why],
  ]);
  return header.map((_name, column) => said.get(column) ?? '');
}

/** By rows of the campaign. */
export async function linesOfRows(
  { ledger }: Pick<Runtime, 'ledger'>,
  campaign: Campaign,
  results: ResultLines,
  wanted: ReadonlySet<number>,
): Promise<ReadonlyMap<number, readonly string[]>> {
  const lines = new Map<number, readonly string[]>();
  if (wanted.size === 0) return lines;
  for await (const some of endedRows(ledger, campaign, { rows: wanted })) {
    const texts = await results.linesOf(some);
    for (const [at, { row }] of some.entries()) lines.set(row, texts[at] ?? []);
  }
  return lines;
}

/** Header first; her rows in their order, also those that are no posts; then the rows that her sheet lacks. */
export async function* linesOfOwnSheet(
  runtime: Pick<Runtime, 'ledger' | 'settings' | 'now'>,
  campaign: Campaign,
  own: OwnSheet,
  options?: ResultsOptions,
): AsyncGenerator<readonly string[]> {
  const results = await openResults(runtime.ledger, campaign, deliveryRules(runtime), options);
  yield results.header;
  const { map } = campaign;
  const sheet = await openSheet(fileSource(own.path), { ...own, map });
  try {
    const alignment = new CellAlignment(campaign, matchHeader(sheet.header.cells, { map }));
    for await (const rows of sheet.rows) {
      const wanted = new Set(rows.flatMap((row) => own.rows.at(row) ?? []));
      const lines = await linesOfRows(runtime, campaign, results, wanted);
      for (const row of rows) {
        const line = lines.get(own.rows.at(row) ?? -1);
        const why = whySkipped(own, row);
        if (line !== undefined) yield line;
        // In a file that hides nothing, a hidden row would look like a post.
        else if (why !== undefined || unseenAs(row) === undefined) {
          const aligned = alignment.align(row.cells);
          const cells = results.own.map((target) => unguardFormula(aligned[target] ?? ''));
          const said = why === undefined ? [] : skippedLine(results, why);
          yield results.header.map((_name, column) => cells[column] ?? said[column] ?? '');
        }
      }
    }
  } finally {
    await sheet.close();
  }
  for await (const some of endedRows(runtime.ledger, campaign, {
    rows: new Set(own.rows.absent(campaign.rows)),
  }))
    yield* await results.linesOf(some);
}
