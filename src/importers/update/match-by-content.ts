/** Matches rows without keys with the rows of a campaign by what they post, so that one inserted row changes one row. */

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
  readonly content: Content;
}

const words = new Uint32Array(2);

export function contentOf(header: Header, cells: readonly string[]): Content {
  const hashOf = (text: string) => {
    if (text.trim() === '') return 0;
    hashText(words, text.trim());
    return numberOf(words);
  };
  const media = textIn(header, 'media', cells) || textIn(header, 'ai_prompt', cells);
  return [hashOf(textIn(header, 'creator', cells)), hashOf(media), hashOf(textIn(header, 'caption', cells))];
}

/** First all three, then two of them. */
const comparisons = [
  [0, 1, 2],
  [0, 1],
  [0, 2],
  [1, 2],
] as const;

/**
 * By creator, media and caption; those left over by two of them, then by their numbers. Rows with the same content stay in order.
 * @param known rows of the campaign; of one with several contents, the first that fits counts.
 * @returns their ids, by the ids of the rows.
 */
export async function matchByContent(
  known: readonly ComparedRow[],
  rows: readonly ComparedRow[],
): Promise<ReadonlyMap<number, number>> {
  const found = new Map<number, number>();
  const taken = new Set<number>();
  const compare = async (keyOf: (row: ComparedRow) => string | number) => {
    const open = new Map<string | number, number[]>();
    for (const row of known.toReversed()) {
      if (turn.isFull) await turn.pause();
      const key = taken.has(row.id) ? '' : keyOf(row);
      if (key === '') continue;
      const others = open.get(key);
      if (others === undefined) open.set(key, [row.id]);
      else others.push(row.id);
    }
    for (const row of rows) {
      if (turn.isFull) await turn.pause();
      const candidates = found.has(row.id) ? undefined : open.get(keyOf(row));
      let id = candidates?.pop();
      while (id !== undefined && taken.has(id)) id = candidates?.pop();
      if (id === undefined) continue;
      taken.add(id);
      found.set(row.id, id);
    }
  };
  for (const fields of comparisons) {
    const least = fields.length === 3 ? 1 : fields.length;
    await compare(({ content }) => {
      const texts = fields.map((field) => content[field]);
      return texts.filter((text) => text !== 0).length < least ? '' : texts.join(' ');
    });
  }
  await compare(({ number }) => number || '');
  return found;
}
