/** Reads a sheet of videos: a list of URLs, or a results sheet in which `video_url` is filled in. */
import { textOfCell } from '../../manifest/cells/formula.ts';
import { hasControlsOrBreaks } from '../../manifest/cells/scalars.ts';
import { readVideoUrl, type VideoUrlFault, videoIdOf } from '../../manifest/cells/video-url.ts';
import { foldHeader, reservedNames } from '../../manifest/columns.ts';
import { matchHeader } from '../../manifest/headers/header.ts';
import { type CellProblem, showValue } from '../../manifest/problems/problem.ts';
import { findRagged } from '../../manifest/reader.ts';

/** The columns that are read. */
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

/** A row with the URL of a video. */
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
  readonly has: (column: VideoColumn) => boolean;
  /** Never throws. */
  read(cells: readonly string[]): VideoRowReading;
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

/** Matches the header. Ignores other columns, because results sheets have those of the manifest. */
export function openVideoSheet(headerCells: readonly string[]): VideoSheetReader {
  const names = headerCells.map((cell) => foldHeader(cell.trim()));
  const { positions, problems } = findColumns(headerCells, names);
  const isResults = names.includes('campaign') && names.includes('postid');
  const has = (column: VideoColumn) => positions[column] >= 0;
  return {
    problems,
    has,
    read(cells) {
      const ragged = findRagged(cells, headerCells.length);
      if (ragged) return { problems: [problem(null, ...ragged)] };
      return readRow((column) => textOfCell(cells, positions[column]), isResults);
    },
  };
}

function findColumns(headerCells: readonly string[], names: readonly string[]) {
  const positions = Object.fromEntries(videoColumns.map((column) => [column, -1])) as Record<
    VideoColumn,
    number
  >;
  const problems: CellProblem[] = [];
  for (const [index, name] of names.entries()) {
    const header = showValue(headerCells[index]?.trim() ?? '');
    if (reservedNames.has(headerCells[index]?.trim().toLowerCase() ?? '')) {
      const cure = 'Rename or remove the column.';
      problems.push(problem(header, 'reserved_name', header, 'this name is not allowed as a header', cure));
    }
    const column = videoColumns.find((each) => foldHeader(each) === name);
    if (column === undefined) continue;
    if (positions[column] >= 0) {
      const cure = 'Keep one of them.';
      problems.push(
        problem(header, 'duplicate_column', header, `the header has the column ${column} twice`, cure),
      );
    } else positions[column] = index;
  }
  names.forEach((name, index) => {
    const column = aliases[name];
    if (column !== undefined && positions[column] < 0) positions[column] = index;
  });
  // Columns of a manifest have many names.
  const { indexes } = matchHeader(headerCells, { allowUnknownColumns: true, allowResultsSheet: true });
  for (const column of ['key', 'creator', 'product_id'] as const) {
    if (positions[column] < 0) positions[column] = indexes[column];
  }
  if (positions.video_url < 0) {
    const cure = 'Add a column video_url with the public URL of each video.';
    problems.push(problem('video_url', 'missing_column', '', 'the header has no column video_url', cure));
  }
  return { positions, problems };
}

function readRow(text: (column: VideoColumn) => string, isResults: boolean): VideoRowReading {
  const written = text('video_url');
  if (written === '') {
    if (isResults) return { row: null };
    const cure = 'Fill in the public URL of the video, or remove the row.';
    return {
      problems: [problem('video_url', 'missing_value', '', 'video_url is empty', cure)],
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
  const row = {
    key: line('key'),
    campaign: line('campaign'),
    creator: line('creator').replace(/^@/, ''),
    product: line('product_id'),
    label: line('label'),
    tags: [...new Set(tags)],
    ledger: text('ledger'),
  };
  if ('fault' in read || problems.length > 0) return { problems, key: row.key };
  return { row: { ...row, id: videoIdOf(read.url), url: read.url } };
}

const urlFaults: { readonly [Fault in VideoUrlFault]: readonly [problem: string, cure: string] } = {
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

function problem(
  column: string | null,
  code: string,
  value: string,
  what: string,
  cure: string,
): CellProblem {
  return { column, code, value: showValue(value), problem: what, cure };
}
