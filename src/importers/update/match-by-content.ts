/**
 * Matches rows whose keys say nothing with the rows of a campaign by what they post, so that one inserted row changes one row. Where too
 * little is the same, a person is asked: a wrong match changes another post, and a missed one posts twice.
 */

import { creatorIn } from '../../manifest/cells/id.ts';
import { isPlaceholder } from '../../manifest/cells/post-options.ts';
import { turn } from '../../manifest/event-loop.ts';
import { type Header, textIn } from '../../manifest/headers/header.ts';
import { hashText, numberOf } from '../check/text-hashes.ts';
import { type Gap, gapsOf, placeOf } from './gaps.ts';

/** Hashes of creator, media (or prompt) and caption; 0 for an empty one, or one such as `tbd`. */
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
  if (text.trim() === '' || isPlaceholder(text.trim())) return 0;
  hashText(words, text.trim());
  return numberOf(words);
}

export function contentOf(header: Header, cells: readonly string[]): Content {
  const media = textIn(header, 'media', cells) || textIn(header, 'ai_prompt', cells);
  const name = creatorIn(textIn(header, 'creator', cells).trim());
  return [hashOf(name), hashOf(media), hashOf(textIn(header, 'caption', cells))];
}

export function comparedOf(
  header: Header,
  cells: readonly string[],
): Pick<ComparedRow, 'content' | 'details'> {
  const product = textIn(header, 'product_id', cells) || textIn(header, 'product_title', cells);
  const details = [hashOf(product), hashOf(textIn(header, 'scheduled_at', cells))] as const;
  return { content: contentOf(header, cells), details };
}

/** Fields of rows: those of `content`, then of `details`. */
export const [creator, media, caption, product, time] = [0, 1, 2, 3, 4];

interface Comparison {
  readonly fields: readonly number[];
  /** Whether an ended row may be found by it. Another video, or another creator, is another post than the one that was sent. */
  readonly isOfEnded?: true;
  /** Whether no other row of either side may have the same: two posts of a creator may have one video. */
  readonly isSole?: true;
}

/** From most to least; of creator, media and caption none may be empty, if some of them may differ. */
const comparisons: readonly Comparison[] = [
  { fields: [creator, media, caption, product, time], isOfEnded: true },
  { fields: [creator, media, caption, product], isOfEnded: true },
  { fields: [creator, media, caption], isOfEnded: true },
  { fields: [creator, media, product], isOfEnded: true, isSole: true },
  { fields: [creator, media], isSole: true },
  { fields: [media, caption, product, time] },
  { fields: [media, caption] },
  { fields: [creator, caption, product] },
  { fields: [creator, caption] },
];

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
  const isOpen = ({ id }: ComparedRow) => !isEnded(id);
  for (const { fields, isOfEnded, isSole } of comparisons) {
    const keyOf = (row: ComparedRow) => textOf(row, fields);
    const isMeant = isOfEnded ? () => true : isOpen;
    await (isSole ? matching.compareSole(keyOf, isMeant) : matching.compare(keyOf, isMeant));
  }
  await matching.compare(ownKeyOf, isOpen);
  const doubtful = await matching.compareGaps(isEnded);
  const sameVideo = await matching.sole((row) => textOf(row, [creator, media]));
  return { found: matching.found, doubtful: new Map([...sameVideo, ...doubtful]) };
}

/** A number of a row that was removed may stand beside a post of another creator now. */
function ownKeyOf({ name, content }: ComparedRow): string {
  return /^\d+$/.test(name) ? `${name} ${content[creator]}` : name;
}

/** The fields of a row as a key; of creator, media and caption none may be empty, if not all three are meant. @returns empty if too many are. */
export function textOf(
  { content, details }: Pick<ComparedRow, 'content' | 'details'>,
  fields: readonly number[],
): string {
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
  async compare(keyOf: (row: ComparedRow) => string, isMeant: (known: ComparedRow) => boolean) {
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

  /** As `compare`, of rows that are the only ones with their key, on both sides. */
  async compareSole(keyOf: (row: ComparedRow) => string, isMeant: (known: ComparedRow) => boolean) {
    for (const [row, id] of await this.sole(keyOf, isMeant)) this.#take(row, id);
  }

  /** @returns the rows that it would take. */
  async sole(
    keyOf: (row: ComparedRow) => string,
    isMeant: (known: ComparedRow) => boolean = () => true,
  ): Promise<ReadonlyMap<number, number>> {
    const known = await soleBy(this.#known, keyOf);
    const found = new Map<number, number>();
    for (const [key, row] of await soleBy(this.#rows, keyOf)) {
      if (turn.isFull) await turn.pause();
      const other = known.get(key);
      if (!row || !other || this.found.has(row.id) || this.#taken.has(other.id) || !isMeant(other)) continue;
      found.set(row.id, other.id);
    }
    return found;
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
    const byCreator = Map.groupBy(left, ({ content }) => content[creator]);
    for await (const gap of gapsOf(this.#rows, (row) => numbers.get(this.found.get(row.id) ?? -1))) {
      const [start, end] = [placeOf(left, gap.after + 1), placeOf(left, gap.before)];
      const asked: ComparedRow[] = [];
      for (const [index, row] of gap.rows.entries()) {
        if (turn.isFull) await turn.pause();
        const other = end - start === gap.rows.length ? left[start + index] : undefined;
        const isFree = other !== undefined && !this.#taken.has(other.id);
        if (isFree && isEdited(row, other, { isEnded: isEnded(other.id), ...gap }))
          this.#take(row.id, other.id);
        else if (row.content[creator] !== 0) asked.push(row);
      }
      for (const [of, rows] of Map.groupBy(asked, ({ content }) => content[creator])) {
        if (turn.isFull) await turn.pause();
        const id = this.#firstLeft(byCreator.get(of) ?? [], gap);
        if (id !== undefined) for (const row of rows) doubtful.set(row.id, id);
      }
    }
    return doubtful;
  }

  /** @param rows of one creator, in the order of their numbers. */
  #firstLeft(rows: readonly ComparedRow[], { after, before }: Gap<ComparedRow>): number | undefined {
    for (let at = placeOf(rows, after + 1); (rows[at]?.number ?? before) < before; at += 1) {
      const { id = -1 } = rows[at] ?? {};
      if (!this.#taken.has(id)) return id;
    }
    return undefined;
  }
}

/** Rows by their keys, without empty ones; `null` for several rows. */
export async function soleBy<R extends Pick<ComparedRow, 'id'>>(
  rows: readonly R[],
  keyOf: (row: R) => string,
): Promise<ReadonlyMap<string, R | null>> {
  const sole = new Map<string, R | null>();
  for (const row of rows) {
    if (turn.isFull) await turn.pause();
    const key = keyOf(row);
    const other = sole.get(key);
    if (key !== '' && other?.id !== row.id) sole.set(key, other === undefined ? row : null);
  }
  return sole;
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
