/**
 * Proposes what columns with unusual names are, by parts of their names and by what their cells contain. Nothing is read by a proposal
 * before a person takes it.
 */
import { haveSameClock } from '../cells/zone.ts';
import { type ColumnName, foldHeader } from '../columns.ts';
import { ComparingWork } from '../edit-distance.ts';
import { hint, hintsOf } from '../problems/hint.ts';
import { showValue } from '../problems/problem.ts';
import { averageOf, type Content, fitsColumn, isWords, shortestCaption } from './column-content.ts';
import { byContent, listedEvidence, mediaEvidence, severalByContent } from './column-evidence.ts';
import { captionMark, type MappedTo, noteMark } from './column-map.ts';
import { mayBeIdOrName, mayBeTitle } from './foreign-headers.ts';
import { type Header, type HeaderProblem, isFilled, mostComparedOfHeader, nearestColumn } from './header.ts';
import { mapHint } from './header-problems.ts';
import { findNamedPart } from './name-parts.ts';
import { isRecordHeader, isRemarkHeader } from './own-headers.ts';
import { zoneIn, zoneOfHeaders } from './zone-words.ts';

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

/** What is known beside the sheet. */
export interface KnownBeside {
  /** Of times without a zone. */
  readonly timezone: string | null;
  /** Whether a list of products has a name. */
  readonly isProduct: (name: string) => boolean;
}

/** Proposes columns for headers that have a problem. @param first rows of the sheet, as cells. */
export function proposeColumns(
  header: MatchedHeader,
  first: readonly (readonly string[])[],
  { timezone, isProduct }: KnownBeside,
): readonly ColumnProposal[] {
  const found = findColumns(header, first, isProduct);
  const hasZones = header.indexes.scheduled_tz >= 0 || found.some(({ column }) => column === 'scheduled_tz');
  return hasZones ? found : found.map((each) => ({ ...each, zone: lostZone(each, header.names, timezone) }));
}

function lostZone(
  { column, position }: ColumnProposal,
  names: readonly string[],
  timezone: string | null,
): string | undefined {
  if (column !== 'scheduled_at' && column !== 'scheduled_time') return undefined;
  const name = names[position] ?? '';
  const meant = zoneOfHeaders([name]);
  const isKept = timezone !== null && meant !== undefined && haveSameClock(meant, timezone);
  return isKept ? undefined : zoneIn(name);
}

function findColumns(
  { names, indexes, problems }: MatchedHeader,
  first: readonly (readonly string[])[],
  isProduct: KnownBeside['isProduct'],
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
  for (const content of open.filter((each) => isOtherDay(each, open)))
    propose(noteMark, content, 'its dates are those of the task, not of the post');
  for (const content of left()) {
    const named = partNamed(content, promptAt !== undefined);
    if (named !== undefined && isFree(named.column)) propose(named.column, content, named.evidence);
  }
  const ofLists = [['product_title', listedEvidence(isProduct)] as const];
  for (const [column, read] of [...ofLists, ...byContent]) {
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
  // With all that a post needs, the others may be notes. A product's id may stand in another worksheet.
  const hasAll = needed.every((columns) => !columns.every(isFree));
  for (const content of left().filter((each) => !captions.includes(each))) {
    if (isRemarkHeader(content.name)) propose(noteMark, content, 'its name says that it has remarks');
    else if (hasAll && !mayBeProduct(content, isFree))
      propose(noteMark, content, 'nothing in it matches a column of a post');
  }
  return [...found.values()].sort((one, other) => one.position - other.position);
}

/** What a part of its name says, if its cells fit. */
function partNamed(content: Content, hasPrompts: boolean) {
  const named = mayBeTitle(content.name) ? undefined : namedPartOf(content);
  if (named === undefined) return undefined;
  const { column, part } = named;
  // What belongs to a generation is of no use without prompts.
  if (column.startsWith('ai_') && !hasPrompts) return undefined;
  // Few sheets begin with the rows that AI makes.
  if (content.texts.length === 0 && column.startsWith('ai_'))
    return { column, evidence: `its name has ${part}` };
  return fitsColumn(column, content)
    ? { column, evidence: `its name has ${part}, and its cells fit` }
    : undefined;
}

/** Days of tasks as programs export them, which are not those of the posts. */
function isOtherDay(content: Content, open: readonly Content[]): boolean {
  const isStart = foldHeader(content.name).startsWith('start');
  const hasDue = () => open.some(({ name }) => foldHeader(name).startsWith('due'));
  return (isRecordHeader(content.name) || (isStart && hasDue())) && fitsColumn('scheduled_at', content);
}

function mayBeProduct({ name }: Content, isFree: (column: ColumnName) => boolean): boolean {
  return (isFree('product_title') && mayBeTitle(name)) || (isFree('product_id') && mayBeIdOrName(name));
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

/** A problem of a header, with what the column may be. */
export function withProposal(
  problem: HeaderProblem,
  { column, evidence, zone }: ColumnProposal,
  header: string,
): HeaderProblem {
  if (zone !== undefined) {
    const meant = zoneOfHeaders([header]);
    return {
      ...problem,
      problem: `${header} may be ${column}, but it names the zone ${showValue(zone)}, which would be lost`,
      fix: [
        `Rename it to ${column}, and add a column scheduled_tz.`,
        ...(meant === undefined ? [] : [hint('timezone', { zone: meant })]),
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
