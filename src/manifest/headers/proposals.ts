/**
 * Proposes what columns with unusual names are, by parts of their names and by what their cells contain. Nothing is read by a proposal
 * before a person takes it.
 */
import { imageModels, videoModels } from '../../service/contract/generation.ts';
import { maxAnchorTitleLength } from '../../service/contract/posts.ts';
import { timeZoneName } from '../../service/contract/time-zone.ts';
import { type ColumnName, foldHeader, listSeparator } from '../columns.ts';
import { ComparingWork } from '../edit-distance.ts';
import { hint, hintsOf } from '../problems/hint.ts';
import { showValue } from '../problems/problem.ts';
import {
  averageOf,
  type Content,
  fitsColumn,
  isDate,
  isTimeOfDay,
  isWords,
  shortestCaption,
} from './column-content.ts';
import { captionMark, type MappedTo, noteMark } from './column-map.ts';
import { isMost } from './doubtful.ts';
import { mayBeIdOrName, mayBeTitle } from './foreign-headers.ts';
import { type Header, type HeaderProblem, isFilled, mostComparedOfHeader, nearestColumn } from './header.ts';
import { mapHint } from './header-problems.ts';
import { findNamedPart, zoneIn } from './name-parts.ts';

export interface ColumnProposal {
  readonly position: number;
  readonly column: MappedTo;
  /** Why, as the end of a sentence. */
  readonly evidence: string;
  /** Zone that the header of a time names, where the sheet has no column of zones: it is lost if the column is read. Needs a question. */
  readonly zone?: string | undefined;
}

/** Longer texts are only captions and prompts. */
const longestLooked = 500;

type MatchedHeader = Pick<Header, 'names' | 'indexes' | 'problems'>;

/** Proposes columns for headers that have a problem. @param first rows of the sheet, as cells. */
export function proposeColumns(
  header: MatchedHeader,
  first: readonly (readonly string[])[],
): readonly ColumnProposal[] {
  const found = findColumns(header, first);
  const hasZones = header.indexes.scheduled_tz >= 0 || found.some(({ column }) => column === 'scheduled_tz');
  return hasZones ? found : found.map((each) => ({ ...each, zone: lostZone(each, header.names) }));
}

function lostZone({ column, position }: ColumnProposal, names: readonly string[]): string | undefined {
  return column === 'scheduled_at' || column === 'scheduled_time' ? zoneIn(names[position] ?? '') : undefined;
}

function findColumns(
  { names, indexes, problems }: MatchedHeader,
  first: readonly (readonly string[])[],
): readonly ColumnProposal[] {
  // Months and remarks between the posts say nothing of a column.
  const rows = first.filter((cells) => cells.filter((text) => text.trim() !== '').length > 1);
  const open = openColumns({ names, problems }, rows);
  // Of two captions, a person chooses.
  const captions = indexes.caption < 0 ? alikeCaptions(open) : [];
  const found = new Map<number, ColumnProposal>();
  const holdersOf = (column: ColumnName) => [
    ...(indexes[column] < 0 ? [] : [indexes[column]]),
    ...[...found.values()].flatMap((each) => (each.column === column ? [each.position] : [])),
  ];
  const isFree = (column: ColumnName) =>
    holdersOf(column).length === 0 && !(column === 'caption' && captions.length > 0);
  const propose = (column: MappedTo, { position }: Content, evidence: string) =>
    found.set(position, { position, column, evidence });
  const left = () => open.filter(({ position }) => !found.has(position));
  const promptAt = promptColumn(indexes, open);
  const references = open.find((content) => areReferences(content, rows, promptAt));
  if (references !== undefined && isFree('ai_references'))
    propose('ai_references', references, `its ${references.texts.length} cells are files beside prompts`);
  for (const content of left()) {
    const named = mayBeTitle(content.name) ? undefined : namedPartOf(content);
    if (named === undefined || !isFree(named.column)) continue;
    // What belongs to a generation is of no use without prompts.
    if (named.column.startsWith('ai_') && promptAt === undefined) continue;
    // Few sheets begin with the rows that AI makes.
    const isLater = content.texts.length === 0 && named.column.startsWith('ai_');
    if (isLater) propose(named.column, content, `its name has ${named.part}`);
    else if (fitsColumn(named.column, content))
      propose(named.column, content, `its name has ${named.part}, and its cells fit`);
  }
  for (const [column, read] of byContent) {
    if (!isFree(column)) continue;
    const best = left()
      .map((content) => ({ content, evidence: read(content) }))
      .find(({ evidence }) => evidence !== undefined);
    if (best?.evidence !== undefined) propose(column, best.content, best.evidence);
  }
  const products = left().find((content) => mayBeIdOrName(content.name) && isWords(content));
  if (products !== undefined && !isFree('product_title') && isFree('product_id'))
    propose('product_id', products, 'its cells name products, whose ids are then offered');
  // Videos and pictures, and each picture of a post, may have columns of their own.
  for (const [column, read] of severalByContent)
    for (const content of left()) {
      const evidence = read(content);
      if (evidence !== undefined) propose(column, content, evidence);
    }
  const work = new ComparingWork(mostComparedOfHeader);
  for (const content of left().filter(({ name }) => !mayBeIdOrName(name))) {
    const near = nearestColumn(content.name, work);
    if (near !== undefined && isFree(near) && fitsColumn(near, content))
      propose(near, content, `its name is like ${near}`);
  }
  const texts = left().filter((content) => isWords(content));
  const [longest] = [...texts].sort((one, other) => averageOf(other) - averageOf(one));
  if (longest !== undefined && isFree('caption') && averageOf(longest) >= shortestCaption) {
    propose('caption', longest, 'it has the longest texts of the sheet');
  }
  const inOrder = () => [...found.values()].sort((one, other) => one.position - other.position);
  if (needed.some((columns) => columns.every(isFree))) return inOrder();
  // With all that a post needs, the others may be notes. A product's id may stand in another worksheet.
  const mayBeOther = ({ name }: Content) =>
    (isFree('product_title') && mayBeTitle(name)) || (isFree('product_id') && mayBeIdOrName(name));
  for (const content of left().filter((each) => !captions.includes(each) && !mayBeOther(each)))
    propose(noteMark, content, 'nothing in it matches a column of a post');
  return inOrder();
}

