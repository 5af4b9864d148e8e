/** Reads a sheet of videos: a list of links with or without a header, or a results sheet in which `video_url` is filled in. */

import { textOfCell } from '../../../manifest/cells/formula-guard.ts';
import { creatorIn, findIdFault } from '../../../manifest/cells/id.ts';
import { idProblem } from '../../../manifest/cells/id-problems.ts';
import { hasControlsOrBreaks } from '../../../manifest/cells/scalars.ts';
import { readVideoUrl, type VideoUrlFault, videoIdOf } from '../../../manifest/cells/video-url.ts';
import { foldHeader, reservedNames } from '../../../manifest/columns.ts';
import { matchHeader } from '../../../manifest/headers/header.ts';
import type { Fix } from '../../../manifest/problems/hint.ts';
import { type CellProblem, showValue } from '../../../manifest/problems/problem.ts';
import { findRagged } from '../../../manifest/reader.ts';
import { columnLetters, type SheetRow } from '../../../sheets/sheet.ts';

const videoColumns = [
  'video_url',
  'key',
  'campaign',
  'creator',
  'product_id',
  'label',
  'tags',
  'ledger',
] as const;
export type VideoColumn = (typeof videoColumns)[number];

export interface VideoRow {
  readonly id: string;
  /** Normalized. */
  readonly url: string;
  readonly key: string;
  readonly campaign: string;
  readonly creator: string;
  readonly product: string;
  readonly label: string;
  readonly tags: readonly string[];
  /** Id of the ledger that the sheet is from. */
  readonly ledger: string;
}

export type VideoRowReading =
  | { readonly row: VideoRow }
  /** A row of a results sheet in which nobody has filled in the URL yet. */
  | { readonly row: null }
  | { readonly problems: readonly CellProblem[]; readonly key?: string };

export interface VideoSheetReader {
  readonly problems: readonly CellProblem[];
  /** The first line has a link: the sheet has no header, and the line is a row. */
  readonly isHeaderless: boolean;
  /** Header of the column that was taken because it has links, not because of its name. */
  readonly linksIn: string | undefined;
  readonly has: (column: VideoColumn) => boolean;
  /** Never throws. */
  read(cells: readonly string[]): VideoRowReading;
  /** Whether a fault of a cell is a problem: its column is read, and that of the link in any row. @param position from 0. */
  isProblem(position: number, reading: VideoRowReading): boolean;
}

const aliases: Readonly<Record<string, VideoColumn>> = {
  url: 'video_url',
  publicurl: 'video_url',
  videolink: 'video_url',
  link: 'video_url',
  tag: 'tags',
  name: 'label',
};

const maxLength = 200;
const maxTags = 50;

/** Ignores other columns: results sheets have those of the manifest. @param first rows: the only column that has links will do. */
export function openVideoSheet(
  headerCells: readonly string[],
  first: readonly SheetRow[] = [],
): VideoSheetReader {
  const names = headerCells.map((cell) => foldHeader(cell.trim()));
  const { positions, ...found } = findColumns(headerCells, names, first);
  const isResults = names.includes('campaign') && names.includes('postid');
  const has = (column: VideoColumn) => positions[column] >= 0;
  const read = new Set(Object.values(positions));
  return {
    ...found,
    has,
    read(cells) {
      const ragged = findRagged(cells, headerCells.length);
      if (ragged) return { problems: [problem(null, ...ragged)] };
      return readRow((column) => textOfCell(cells, positions[column]), isResults);
    },
    isProblem(position, reading) {
      const isWithoutLink = 'row' in reading && reading.row === null;
      return isWithoutLink ? position === positions.video_url : read.has(position);
    },
  };
}

