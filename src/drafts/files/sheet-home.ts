/** Finds the campaign that an uploaded sheet belongs to: a results sheet with mended rows, or a sheet of decisions. */
import { basename } from 'node:path';
import { keepSheetFile } from '../../campaigns/import/kept-sheet.ts';
import type { Campaign } from '../../ledger/campaigns/campaign.ts';
import { textOfCell } from '../../manifest/cells/formula.ts';
import { foldHeader } from '../../manifest/columns.ts';
import { presentable } from '../../manifest/presentable.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { openSheet } from '../../sheets/open-sheet.ts';
import { fileSource } from '../../sheets/sheet.ts';
import type { Draft } from '../draft.ts';
import { changeDraft, createDraft, findDraft } from '../drafts.ts';
import { draftFiles } from '../folder.ts';
import type { OpenDrafts } from '../open-drafts.ts';
import { kindOfFile, readDroppedPath } from './dropped-path.ts';
import { readFiles } from './record.ts';
import { receiveWhole } from './upload.ts';

interface SheetHome {
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

/** Where an uploaded sheet goes on: as the draft of an update, or as a sheet of decisions, which is kept under a token. */
export type HandedSheet =
  | { readonly kind: 'update'; readonly campaign: Campaign }
  | {
      readonly kind: 'decisions';
      readonly campaign: Campaign;
      readonly token: string;
      readonly file: string;
    };

/**
 * Finds the campaign that an uploaded sheet belongs to. The draft of a results sheet then updates it. That of decisions is removed,
 * unless it has media.
 * @returns undefined for a sheet of a new campaign.
 * @param drafts removes the draft.
 * @throws {UseCaseError} `manifest_unreadable` when it cannot be stored, and as `discardDraft` and `changeDraft`.
 */
export async function handOverSheet(
  runtime: Runtime,
  drafts: Pick<OpenDrafts, 'discard'>,
  id: string,
  by: string,
): Promise<HandedSheet | undefined> {
  const draft = await findDraft(runtime, id);
  if (draft.into !== undefined) return undefined;
  const home = await findSheetHome(runtime, draft);
  if (home === undefined || draft.sheet === undefined) return undefined;
  const { kind, campaign } = home;
  if (kind === 'results') {
    await updateWith(runtime, id, campaign, by);
    return { kind: 'update', campaign };
  }
  const token = await keepSheetFile(runtime, draftFiles(runtime, id).sheet);
  const { stored, announced } = await readFiles(runtime, id);
  // Media that came with the sheet are not removed without asking.
  if (stored.size === 0 && announced.size === 0) await drafts.discard(id);
  return { kind, campaign, token, file: draft.sheet.name };
}

/** Makes a draft the one of an update. Its rows are read as those of the campaign, with the campaign's zone and account. */
async function updateWith(runtime: Runtime, id: string, campaign: Campaign, by: string): Promise<void> {
  const ledger = await runtime.ledger.format.id();
  const change = { by, version: undefined, what: `an update of ${campaign.id}` };
  await changeDraft(runtime, id, change, ({ reading: { timezone: _timezone, ...reading } }) => ({
    into: campaign.id,
    ledger,
    reading,
    options: { account: campaign.account },
  }));
}

/**
 * Makes a draft of a corrected sheet.
 * @param sheet its name and bytes. @returns the id of the draft.
 * @throws {UseCaseError} `drafts_full`, `draft_not_stored`, `upload_refused`.
 */
export async function draftUpdate(
  runtime: Runtime,
  drafts: Pick<OpenDrafts, 'discard'>,
  { campaign, by }: { readonly campaign: Campaign; readonly by: string },
  sheet: { readonly name: string; readonly bytes: () => AsyncIterable<Buffer> },
): Promise<string> {
  const { id } = await createDraft(runtime, by);
  try {
    const path = nameOf(sheet.name);
    await receiveWhole(runtime, { draft: id, path, by }, sheet.bytes());
    await updateWith(runtime, id, campaign, by);
    return id;
  } catch (error) {
    await drafts.discard(id);
    throw error;
  }
}

const longestName = 100;

/** The name of a file as a sheet's: any is taken, as long as its bytes are those of a sheet. */
function nameOf(given: string): string {
  const name = presentable(basename(given.replaceAll('\\', '/'))).slice(-longestName);
  const path = kindOfFile(name) === 'sheet' ? name : `${name}.csv`;
  try {
    return readDroppedPath(path);
  } catch {
    return 'sheet.csv';
  }
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