function promptColumn(indexes: Header['indexes'], open: readonly Content[]): number | undefined {
  if (indexes.ai_prompt >= 0) return indexes.ai_prompt;
  return open.find(({ name }) => findNamedPart(name)?.column === 'ai_prompt')?.position;
}

/** Files that only rows with a prompt have. */
function areReferences(
  content: Content,
  rows: readonly (readonly string[])[],
  promptAt: number | undefined,
): boolean {
  if (promptAt === undefined || mediaEvidence(content) === undefined) return false;
  const { column } = findNamedPart(content.name) ?? {};
  return (
    column !== 'cover' &&
    rows.every((cells) => !isFilled(cells, content.position) || isFilled(cells, promptAt))
  );
}

/** Columns whose names often mean another one, which their cells tell. */
const oftenMeant: Readonly<Partial<Record<ColumnName, ColumnName>>> = {
  cover: 'cover_timestamp_ms',
  music_title: 'music_id',
  ai_size: 'ai_aspect_ratio',
};

function namedPartOf(content: Content): ReturnType<typeof findNamedPart> {
  const named = findNamedPart(content.name);
  if (named === undefined) return undefined;
  const other = oftenMeant[named.column];
  return other !== undefined && fitsColumn(other, content) ? { ...named, column: other } : named;
}

function openColumns(
  { names, problems }: Pick<MatchedHeader, 'names' | 'problems'>,
  rows: readonly (readonly string[])[],
): readonly Content[] {
  // A mapping names a header: it cannot tell two columns of the same name apart.
  const byName = Map.groupBy(names, foldHeader);
  const isSingle = (position: number) => byName.get(foldHeader(names[position] ?? ''))?.length === 1;
  const mapped = problems.flatMap(({ index, code }) => (canBeMapped(code) ? (index ?? []) : []));
  return [...new Set(mapped.filter(isSingle))].map((position) => {
    const texts = rows.map((cells) => (cells[position] ?? '').trim().slice(0, longestLooked));
    return { position, name: names[position] ?? '', texts: texts.filter(Boolean), rows: rows.length };
  });
}

/** `Caption V1` and `Caption V2`: columns whose names have the same word for the caption. */
function alikeCaptions(open: readonly Content[]): readonly Content[] {
  const named = open.map((content) => ({ content, part: findNamedPart(content.name) }));
  const captions = named.filter(
    ({ content, part }) => part?.column === 'caption' && fitsColumn('caption', content),
  );
  const alike = [...Map.groupBy(captions, ({ part }) => foldHeader(part?.part ?? '')).values()];
  return alike.filter(({ length }) => length > 1).flatMap((same) => same.map(({ content }) => content));
}

const needed = [
  ['creator'],
  ['caption'],
  ['media', 'ai_prompt'],
  ['product_id', 'product_title', 'product_link'],
] as const satisfies readonly (readonly ColumnName[])[];

function canBeMapped(code: string): boolean {
  return code === 'unknown_column' || code === 'duplicate_column' || code === 'doubtful_column';
}

type Evidence = (content: Content) => string | undefined;

