/** What the cells of a column tell of what it is. */
import { imageModels, videoModels } from '../../service/contract/generation.ts';
import { maxAnchorTitleLength } from '../../service/contract/posts.ts';
import { timeZoneName } from '../../service/contract/time-zone.ts';
import { mediaTypeNamed } from '../cells/choices.ts';
import { type ColumnName, foldHeader, listSeparator } from '../columns.ts';
import { type Content, isDate, isMost, isTimeOfDay, isWords } from './column-content.ts';
import { captionMark } from './column-map.ts';
import { mayBeIdOrName, mayBeTitle } from './foreign-headers.ts';

type Evidence = (content: Content) => string | undefined;

/** Tells columns by their cells, the surest first. */
export const byContent: readonly (readonly [column: ColumnName, read: Evidence])[] = [
  ['media', mediaEvidence],
  ['creator', most('are names with @', (text) => /^@[\w.-]+$/.test(text))],
  [
    'product_id',
    most('have 16 to 19 digits', (text) => /^(?:\d{16,19}|\d[.,]\d{1,9}E\+1[5-8])$/i.test(text)),
  ],
  ['ai_model', most('are models', (text) => models.has(text))],
  ['ai_aspect_ratio', most('are ratios', (text) => /^(?:9:16|16:9|1:1|[2-5]:[2-5])$/.test(text))],
  ['ai_size', most('are sizes', (text) => /^\d{3,4} ?[xX×] ?\d{3,4}$/.test(text))],
  ['media_type', most('say video or photo', (text) => mediaTypeNamed(text) !== undefined)],
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
export const severalByContent = [
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

export function mediaEvidence({ texts }: Content): string | undefined {
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

/** Half of them: the others may have short names, or typos. */
export function listedEvidence(isProduct: (name: string) => boolean): Evidence {
  return ({ texts }) => {
    const count = texts.filter(isProduct).length;
    return count > 0 && count * 2 >= texts.length
      ? `${count} of ${texts.length} cells are products in another worksheet`
      : undefined;
  };
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
