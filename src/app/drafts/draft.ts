/** A draft: a sheet with its media that is to become a campaign. Nothing is sent before it is started. */
import { hash } from 'node:crypto';
import { z } from 'zod';
import { mostCanaryRows } from '../../importers/plan/canary.ts';
import { approveRules, leadRule, readLead } from '../../manifest/campaign-options.ts';
import { UseCaseError } from '../../manifest/problems/use-case-error.ts';
import { describeFileError } from '../../platform/files/disk.ts';
import { ForeignFolderError } from '../../platform/files/ownership.ts';
import { mostWorksheets } from '../../sheets/sheet.ts';
import { encodings } from '../../sheets/text/encoding.ts';
import { longestAddress } from '../campaigns/import/sheet-address.ts';
import { stopAfterSchema } from '../campaigns/import/start.ts';

const text = (max: number) => z.string().max(max);

/** Choices of a person about how to read the sheet. They override what its bytes suggest. */
export const readingSchema = z.strictObject({
  /** Name of a worksheet, or of several that are read as one table. */
  sheet: z.union([text(100), z.array(text(100)).min(1).max(mostWorksheets)]).optional(),
  delimiter: z.enum([',', ';', '\t', '|']).optional(),
  encoding: z.enum(encodings).optional(),
  /** Line of the headers; found unless given. */
  headerLine: z.int().min(1).optional(),
  /** Column, or `_` for a note, by header as in the sheet. */
  map: z.record(text(1000), text(50)).optional(),
  /** IANA zone of times without one. Undefined until somebody has chosen it. */
  timezone: text(100).optional(),
  /** Post the rows that the sheet's own status says are posted, cancelled, ... Without it they have a problem, and can be left out. */
  ownStatus: z.literal('post').optional(),
  /** The same for rows that the workbook hides or strikes through. */
  hidden: z.literal('post').optional(),
  /** Check also the rows that have nothing of a post, such as headings. Without it they are skipped. */
  noPosts: z.literal('post').optional(),
  /** Take ids that end in zeros as they are. */
  trustIds: z.literal(true).optional(),
});

export const optionsSchema = z.strictObject({
  /** Name of the campaign; that of the sheet unless given. */
  name: text(200).optional(),
  /** Rows to post first: so many of the sheet, one of each kind or creator, or rows by number. Then the campaign pauses. */
  canary: z
    .union([
      z.int().min(1),
      z.enum(['kinds', 'creators']),
      z.strictObject({ rows: z.array(z.int().min(1)).min(1).max(mostCanaryRows) }),
    ])
    .optional(),
  /** Percentage of ended rows that may fail before the campaign is paused. */
  stopAfter: stopAfterSchema.optional(),
  /** How long before their time the service gets the posts, as `readLead` reads it; as the settings say unless given. */
  lead: z
    .string()
    .refine((given) => readLead(given) !== undefined, { error: `must be ${leadRule}` })
    .optional(),
  /** Which posts wait for an approval; as the settings say unless given. */
  approve: z.enum(approveRules).optional(),
  leaveOutProblems: z.boolean().optional(),
});

export const draftSchema = z.strictObject({
  id: z.string().regex(/^[0-9a-f]{16}$/),
  version: z.int().min(1),
  /** Times are in milliseconds since the epoch. */
  createdAt: z.int(),
  changedAt: z.int(),
  owner: text(200),
  changedBy: text(200),
  /** Describes the last change, to people whose own change comes too late. */
  changed: text(200),
  /** The planner's file; undefined until it is uploaded. It is never changed. */
  sheet: z
    .strictObject({
      /** File name on the owner's machine. */
      name: text(200),
      bytes: z.int(),
      /** Lowercase hex. */
      sha256: text(64),
      /** Where it was fetched; undefined for an upload. */
      address: text(longestAddress).optional(),
    })
    .optional(),
  reading: readingSchema,
  options: optionsSchema,
  /** A start has begun, and whether it created a campaign is not known yet. Until then, files must not change. */
  starting: z.literal(true).optional(),
  /** How many changes of the sheet were stored, undos among them; undefined if nothing was edited. */
  edits: z.int().min(0).optional(),
  /** Id of the campaign that the sheet updates; undefined for a new one. */
  into: text(50).optional(),
  /** `sha256` of the sheet that has updated it from this draft: rows that it left out wait here for their fixes. */
  updatedWith: text(64).optional(),
  /** Id of the campaign that it became. Its media stay as long as the campaign. */
  campaign: text(50).optional(),
  /** Id of the ledger that has the campaign, of `campaign` or `into`. */
  ledger: text(100).optional(),
});

