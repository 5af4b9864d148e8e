/**
 * Reads rows of a manifest: turns cells into a checked `Row`, or finds all its problems.
 *
 * Reading is a pure function of the cells, the row number and the options, because the ledger stores the cells and every step reads the
 * row again. It must not use the clock, the file system or the network, and must be fast: about a microsecond per row.
 */
import { mediaTypes } from '../service/contract/posts.ts';
import { approveRules } from './campaign-options.ts';
import { mediaTypeNames } from './cells/choices.ts';
import { textOfCell } from './cells/formula-guard.ts';
import { generationColumns, readGeneration, refuseGenerationFields } from './cells/generation.ts';
import { findWordFault } from './cells/id.ts';
import { readCover, readMediaType, readSources } from './cells/media.ts';
import {
  readAiLabel,
  readCaption,
  readCreator,
  readMusic,
  readPreCheck,
  readProduct,
  readShowcase,
} from './cells/post-options.ts';
import { readLeadCell, readSchedule, readZone } from './cells/schedule.ts';
import { Zones } from './cells/zone.ts';
import { type ColumnName, reservedNames } from './columns.ts';
import type { ColumnMap } from './headers/column-map.ts';
import { type Header, type HeaderOptions, type HeaderProblem, matchHeader } from './headers/header.ts';
import type { CellProblem } from './problems/problem.ts';
import type { Generation, Row } from './row.ts';
import { RowInput } from './row-input.ts';

interface RowReaderOptions extends HeaderOptions {
  /** IANA zone for times of rows without a zone; `null`: such times are a problem. */
  readonly timezone: string | null;
  /** Whether the last cells of a row may be missing: rows of a campaign whose sheet got more columns. */
  readonly mayBeShort?: boolean;
}

/** The readable parts of a row with problems, so that further checks can find more. */
export type RowDraft = Omit<Row, 'mediaType'> & { readonly mediaType: Row['mediaType'] | undefined };

export type RowReading =
  | { readonly row: Row }
  | {
      readonly problems: readonly CellProblem[];
      /** `null` if nothing in the row is reliable. */
      readonly draft: RowDraft | null;
    };

/** A row of a sheet, as stored or as just read. */
interface NumberedCells {
  readonly cells: readonly string[];
  /** From 1: the key of a row that has none. */
  readonly number: number;
}

export interface RowReader {
  readonly header: Header;
  /** Never throws. */
  read(row: NumberedCells): RowReading;
  /** Undefined for a row with problems. */
  row(row: NumberedCells): Row | undefined;
  /** Only the key, several times faster. */
  key(row: NumberedCells): string;
}

export class HeaderError extends Error {
  override readonly name = 'HeaderError';
  readonly problems: readonly HeaderProblem[];

  constructor(problems: readonly HeaderProblem[]) {
    super(`the header has ${problems.length === 1 ? 'a problem' : `${problems.length} problems`}`);
    this.problems = problems;
  }
}

/** @throws {HeaderError} with every problem of the header. */
export function createRowReader(headerCells: readonly string[], options: RowReaderOptions): RowReader {
  const header = matchHeader(headerCells, options);
  if (header.problems.length > 0) throw new HeaderError(header.problems);
  const zones = new Zones();
  const defaultZone = options.timezone === null ? null : zones.find(options.timezone);
  const input = new RowInput(header, { zones, defaultZone });
  const aboutGeneration = generationColumns(input.present);
  const read = ({ cells, number }: NumberedCells): RowReading => {
    input.begin(cells);
    if (!checkShape(input, header, cells, options.mayBeShort))
      return { problems: input.takeProblems(), draft: null };
    const draft = readRow(input, number, aboutGeneration);
    return isWhole(draft, input) ? { row: draft } : { problems: input.takeProblems(), draft };
  };
  return {
    header,
    read,
    row(row) {
      const reading = read(row);
      return 'row' in reading ? reading.row : undefined;
    },
    key: ({ cells, number }) => textOfCell(cells, header.indexes.key) || String(number),
  };
}

function readRow(input: RowInput, rowNumber: number, aboutGeneration: readonly ColumnName[]): RowDraft {
  const key = readKey(input, rowNumber);
  const creator = readCreator(input);
  const caption = readCaption(input);
  const product = readProduct(input);
  const showcase = readShowcase(input, product);
  const zone = readZone(input);
  const schedule = readSchedule(input, zone);
  const lead = readLeadCell(input);
  const approve = input.choice('approve', approveRules);
  const prompt = input.text('ai_prompt');
  const media = readSources(input, 'media');
  const givenType = input.choice('media_type', mediaTypes, mediaTypeNames);
  const generation = prompt === '' ? undefined : readGeneration(input, prompt, zone);
  const lacksPrompt = prompt === '' && refuseGenerationFields(input, aboutGeneration, media.length > 0);
  const mediaType =
    lacksPrompt && media.length === 0
      ? givenType
      : decideMediaType(input, media, prompt, generation, givenType);
  if (generation !== undefined) checkGenerationTime(input, generation, schedule);
  const { preCheck, preCheckOvertime } = readPreCheck(input, mediaType);
  const music = readMusic(input);
  const cover = readCover(input, mediaType);
  const isAiGenerated = readAiLabel(input, mediaType, prompt !== '');
  const oauthRegion = input.id('oauth_region') || undefined;
  return {
    key,
    creator,
    mediaType,
    media,
    caption,
    product,
    showcase,
    schedule,
    lead,
    approve,
    oauthRegion,
    isAiGenerated,
    preCheck,
    preCheckOvertime,
    music,
    cover,
    generation,
  };
}

