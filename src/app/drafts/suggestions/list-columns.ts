/** Which columns of a worksheet are a list: what its rows are called, and the product ids or accounts that they have. */
import { mayLackDigits } from '../../../importers/check/lost-digits.ts';
import { findIdFault, nameInLink, usernameIn } from '../../../manifest/cells/id.ts';
import { foldHeader } from '../../../manifest/columns.ts';
import { isMost } from '../../../manifest/headers/doubtful.ts';
import { namedColumn } from '../../../manifest/headers/header.ts';
import { hasProductIds, isOfProducts } from '../../../manifest/headers/name-parts.ts';

export interface ListColumns {
  /** Positions of the names. */
  readonly names: readonly number[];
  /** Positions of what they stand for: of several, each may be meant. */
  readonly values: readonly number[];
  /** What a cell of `values` stands for; undefined for any other text. */
  readonly read: (text: string) => string | undefined;
}

/** A worksheet that is not imported. */
export interface ListSheet {
  readonly name: string;
  readonly header: readonly string[];
  /** Its first rows, as cells. */
  readonly rows: readonly (readonly string[])[];
}

/** Most columns of names: they are looked at for each row. */
const mostNames = 4;

/** The columns of a list of products; undefined if it is none. */
export function productColumns(sheet: ListSheet): ListColumns | undefined {
  const { name, header } = sheet;
  const at = positionsOf(sheet);
  const told = at.filter((position) => hasProductIds(header[position] ?? '', name));
  const isListed = told.length > 0 || isOfProducts(name) || header.some(isOfProducts);
  if (!isListed) return undefined;
  const values = told.length > 0 ? told : numbersOf(sheet);
  if (values.length === 0) return undefined;
  const titled = at.filter((position) => folded(sheet, position) === 'product_title');
  const known = [...titled, ...(told.length > 1 ? told : [])];
  const others = namesOf(sheet, values);
  // A list of products begins with their names.
  const first = at.filter((position) => !values.includes(position)).slice(0, 1);
  return {
    names: known.length > 0 ? known : others.length > 0 ? others : first,
    values,
    read: readProductId,
  };
}

/** What long numbers are that are no ids. */
const otherNumbers =
  /ean|gtin|upc|isbn|barcode|stock|pri[cx]|preis|prec[io]|harga|date|datum|fecha|tel|phone/;

/** Columns of numbers that no header tells: only as long ones as the service has. An article number of the shop's would be another product. */
function numbersOf(sheet: ListSheet): readonly number[] {
  return positionsOf(sheet).filter(
    (position) =>
      !otherNumbers.test(foldHeader(sheet.header[position] ?? '')) &&
      areMost(sheet, position, (text) => /^\d{16,30}$/.test(text)),
  );
}

function readProductId(text: string): string | undefined {
  return /^\d{6,30}$/.test(text) && !mayLackDigits(text) ? text : undefined;
}

/** As `foldHeader` returns them. */
const creators = /creat|creador|criador|kreat|influen|talent|cast|autor|达人|创作者|博主/;
const accounts =
  /account|compte|konto|cuenta|akun|conta|user|usuario|utilisateur|pengguna|handle|pseudo|prof[ií]l|tiktok|账号|用户名/;

/** The columns of a list of creators; undefined if it is none. Another worksheet of posts is none. */
export function creatorColumns(sheet: ListSheet): ListColumns | undefined {
  const { name, header } = sheet;
  const isListed = [name, ...header].some((text) => creators.test(foldHeader(text)));
  const at = positionsOf(sheet);
  if (!isListed || at.some((position) => folded(sheet, position) === 'media')) return undefined;
  const marked = at.filter((position) => areMost(sheet, position, isMarkedAccount));
  const told = at.filter(
    (position) =>
      accounts.test(foldHeader(header[position] ?? '')) &&
      areMost(sheet, position, (text) => isAccount(text)),
  );
  const values = marked.length > 0 ? marked : told;
  const names = namesOf(sheet, values);
  const read = (text: string) => (isAccount(text) ? usernameIn(text) : undefined);
  return values.length === 0 || names.length === 0 ? undefined : { names, values, read };
}

/** `@mia`, or the link of a profile. */
function isMarkedAccount(text: string): boolean {
  return isAccount(text) && (text.startsWith('@') || text.includes('/'));
}

function isAccount(text: string): boolean {
  if (text.includes('/')) return nameInLink(text)?.isProfile ?? false;
  return /^@?[\w.-]{2,60}$/.test(text) && findIdFault(text) === null;
}

/** Columns of texts that tell rows apart. */
function namesOf(sheet: ListSheet, values: readonly number[]): readonly number[] {
  const areNames = (position: number) => {
    const texts = textsOf(sheet, position);
    return (
      areMost(sheet, position, (text) => /\p{L}/u.test(text) && !/^@|:\/\//.test(text)) &&
      isMost(new Set(texts).size, texts.length)
    );
  };
  return positionsOf(sheet)
    .filter((position) => !values.includes(position) && areNames(position))
    .slice(0, mostNames);
}

function folded({ header }: ListSheet, position: number) {
  return namedColumn(foldHeader((header[position] ?? '').trim()));
}

function areMost(sheet: ListSheet, position: number, isSo: (text: string) => boolean): boolean {
  const texts = textsOf(sheet, position);
  return isMost(texts.filter(isSo).length, texts.length);
}

/** Of a column, without the header. */
function textsOf({ rows, header }: ListSheet, position: number): readonly string[] {
  return rows
    .map((cells) => (cells[position] ?? '').trim())
    .filter((text) => text !== '' && text !== header[position]?.trim());
}

function positionsOf({ header, rows }: ListSheet): readonly number[] {
  const width = rows.reduce((most, cells) => Math.max(most, cells.length), header.length);
  return Array.from({ length: width }, (_, position) => position);
}