function findColumns(headerCells: readonly string[], names: readonly string[], first: readonly SheetRow[]) {
  const positions = noColumns();
  const problems: CellProblem[] = [];
  // The runner adds its columns after the planner's, who may have one of the same name.
  const isLastMeant = ['campaign', 'ledger'].every((mark) => names.includes(mark));
  for (const [index, name] of names.entries()) {
    const header = showValue(headerCells[index]?.trim() ?? '');
    if (reservedNames.has(headerCells[index]?.trim().toLowerCase() ?? '')) {
      const fix = 'Rename or remove the column.';
      problems.push(problem(header, 'reserved_name', header, 'this name is not allowed as a header', fix));
    }
    const column = videoColumns.find((each) => foldHeader(each) === name);
    if (column === undefined) continue;
    if (positions[column] >= 0 && !isLastMeant) {
      const what = `the header has the column ${column} twice`;
      problems.push(problem(header, 'duplicate_column', header, what, 'Keep one of them.'));
    } else positions[column] = index;
  }
  names.forEach((name, index) => {
    const column = aliases[name];
    if (column !== undefined && positions[column] < 0) positions[column] = index;
  });
  // Columns of a manifest have many names.
  const { indexes, results } = matchHeader(headerCells);
  for (const column of ['key', 'creator', 'product_id'] as const) {
    if (positions[column] < 0) positions[column] = indexes[column];
  }
  if (positions.video_url >= 0) return { positions, problems, isHeaderless: false, linksIn: undefined };
  const named = new Set([...Object.values(positions), ...Object.values(indexes), ...results]);
  const isHeaderless = headerCells.some(isLink);
  const found = isHeaderless
    ? [...headerCells.keys()].filter((index) => isLink(headerCells[index] ?? ''))
    : [...headerCells.keys()].filter((index) => !named.has(index) && hasLinks(first, index));
  const [only, other] = found;
  const linksIn = only === undefined || isHeaderless ? undefined : showValue(headerCells[only] ?? '');
  if (only === undefined || other !== undefined) {
    const which = found.map((index) => columnLetters(index)).join(' and ');
    const what =
      only === undefined ? 'the header has no column video_url' : `the columns ${which} have links`;
    const fix =
      only === undefined
        ? 'Add a column video_url with the public URL of each video.'
        : 'Write video_url above the column with the public URLs of the videos.';
    problems.push(problem('video_url', 'missing_column', '', what, fix));
  } else if (isHeaderless) {
    return { positions: { ...noColumns(), video_url: only }, problems: [], isHeaderless, linksIn };
  } else positions.video_url = only;
  return { positions, problems, isHeaderless, linksIn };
}

function noColumns(): Record<VideoColumn, number> {
  return Object.fromEntries(videoColumns.map((column) => [column, -1])) as Record<VideoColumn, number>;
}

function isLink(text: string): boolean {
  return 'url' in readVideoUrl(text);
}

/** Whether a column has nothing but links in these rows. */
function hasLinks(rows: readonly SheetRow[], column: number): boolean {
  const texts = rows.map(({ cells }) => textOfCell(cells, column)).filter((text) => text !== '');
  return texts.length > 0 && texts.every(isLink);
}

function readRow(text: (column: VideoColumn) => string, isResults: boolean): VideoRowReading {
  const written = text('video_url');
  if (written === '') {
    if (isResults) return { row: null };
    const fix = 'Fill in the public URL of the video, or remove the row.';
    return {
      problems: [problem('video_url', 'missing_value', '', 'video_url is empty', fix)],
      key: text('key'),
    };
  }
  const problems: CellProblem[] = [];
  const line = (column: VideoColumn, value = text(column)) => {
    if (hasControlsOrBreaks(value)) {
      const what = `${column} contains a control character or a line break`;
      problems.push(problem(column, 'control_characters', value, what, 'Type it again on one line.'));
    } else if (value.length > maxLength) {
      const what = `this is longer than ${maxLength} characters`;
      problems.push(problem(column, 'too_long', value, what, 'Shorten it.'));
    }
    return value;
  };
  const read = readVideoUrl(written);
  if ('fault' in read) problems.push(problem('video_url', read.fault, written, ...urlFaults[read.fault]));
  const tags = text('tags')
    .split('|')
    .map((tag) => line('tags', tag.trim()))
    .filter((tag) => tag !== '');
  if (tags.length > maxTags) {
    const what = `a video can have ${maxTags} tags`;
    problems.push(problem('tags', 'out_of_range', text('tags'), what, 'Keep the most important ones.'));
  }
  const product = line('product_id');
  // Rows of a campaign have what was sent.
  const fault = product === '' || isResults ? null : findIdFault(product);
  if (fault !== null) {
    const { code, problem: what, fix } = idProblem('product_id', product, fault);
    problems.push(problem('product_id', code, product, what, fix));
  }
  const row = {
    key: line('key'),
    campaign: line('campaign'),
    creator: creatorIn(line('creator')),
    product,
    label: line('label'),
    tags: [...new Set(tags)],
    ledger: text('ledger'),
  };
  if ('fault' in read || problems.length > 0) return { problems, key: row.key };
  return { row: { ...row, id: videoIdOf(read.url), url: read.url } };
}

const urlFaults: { readonly [Fault in VideoUrlFault]: readonly [problem: string, fix: string] } = {
  invalid_url: [
    'this is not an http or https URL',
    'Copy the public address of the video from the browser, with https://.',
  ],
  url_credentials: ['this URL contains a user name or password', 'Use the public address of the video.'],
  too_long: ['this URL is longer than 2,000 characters', 'Use the public address of the video.'],
  invisible_characters: [
    'this URL contains control characters',
    'Type the URL again, or copy it as plain text.',
  ],
};

function problem(column: string | null, code: string, value: string, what: string, fix: Fix): CellProblem {
  return { column, code, value: showValue(value), problem: what, fix };
}
