/** Keys identify rows for people and in sheets. */
import { hash } from 'node:crypto';
import { detached } from '../detached.ts';

/** Usual keys are shorter. */
const longestIndexed = 40;

/** What stands for a key in an index of all rows: itself, or the digest of a long one, so that long keys do not fill the memory. */
export function indexedKey(key: string): string {
  return key.length <= longestIndexed ? detached(key) : `\0${hash('sha256', key, 'base64')}`;
}

/** Whether `foldKey` means something for it: it is indexed as written. */
export function isComparable(key: string): boolean {
  return key.length <= longestIndexed && !key.startsWith('\0');
}

/** What is left of a key if programs drop its leading zeros, and people write it in another case, or with other signs between. */
export function foldKey(key: string): string {
  const plain = key
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');
  return plain.replace(/\d+/g, (digits) => digits.replace(/^0+/, '') || '0');
}
