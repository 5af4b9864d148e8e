/** Finds the campaign that an uploaded results sheet belongs to, so that it updates it. */
import { basename } from 'node:path';
import type { Campaign } from '../../../ledger/campaigns/campaign.ts';
import { textOfCell } from '../../../manifest/cells/formula-guard.ts';
import { foldHeader } from '../../../manifest/columns.ts';
import { printable } from '../../../manifest/printable.ts';
import { hintsOf } from '../../../manifest/problems/hint.ts';
import { openSheet } from '../../../sheets/open-sheet.ts';
import { findPostSheet } from '../../../sheets/other-worksheets.ts';
import { fileSource, UnreadableSheetError } from '../../../sheets/sheet.ts';
import { type Encoding, encodings } from '../../../sheets/text/encoding.ts';
import { readingLikeCampaign } from '../../campaigns/import/like-campaign.ts';
import { fetchSheet } from '../../campaigns/import/sheet-address.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import type { Draft, DraftReading } from '../draft.ts';
import { changeDraft, createDraft, findDraft } from '../drafts.ts';
import { draftFiles } from '../folder.ts';
import type { OpenDrafts } from '../open-drafts.ts';
import { kindOfFile, readDroppedPath } from './incoming.ts';
import { takeSheet } from './upload.ts';

/** @returns undefined for a sheet of a new campaign, of another ledger, or that cannot be read. */
async function findSheetHome(runtime: Runtime, { id, sheet }: Draft): Promise<Campaign | undefined> {
  if (sheet === undefined) return undefined;
  const path = draftFiles(runtime, id).sheet;
  const facts = await readFacts(path, sheet.name).catch((error: unknown) => {
    // Results are written in the encoding of the planner's sheet.
    const encoding = guessedEncoding(error);
    return encoding && readFacts(path, sheet.name, encoding).catch(() => undefined);
  });
  if (facts === undefined) return undefined;
  const { ledger } = runtime;
  if (facts.ledger !== '' && facts.ledger !== (await ledger.format.id())) return undefined;
  return ledger.campaigns.find(facts.campaign).catch(() => undefined);
}

/** An update of its campaign, if it is a results sheet. @throws {UseCaseError} as `changeDraft`. */
export async function handOverSheet(runtime: Runtime, id: string, by: string): Promise<void> {
  const draft = await findDraft(runtime, id);
  const { into } = draft;
  const campaign =
    into === undefined
      ? await findSheetHome(runtime, draft)
      : await runtime.ledger.campaigns.find(into).catch(() => undefined);
  if (campaign !== undefined) await updateWith(runtime, id, campaign, by);
}

/** Makes a draft the one of an update. Its rows are read as those of the campaign, with the campaign's zone. */
async function updateWith(runtime: Runtime, id: string, campaign: Campaign, by: string): Promise<void> {
  const ledger = await runtime.ledger.format.id();
  const change = { by, version: undefined, what: `an update of ${campaign.id}` };
  const draft = await findDraft(runtime, id);
  const like = await readingLike(runtime, draft, campaign);
  if (draft.into === campaign.id && Object.keys(like).length === 0) return;
  await changeDraft(runtime, id, change, ({ reading: { timezone: _timezone, ...reading } }) => ({
    into: campaign.id,
    ledger,
    reading: { ...reading, ...like },
    options: {},
  }));
}

/** @returns nothing if a person chose another reading. */
async function readingLike(
  runtime: Runtime,
  { id, sheet, reading }: Draft,
  campaign: Campaign,
): Promise<Pick<DraftReading, 'sheet' | 'delimiter' | 'encoding' | 'headerLine'>> {
  if (sheet === undefined || reading.delimiter !== undefined || reading.encoding !== undefined) return {};
  const source = fileSource(draftFiles(runtime, id).sheet);
  const found = await findPostSheet(source).catch(() => undefined);
  if (reading.sheet !== undefined && reading.sheet !== found) return {};
  const { headerLine } = reading;
  const options = found === undefined ? { headerLine } : { headerLine, sheets: [found] };
  const { sheets, ...like } = await readingLikeCampaign(runtime, campaign, source, options);
  const [only, ...others] = sheets ?? [];
  return only === undefined ? like : { ...like, sheet: others.length === 0 ? only : [only, ...others] };
}

