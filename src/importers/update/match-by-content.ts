/**
 * Matches rows whose keys say nothing with the rows of a campaign by what they post, so that one inserted row changes one row. Where too
 * little is the same, a person is asked: a wrong match changes another post, and a missed one posts twice.
 */

import { turn } from '../../manifest/event-loop.ts';
import { type Header, textIn } from '../../manifest/headers/header.ts';
import { hashText, numberOf } from '../check/seen-texts.ts';

/** Hashes of creator, media (or prompt) and caption; 0 for an empty one. */
export type Content = readonly [creator: number, media: number, caption: number];

export interface ComparedRow {
  /** Identifies it among the rows of its side. */
  readonly id: number;
  /** Number in its sheet, from 1; 0 if that does not matter. */
  readonly number: number;
  /** Its key; empty without one. */
  readonly name: string;
  readonly content: Content;
  /** Hashes of what tells posts of the same content apart: product and time. */
  readonly details: readonly [product: number, time: number];
}

const words = new Uint32Array(2);

function hashOf(text: string): number {
  if (text.trim() === '') return 0;
  hashText(words, text.trim());
  return numberOf(words);
}

export function contentOf(header: Header, cells: readonly string[]): Content {
  const media = textIn(header, 'media', cells) || textIn(header, 'ai_prompt', cells);
  return [hashOf(textIn(header, 'creator', cells)), hashOf(media), hashOf(textIn(header, 'caption', cells))];
}

/** What a row is compared by. */
export function comparedOf(
  header: Header,
  cells: readonly string[],
): Pick<ComparedRow, 'content' | 'details'> {
  const product = textIn(header, 'product_id', cells) || textIn(header, 'product_title', cells);
  const details = [hashOf(product), hashOf(textIn(header, 'scheduled_at', cells))] as const;
  return { content: contentOf(header, cells), details };
}

const [creator, media, caption, product, time] = [0, 1, 2, 3, 4];

/** What has to be the same, from most to least; of creator, media and caption none may be empty, if some of them may differ. */
const comparisons = [
  [creator, media, caption, product, time],
  [creator, media, caption, product],
  [creator, media, caption],
  [creator, media, product],
  [creator, media],
  [media, caption, product, time],
] as const;

/** Only for rows that can still be changed: another video, or another creator, is another post. */
const comparisonsOfOpen = [
  [media, caption],
  [creator, caption, product],
  [creator, caption],
] as const;

export interface ContentMatches {
  /** Ids of rows of the campaign, by ids of the rows that they are. */
  readonly found: ReadonlyMap<number, number>;
  /** The same of rows that may be them, or posts of their own. */
  readonly doubtful: ReadonlyMap<number, number>;
}

/**
 * By content, then by key, then by place between the same rows. Rows with the same content stay in order.
 * @param known rows of the campaign; of one with several contents, the first that fits counts.
 * @param isEnded whether a row of the campaign cannot be changed any more, because its post was sent or a person cancelled it.
 */
export async function matchByContent(
  known: readonly ComparedRow[],
  rows: readonly ComparedRow[],
  isEnded: (id: number) => boolean = () => false,
): Promise<ContentMatches> {
  const matching = new Matching(known, rows);
  for (const fields of comparisons) await matching.compare((row) => textOf(row, fields));
  const open = (keyOf: (row: ComparedRow) => string) => matching.compare(keyOf, ({ id }) => !isEnded(id));
  for (const fields of comparisonsOfOpen) await open((row) => textOf(row, fields));
  await open(({ name }) => name);
  const doubtful = await matching.compareGaps(isEnded);
  return { found: matching.found, doubtful };
}

/** @returns empty if too many of them are. */
function textOf({ content, details }: ComparedRow, fields: readonly number[]): string {
  const all = [...content, ...details];
  const main = fields.filter((field) => field <= caption);
  const least = main.length === content.length ? 1 : main.length;
  if (main.filter((field) => all[field] !== 0).length < least) return '';
  return fields.map((field) => all[field]).join(' ');
}

class Matching {
  readonly found = new Map<number, number>();
  readonly #taken = new Map<number, number>();
  readonly #known: readonly ComparedRow[];
  readonly #rows: readonly ComparedRow[];

  constructor(known: readonly ComparedRow[], rows: readonly ComparedRow[]) {
    this.#known = known;
    this.#rows = rows;
  }

