/** Changes how the sheet of a draft is read, and the options of the campaign that it becomes. */
import { isDeepStrictEqual } from 'node:util';
import type { z } from 'zod';
import { isTimeZone } from '../../service/contract/time-zone.ts';
import type { Runtime } from '../runtime/runtime.ts';
import {
  type Draft,
  type DraftOptions,
  type DraftReading,
  draftRefused,
  optionsSchema,
  readingSchema,
  sheetsOf,
} from './draft.ts';
import { type Change, changeDraft } from './drafts.ts';
import { draftFiles } from './folder.ts';
import { rememberedReadingOf } from './remembered-columns.ts';

type Settings = Pick<Runtime, 'environment' | 'settings' | 'now'>;

/** Null takes a choice back. */
type Choices<T> = { readonly [Name in keyof T]?: T[Name] | null };

/**
 * Changes how the sheet is read. A different sheet of the workbook, separator or encoding gives different rows: the edits of the
 * old rows are kept, and apply again if the old choice is restored. Another sheet or line of the headers has its own columns.
 * @throws {UseCaseError} `draft_changed`, `draft_refused` for an unknown zone or encoding, `draft_not_found`, `draft_not_stored`.
 */
export async function changeReading(
  runtime: Settings,
  id: string,
  change: Change,
  choices: Choices<DraftReading>,
): Promise<Draft> {
  const what = `how the sheet is read (${Object.keys(choices).map(wordOf).join(', ')})`;
  return changeDraft(runtime, id, { ...change, what }, async ({ reading, sheet }) => {
    // Other headers have other columns.
    const isSame = isDeepStrictEqual(headersOf({ ...reading, ...choices }), headersOf(reading));
    const { map: _other, ...withoutColumns } = reading;
    const kept = isSame ? reading : withoutColumns;
    const layout = read(readingSchema, { ...kept, ...choices });
    const isOther = !isDeepStrictEqual(layoutOf(layout), layoutOf(reading));
    const { map, timezone } =
      sheet !== undefined && isOther
        ? await rememberedReadingOf(runtime, draftFiles(runtime, id).sheet, change.by, layout)
        : {};
    const remembered = { ...(map && { map }), ...(timezone && { timezone }) };
    const chosen = read(readingSchema, { ...remembered, ...kept, ...choices });
    if (chosen.timezone !== undefined && !isTimeZone(chosen.timezone)) {
      throw draftRefused(`there is no time zone ${chosen.timezone}`, 'Choose a zone such as Europe/Berlin.');
    }
    return { reading: chosen };
  });
}

/** @throws {UseCaseError} as `changeReading`. */
export async function changeOptions(
  runtime: Settings,
  id: string,
  change: Change,
  choices: Choices<DraftOptions>,
): Promise<Draft> {
  return changeDraft(runtime, id, { ...change, what: 'the options' }, ({ options }) => ({
    options: read(optionsSchema, { ...options, ...choices }),
  }));
}

/** What says how the headers of the sheet are read. */
function layoutOf(reading: DraftReading) {
  return [...headersOf(reading), reading.delimiter, reading.encoding];
}

/** What says where the headers of the sheet are. */
function headersOf({ sheet, headerLine }: Choices<DraftReading>) {
  return [sheetsOf({ sheet: sheet ?? undefined }), headerLine ?? undefined];
}

function read<T extends z.ZodType>(schema: T, choices: Readonly<Record<string, unknown>>): z.infer<T> {
  const kept = Object.fromEntries(Object.entries(choices).filter(([, chosen]) => chosen !== null));
  const found = schema.safeParse(kept);
  if (found.success) return found.data;
  const { path, message } = found.error.issues[0] ?? { path: [], message: 'it cannot be read' };
  throw draftRefused(
    `${wordOf(String(path[0] ?? ''))}: ${message}`,
    'Nothing was changed. Fix it, and save again.',
  );
}

const words: Readonly<Record<string, string>> = {
  map: 'columns',
  timezone: 'zone',
  ownStatus: 'rows with a status of their own',
  hidden: 'hidden rows',
  noPosts: 'rows that are not posts',
  trustIds: 'ids that look wrong',
  delimiter: 'separator',
  headerLine: 'line of the headers',
  stopAfter: 'stop after',
  lead: 'send to service',
  approve: 'approval',
  leaveOutProblems: 'rows with problems',
};

function wordOf(name: string): string {
  return words[name] ?? name;
}