/** A draft without files that updates a campaign. @returns its id. @throws {UseCaseError} `drafts_full`, `draft_not_stored`. */
export async function draftInto(runtime: Runtime, campaign: Campaign, by: string): Promise<string> {
  const { id } = await createDraft(runtime, by);
  await updateWith(runtime, id, campaign, by);
  return id;
}

interface DraftOf {
  /** The campaign that it updates; undefined for a new one. */
  readonly campaign: Campaign | undefined;
  readonly by: string;
}

/** Of a sheet at an address. @returns its id. @throws {UseCaseError} as `fetchSheet`, `draftUpdate`. */
export async function draftAddress(
  runtime: Runtime,
  drafts: Pick<OpenDrafts, 'discard'>,
  of: DraftOf,
  given: string,
): Promise<string> {
  await using sheet = await fetchSheet(runtime, given);
  const { address, path, fileName: name } = sheet;
  return await draftUpdate(runtime, drafts, of, { name, path, address });
}

/** Of a sheet in a file of the console. @returns its id. @throws {UseCaseError} `drafts_full`, `draft_not_stored`, `upload_refused`. */
export async function draftUpdate(
  runtime: Runtime,
  drafts: Pick<OpenDrafts, 'discard'>,
  { campaign, by }: DraftOf,
  sheet: { readonly name: string; readonly path: string; readonly address?: string },
): Promise<string> {
  const { id } = await createDraft(runtime, by);
  try {
    await takeSheet(runtime, { draft: id, path: nameOf(sheet.name), by }, sheet.path);
    const { address } = sheet;
    if (address !== undefined) {
      const change = { by, version: undefined, what: 'the sheet' };
      await changeDraft(runtime, id, change, (now) => ({ sheet: now.sheet && { ...now.sheet, address } }));
    }
    await (campaign === undefined ? handOverSheet(runtime, id, by) : updateWith(runtime, id, campaign, by));
    return id;
  } catch (error) {
    await drafts.discard(id);
    throw error;
  }
}

const longestName = 100;

/** The name of a file as a sheet's: any is taken, as long as its bytes are those of a sheet. */
function nameOf(given: string): string {
  const name = printable(basename(given.replaceAll('\\', '/'))).slice(-longestName);
  const path = kindOfFile(name) === 'sheet' ? name : `${name}.csv`;
  try {
    return readDroppedPath(path);
  } catch {
    return 'sheet.csv';
  }
}

function guessedEncoding(error: unknown): Encoding | undefined {
  if (!(error instanceof UnreadableSheetError)) return undefined;
  const guesses = hintsOf(error.problem.fix).flatMap((each) =>
    each.action === 'encoding' && each.params.encoding !== null ? [each.params.encoding] : [],
  );
  return encodings.find((encoding) => guesses.includes(encoding));
}

/** Reads the header of the posts, and the first row that names a campaign. */
async function readFacts(path: string, name: string, encoding?: Encoding) {
  const source = fileSource(path, name);
  const found = await findPostSheet(source);
  const sheet = await openSheet(source, { encoding, ...(found !== undefined && { sheets: [found] }) });
  const folded = sheet.header.cells.map(foldHeader);
  // The runner adds its columns after the planner's, who may have one of the same name.
  const position = (column: string) => folded.lastIndexOf(foldHeader(column));
  const [campaign, ledger] = [position('campaign'), position('ledger')];
  try {
    // The key column may have another name in the sheet.
    if (campaign < 0 || position('status') < 0 || (ledger < 0 && position('key') < 0)) return undefined;
    for await (const part of sheet.rows) {
      for (const { cells } of part) {
        const of = (at: number) => textOfCell(cells, at);
        if (of(campaign) === '') continue;
        return { campaign: of(campaign), ledger: of(ledger) };
      }
      // A results sheet names its campaign in every row.
      return undefined;
    }
    return undefined;
  } finally {
    await sheet.close();
  }
}