export type Draft = Readonly<z.infer<typeof draftSchema>>;
export type DraftReading = Readonly<z.infer<typeof readingSchema>>;
export type DraftOptions = Readonly<z.infer<typeof optionsSchema>>;
export type DraftChange = Partial<
  Pick<
    Draft,
    'sheet' | 'reading' | 'options' | 'starting' | 'edits' | 'into' | 'updatedWith' | 'campaign' | 'ledger'
  >
>;

/** The worksheets that were chosen; undefined: the first visible one. */
export function sheetsOf({ sheet }: DraftReading): readonly string[] | undefined {
  return sheet === undefined ? undefined : [sheet].flat();
}

/** Identifies a sheet and what decides which rows it has. Undefined without a sheet. */
export function readingId({ sheet, reading }: Pick<Draft, 'sheet' | 'reading'>): string | undefined {
  if (sheet === undefined) return undefined;
  const { delimiter = '', encoding = '', headerLine = '' } = reading;
  const names = sheetsOf(reading) ?? [''];
  // Several names joined would be those of other worksheets, too: "Video Photo".
  const name = names.length === 1 ? names[0] : hash('sha256', JSON.stringify(names));
  return [sheet.sha256, delimiter, encoding, headerLine, name].join(' ');
}

export function draftNotFound(): UseCaseError {
  const why = 'this draft no longer exists; it was discarded, or not used for 7 days';
  return new UseCaseError('draft_not_found', why, { fix: 'Add the sheet again.' });
}

export function draftNotStored(error: unknown): UseCaseError {
  return new UseCaseError('draft_not_stored', `the draft cannot be stored: ${describeFileError(error)}`, {
    fix:
      error instanceof ForeignFolderError
        ? 'Ask an operator to give the folder to the user of the console alone, or to choose another media folder.'
        : "Ask an operator to free space on the console's disk, and to check that it may write to its data folder.",
    cause: error,
  });
}

/** Another process does not end its change of the draft. */
export function draftBusy(): UseCaseError {
  return new UseCaseError('draft_changed', 'another console is saving this draft', {
    fix: 'Try again. Only one console should serve a data directory.',
  });
}

export async function onDisk<T>(work: () => Promise<T>): Promise<T> {
  return work().catch((error: unknown) => {
    throw draftNotStored(error);
  });
}

/** @param why as the end of a sentence. */
export function draftRefused(
  why: string,
  fix = 'Nothing was changed. Load the page of the draft again.',
): UseCaseError {
  return new UseCaseError('draft_refused', why, { fix });
}

/** @throws {UseCaseError} `draft_changed` for a draft that has become a campaign. */
export function refuseStarted({ campaign }: Draft): void {
  if (campaign === undefined) return;
  throw new UseCaseError('draft_changed', `the draft has become campaign ${campaign}`, {
    fix: 'Use the campaign page: cancel it, delete it, or update it with a corrected sheet.',
  });
}

/** @throws {UseCaseError} `draft_refused` while a start may have created a campaign, which needs the files unchanged. */
export function refuseStarting({ starting }: Draft): void {
  if (!starting) return;
  throw draftRefused(
    'the draft was being started, and it is not known whether that succeeded',
    'Press Start again: it opens the campaign, or creates it if there is none.',
  );
}