/** Tells columns by their cells, the surest first. */
const byContent: readonly (readonly [column: ColumnName, read: Evidence])[] = [
  ['media', mediaEvidence],
  ['creator', most('are names with @', (text) => /^@[\w.-]+$/.test(text))],
  [
    'product_id',
    most('have 16 to 19 digits', (text) => /^(?:\d{16,19}|\d[.,]\d{1,9}E\+1[5-8])$/i.test(text)),
  ],
  ['ai_model', most('are models', (text) => models.has(text))],
  ['ai_aspect_ratio', most('are ratios', (text) => /^(?:9:16|16:9|1:1|[2-5]:[2-5])$/.test(text))],
  ['ai_size', most('are sizes', (text) => /^\d{3,4} ?[xX×] ?\d{3,4}$/.test(text))],
  ['scheduled_tz', most('are time zones', (text) => text.includes('/') && timeZoneName(text) !== undefined)],
  ['scheduled_at', most('begin with a date', isDate)],
  // `0:19` is a length.
  ['scheduled_time', most('are times of day', (text) => isTimeOfDay(text) && !/^00?:/.test(text))],
  ['product_title', titleEvidence],
  ['key', keyEvidence],
];

/** Cells that mark a column in every language, whatever its header is. */
const hashtagEvidence = most(
  'are hashtags',
  // `#12` alone may number something.
  (text) => /\p{L}/u.test(text) && text.split(/\s+/).every((word) => /^[#＃][\p{L}\p{N}_]/u.test(word)),
);

/** Several columns may be these. */
const severalByContent = [
  ['media', mediaEvidence],
  [captionMark, hashtagEvidence],
] as const;

const models: ReadonlySet<string> = new Set([...imageModels, ...videoModels]);

/** Most of the cells are so: some may have mistakes. */
function most(words: string, isSo: (text: string) => boolean): Evidence {
  return ({ texts }) => {
    const count = texts.filter(isSo).length;
    return isMost(count, texts.length) ? `${count} of ${texts.length} cells ${words}` : undefined;
  };
}

const ending = /\.(mp4|mov|m4v|webm|avi|mkv|jpe?g|png|webp|heic|gif)$/i;

function mediaEvidence({ texts }: Content): string | undefined {
  const endings = texts.flatMap((text) => {
    const items = text
      .split(listSeparator)
      .map((item) => ending.exec(item.split('?', 1)[0]?.trim() ?? '')?.[1]?.toLowerCase());
    return items.includes(undefined) ? [] : [items[0] ?? ''];
  });
  if (!isMost(endings.length, texts.length)) return undefined;
  const kinds = [...new Set(endings)].map((kind) => `.${kind}`).join(' or ');
  return `${endings.length} of ${texts.length} cells end in ${kinds}`;
}

/** Few different names in many rows. */
function titleEvidence(content: Content): string | undefined {
  const { texts, name } = content;
  const different = new Set(texts).size;
  if (!isWords(content)) return undefined;
  // It is open only beside a column that is surely the caption.
  if (mayBeTitle(name) && texts.every((text) => text.length <= maxAnchorTitleLength))
    return `its texts have at most ${maxAnchorTitleLength} characters, and another column is the caption`;
  const isNamed = foldHeader(name).startsWith('produ') || mayBeIdOrName(name);
  if (isNamed)
    return texts.length === 1
      ? 'its cell is a name, not an id'
      : `its ${texts.length} cells have ${different} ${different === 1 ? 'name' : 'names'}, not ids`;
  return undefined;
}

/** Headers of columns that may number the posts. Under any other one, plain numbers are quantities. */
const keyHeader = /#|\b(?:ids?|no|nr|num|number|ref|code|key|index|row|post|video|clip|slot)\b|nummer|号/i;

function keyEvidence({ texts, rows, name }: Content): string | undefined {
  const isNumbered = keyHeader.test(name);
  const keys = texts.filter((text) => /^[\w-]{0,12}\d$/.test(text) && (isNumbered || /[a-z]/i.test(text)));
  const different = new Set(keys).size;
  // A key may stand twice by mistake, and the last row may be a total.
  return rows > 1 && keys.length > 1 && isMost(keys.length, rows) && isMost(different, rows)
    ? `its ${rows} cells have ${different} different values`
    : undefined;
}

/** A problem of a header, with what the column may be. */
export function withProposal(
  problem: HeaderProblem,
  { column, evidence, zone }: ColumnProposal,
  header: string,
): HeaderProblem {
  if (zone !== undefined) {
    return {
      ...problem,
      problem: `${header} may be ${column}, but it names the zone ${showValue(zone)}, which would be lost`,
      fix: [
        `Rename it to ${column}, and add a column scheduled_tz.`,
        ...(timeZoneName(zone) === undefined ? [] : [hint('timezone', { zone })]),
        ...mapHint(header, column),
      ],
    };
  }
  // The problem says itself what its name is like.
  if (column === noteMark || problem.problem.endsWith(`did you mean ${column}?`)) return problem;
  return {
    ...problem,
    meant: column,
    problem: `${problem.problem.replace(/; did you mean .*/, '')}; it looks like ${column === captionMark ? 'a part of the caption' : column}: ${evidence}`,
    fix: [
      ...(column === captionMark ? [] : [`Rename it to ${column}.`]),
      ...mapHint(header, column),
      ...hintsOf(problem.fix).filter(({ action }) => action === 'keepAsNote'),
    ],
  };
}