  /** @param keyOf empty for rows that are not compared. */
  async compare(keyOf: (row: ComparedRow) => string, isMeant: (known: ComparedRow) => boolean = () => true) {
    const open = new Map<string, number[]>();
    for (const row of this.#known.toReversed()) {
      if (turn.isFull) await turn.pause();
      const key = this.#taken.has(row.id) || !isMeant(row) ? '' : keyOf(row);
      if (key === '') continue;
      const others = open.get(key);
      if (others === undefined) open.set(key, [row.id]);
      else others.push(row.id);
    }
    for (const row of this.#rows) {
      if (turn.isFull) await turn.pause();
      const candidates = this.found.has(row.id) ? undefined : open.get(keyOf(row));
      let id = candidates?.pop();
      while (id !== undefined && this.#taken.has(id)) id = candidates?.pop();
      if (id !== undefined) this.#take(row.id, id);
    }
  }

  #take(row: number, id: number): void {
    this.#taken.set(id, row);
    this.found.set(row, id);
  }

  /** What is left between the same two rows. @returns the rows that a person has to be asked about. */
  async compareGaps(isEnded: (id: number) => boolean): Promise<ReadonlyMap<number, number>> {
    const doubtful = new Map<number, number>();
    const numbers = new Map<number, number>();
    const left: ComparedRow[] = [];
    for (const row of this.#known) {
      if (turn.isFull) await turn.pause();
      if (row.number === 0 || numbers.has(row.id)) continue;
      numbers.set(row.id, row.number);
      if (!this.#taken.has(row.id)) left.push(row);
    }
    left.sort((one, other) => one.number - other.number);
    for await (const gap of gapsOf(this.#rows, (row) => numbers.get(this.found.get(row.id) ?? -1))) {
      const there = left.slice(placeOf(left, gap.after + 1), placeOf(left, gap.before));
      const byCreator = new Map(there.toReversed().map(({ id, content }) => [content[creator], id]));
      for (const [index, row] of gap.rows.entries()) {
        const other = there.length === gap.rows.length ? there[index] : undefined;
        if (other !== undefined && isEdited(row, other, { isEnded: isEnded(other.id), ...gap })) {
          this.#take(row.id, other.id);
          continue;
        }
        const id = byCreator.get(row.content[creator]);
        if (id !== undefined) doubtful.set(row.id, id);
      }
    }
    return doubtful;
  }
}

/** Whether a row in the place of another is that one, with other texts. */
function isEdited(
  row: ComparedRow,
  other: ComparedRow,
  { isEnded, isLast }: { readonly isEnded: boolean; readonly isLast: boolean },
): boolean {
  const isSame = (field: number) => {
    const [one, two] = [[...row.content, ...row.details][field], [...other.content, ...other.details][field]];
    return one !== 0 && one === two;
  };
  if (!isSame(creator)) return false;
  if (isEnded) return isSame(caption);
  // Below the last row that is found, another person may have added a post.
  return !isLast || isSame(time);
}

interface Gap {
  /** Number of the known row before it; 0 if there is none. */
  readonly after: number;
  readonly before: number;
  readonly rows: readonly ComparedRow[];
  /** Whether rows before it were found, and none behind it. */
  readonly isLast: boolean;
}

/** Index of the first row with this number, or with a higher one. @param rows in the order of their numbers. */
function placeOf(rows: readonly ComparedRow[], number: number): number {
  let [low, high] = [0, rows.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((rows[middle]?.number ?? number) < number) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Rows that were not found, between those that were. @param numberOf number that the found row has among the known ones. */
async function* gapsOf(
  rows: readonly ComparedRow[],
  numberOf: (row: ComparedRow) => number | undefined,
): AsyncGenerator<Gap> {
  let after = 0;
  let gap: ComparedRow[] = [];
  for (const row of rows) {
    if (turn.isFull) await turn.pause();
    const number = numberOf(row);
    if (number === undefined) {
      gap.push(row);
      continue;
    }
    if (gap.length > 0) yield { after, before: number, rows: gap, isLast: false };
    after = number;
    gap = [];
  }
  if (gap.length > 0) yield { after, before: Number.POSITIVE_INFINITY, rows: gap, isLast: after > 0 };
}
