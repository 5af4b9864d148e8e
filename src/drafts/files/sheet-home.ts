/** Finds the campaign that an uploaded sheet belongs to: a results sheet with mended rows, or a sheet of decisions. */
import { keepSheetFile } from '../../campaigns/import/kept-sheet.ts';
import type { Campaign } from '../../ledger/campaigns/campaign.ts';
import { textOfCell } from '../../manifest/cells/formula.ts';
import { foldHeader } from '../../manifest/columns.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { openSheet } from '../../sheets/open-sheet.ts';
import { fileSource } from '../../sheets/sheet.ts';
import type { Draft } from '../draft.ts';
import { findDraft } from '../drafts.ts';
import { draftFiles } from '../folder.ts';
import type { OpenDrafts } from '../open-drafts.ts';
import { readFiles } from './record.ts';

export interface SheetHome {
  /** `decisions`: rows in review, with a column for decisions. */
  readonly kind: 'results' | 'decisions';
  readonly campaign: Campaign;
}

/** @returns undefined for a sheet of a new campaign, of another ledger, or that cannot be read. */
async function findSheetHome(runtime: Runtime, { id, sheet }: Draft): Promise<SheetHome | undefined> {
  if (sheet === undefined) return undefined;
  const facts = await readFacts(draftFiles(runtime, id).sheet, sheet.name).catch(() => undefined);
  if (facts === undefined) return undefined;
  const { ledger } = runtime;
  if (facts.ledger !== '' && facts.ledger !== (await ledger.format.id())) return undefined;
  const campaign = await ledger.campaigns.find(facts.campaign).catch(() => undefined);
  return campaign && { kind: facts.hasDecisions ? 'decisions' : 'results', campaign };
}

/**
 * Keeps a sheet that belongs to a campaign, to plan its import. Removes the draft that it was uploaded to, unless that has media.
 * @returns undefined for a sheet of a new campaign.
 * @param drafts removes the draft.
 * @throws {UseCaseError} `manifest_unreadable` when it cannot be stored, and as `discardDraft`.
 */
export async function handOverSheet(
  runtime: Runtime,
  drafts: Pick<OpenDrafts, 'discard'>,
  id: string,
): Promise<(SheetHome & { readonly token: string; readonly file: string }) | undefined> {
  const draft = await findDraft(runtime, id);
  const home = await findSheetHome(runtime, draft);
  if (home === undefined || draft.sheet === undefined) return undefined;
  const token = await keepSheetFile(runtime, draftFiles(runtime, id).sheet);
  const { stored, announced } = await readFiles(runtime, id);
  // Media that came with the sheet are not removed without asking.
  if (stored.size === 0 && announced.size === 0) await drafts.discard(id);
  return { ...home, token, file: draft.sheet.name };
}

/** Reads the header and the first row that names a campaign. */
async function readFacts(path: string, name: string) {
  const sheet = await openSheet(fileSource(path, name));
  const folded = sheet.header.cells.map(foldHeader);
  const position = (column: string) => folded.indexOf(foldHeader(column));
  const [campaign, ledger] = [position('campaign'), position('ledger')];
  try {
    // The key column may have another name in the sheet.
    if (campaign < 0 || position('status') < 0 || (ledger < 0 && position('key') < 0)) return undefined;
    for await (const part of sheet.rows) {
      for (const { cells } of part) {
        const of = (at: number) => textOfCell(cells, at);
        if (of(campaign) === '') continue;
        return { campaign: of(campaign), ledger: of(ledger), hasDecisions: position('decision') >= 0 };
      }
      // A results sheet names its campaign in every row.
      return undefined;
    }
    return undefined;
  } finally {
    await sheet.close();
  }
}
