/** What the cells of a column may be. */
import { aspectRatioPattern } from '../../service/contract/generation.ts';
import { choicesOf } from '../cells/choices.ts';
import { readBoolean, readDuration } from '../cells/scalars.ts';
import { joinTime } from '../cells/schedule.ts';
import { isOfNoShop } from '../cells/share-links.ts';
import { readWritten } from '../cells/written-time.ts';
import type { ColumnName } from '../columns.ts';

export interface Content {
  readonly position: number;
  readonly name: string;
  readonly texts: readonly string[];
  /** Rows looked at, also those without a text here. */
  readonly rows: number;
}

/** Whether most of some texts are so: a few may have mistakes. */
export function isMost(count: number, all: number): boolean {
  return count > 0 && count * 5 >= all * 4;
}

/** Not an id and no link: it has letters, and spaces or no digits. */
export function isName(text: string): boolean {
  return /\p{L}/u.test(text) && !text.includes('://') && (/\s/.test(text) || !/\d/.test(text));
}

/** Whether the cells may be what a part of the header says: `Caption status` is no caption, and `Product price` no product. */
const fits: Readonly<Partial<Record<ColumnName, (content: Content) => boolean>>> = {
  media: isMostly((text) => /[./]/.test(text)),
  creator: isMostly((text) => isName(text) && text.length <= longestHandle),
  caption: (content) => isWords(content) && averageOf(content) >= shortestCaption && !areDates(content),
  product_id: isMostly((text) => /^\d[\d.,E+]*$/i.test(text)),
  product_title: isWords,
  product_link: isMostly((text) => text.includes('/') && !isOfNoShop(text)),
  cover: isMostly((text) => /[./]/.test(text) && readDuration(text, 1) === null),
  // `2` is a second, but would be read as a millisecond.
  cover_timestamp_ms: isMostly((text) => !/^\d{1,2}$/.test(text) && readDuration(text, 1) !== null),
  scheduled_at: isMostly(isDate),
  scheduled_time: isMostly(isTimeOfDay),
  music_title: isWords,
  music_id: isMostly((text) => /\d/.test(text) && !/\s/.test(text)),
  ai_references: isMostly((text) => /[./]/.test(text)),
  ai_size: isMostly((text) => isSizes(text) || isRatio(text)),
  ai_aspect_ratio: isMostly(isRatio),
  ai_prompt: (content) => isWords(content) && averageOf(content) >= shortestCaption,
  cover_uri: isMostly((text) => text.includes('/')),
  ai_seconds: isMostly((text) => (readDuration(text, 1000) ?? longestSeconds) < longestSeconds),
};

const areDates = isMostly(isDate);

/** Whether most of the cells look like this column. */
export function fitsColumn(column: ColumnName, content: Content): boolean {
  const doFit = fits[column] ?? choicesFit(column);
  return doFit === undefined || doFit(content);
}

/** @returns undefined for a column that takes other texts, too. */
function choicesFit(column: ColumnName): ((content: Content) => boolean) | undefined {
  const { texts, isOpen } = choicesOf(column) ?? { texts: [], isOpen: true };
  if (isOpen) return undefined;
  const words = new Set(texts.map((text) => text.toLowerCase()));
  return isMostly(
    (text) => words.has(text.toLowerCase()) || (words.has('yes') && readBoolean(text) !== null),
  );
}

function isSizes(text: string): boolean {
  return /^\d{3,4} ?[xX×*] ?\d{3,4}$/.test(text);
}

function isRatio(text: string): boolean {
  return aspectRatioPattern.test(text.replace(/\s+/g, ''));
}

const longestHandle = 40;
const longestSeconds = 1000;

function isMostly(isSo: (text: string) => boolean): (content: Content) => boolean {
  return ({ texts }) => isMost(texts.filter(isSo).length, texts.length);
}

/** A caption may have a date, too. */
const longestDate = 40;

export function isDate(text: string): boolean {
  return text.length <= longestDate && readWritten(text).length > 0;
}

export function isTimeOfDay(text: string): boolean {
  return readWritten(joinTime('2000-01-01', text)).some(({ time }) => Boolean(time));
}

export const shortestCaption = 12;

export function isWords({ texts }: Content): boolean {
  return isMost(texts.filter(isName).length, texts.length);
}

export function averageOf({ texts }: Content): number {
  return texts.reduce((sum, text) => sum + text.length, 0) / Math.max(1, texts.length);
}