/** A row without problems always has a media type. The second test is for the compiler. */
function isWhole(draft: RowDraft, input: RowInput): draft is Row {
  return !input.failed && draft.mediaType !== undefined;
}

/**
 * What is wrong with the number of cells of a row; undefined if nothing is. Empty cells behind the last header do no harm.
 * @param width how many headers there are.
 */
export function findRagged(
  cells: readonly string[],
  width: number,
): readonly [code: string, value: string, problem: string, fix: string] | undefined {
  if (cells.length === width) return undefined;
  if (cells.length > width && cells.slice(width).every((cell) => cell === '')) return undefined;
  return [
    'ragged_row',
    cells.slice(-3).join(' | '),
    `the row has ${cells.length} ${cells.length === 1 ? 'cell' : 'cells'}, but the header has ${width}`,
    cells.length < width
      ? 'Look for a missing separator, or a quote too many. Or save the sheet as XLSX: Excel leaves out empty cells at the end of CSV rows.'
      : 'Look for an extra separator, quote or line break. Put a cell that contains a separator in quotes.',
  ];
}

/** Checks the number of cells. With a wrong number the cells may be under wrong headers, so no other check applies. */
function checkShape(input: RowInput, header: Header, cells: readonly string[], mayBeShort = false): boolean {
  const { length } = header.names;
  const least = mayBeShort ? 0 : header.names.findLastIndex((name) => name !== '') + 1;
  const isShort = cells.length >= least && cells.length < length;
  const ragged = isShort ? undefined : findRagged(cells, length);
  if (ragged) {
    input.reportRow(...ragged);
    return false;
  }
  for (const index of header.blanks) {
    const cell = cells[index] ?? '';
    if (cell.trim() === '') continue;
    input.reportRow(
      'cell_without_header',
      cell,
      `cell ${index + 1} has an empty header`,
      'Name the column in the header, or clear the cell.',
    );
  }
  return true;
}

function readKey(input: RowInput, rowNumber: number): string {
  const key = input.text('key');
  if (key === '') return String(rowNumber);
  const fault = findWordFault(key);
  if (fault !== null && fault !== 'space') input.reportIdFault('key', fault);
  // Programs resolve `/campaigns/c1/rows/../cancel`, also with encoded dots.
  if (reservedNames.has(key) || key === '.' || key === '..') {
    input.report('key', 'reserved_name', 'this name is not allowed as a key', 'Give the row another key.');
  }
  return key;
}

function decideMediaType(
  input: RowInput,
  media: readonly string[],
  prompt: string,
  generation: Generation | undefined,
  given: Row['mediaType'] | undefined,
): Row['mediaType'] | undefined {
  if (prompt === '') {
    if (media.length > 0) return readMediaType(input, media, given);
    const fix = 'Fill in media with a path or URL, or ai_prompt to generate it.';
    input.report('media', 'media_missing', `the row has neither ${input.mediaTitles()} nor ai_prompt`, fix);
    return given;
  }
  if (media.length > 0) {
    const fix = 'Clear one of them.';
    input.report('ai_prompt', 'media_and_prompt', 'media and ai_prompt are both filled in', fix);
  }
  if (generation === undefined) return given;
  const made = generation.type === 'IMAGE_GENERATION' ? 'PHOTO' : 'VIDEO';
  if (given !== undefined && given !== made) {
    input.report(
      'media_type',
      'media_type_contradicts',
      `media_type is ${given}, but ${generation.model} makes a ${made}`,
      `Set media_type to ${made}, or leave it empty.`,
    );
  }
  return made;
}

function checkGenerationTime(input: RowInput, generation: Generation, schedule: Row['schedule']): void {
  if (generation.execAt === undefined || schedule === undefined || generation.execAt < schedule.at) return;
  input.report(
    'ai_exec_at',
    'generation_after_post',
    'the generation begins after the time of its post',
    'Set ai_exec_at well before scheduled_at.',
  );
}

export interface ImportedSheet {
  readonly header: readonly string[];
  readonly map: ColumnMap;
  /** Zone for times without one, as set at import. */
  readonly timezone: string | null;
}

export function createImportedRowReader({ header, map, timezone }: ImportedSheet): RowReader {
  return createRowReader(header, {
    map,
    timezone,
    mayBeShort: true,
  });
}
