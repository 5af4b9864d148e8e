/** Which columns of a worksheet are a list: what its rows are called, and the product ids or accounts that they have. */
import { isLongId } from '../../../importers/check/known-products.ts';
import { mayLackDigits } from '../../../importers/check/lost-digits.ts';
import { findIdFault } from '../../../manifest/cells/id.ts';
import { foldHeader } from '../../../manifest/columns.ts';
import { turn } from '../../../manifest/event-loop.ts';
import { isMost } from '../../../manifest/headers/column-content.ts';
import { namedColumn } from '../../../manifest/headers/header.ts';
import { findNamedPart, hasProductIds, isOfProducts } from '../../../manifest/headers/name-parts.ts';

export interface ListColumns {
  readonly names: readonly number[];
  /** Whether their headers say so. If not, they may be of somebody, or something, else. */
  readonly isTold: boolean;
  /** Positions of what they stand for: of several, each may be meant. */
  readonly values: readonly number[];
  /** What a cell of `values` stands for; undefined for any other text. */
  readonly read: (text: string) => string | undefined;
  /** Of a list that has titles for viewers beside other names. */
  readonly titles?: TitleColumns | undefined;
}

interface TitleColumns {
  /** Position of the titles. */
  readonly title: number;
  /** The other names: codes, or not for people outside, or what may be a title as well. */
  readonly others: readonly { readonly position: number; readonly isCode: boolean }[];
}

export interface ListSheet {
  readonly name: string;
  readonly header: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** Most columns of names: they are looked at for each row. */
const mostNames = 4;

/** The columns of a list of products; undefined if it is none. */
export async function productColumns(sheet: ListSheet): Promise<ListColumns | undefined> {
  const { name, header } = sheet;
  const at = positionsOf(sheet);
  const told = at.filter((position) => hasProductIds(header[position] ?? '', name));
  const isListed = told.length > 0 || isOfProducts(name) || header.some(isOfProducts);
  if (!isListed) return undefined;
  // Beside ids of the service, others are names: the article numbers of the shop.
  const long = told.filter((position) => areMost(sheet, position, isLongId));
  const values = long.length > 0 ? long : told.length > 0 ? told : await numbersOf(sheet);
  if (values.length === 0) return undefined;
  const titled = at.filter((position) => folded(sheet, position) === 'product_title');
  const found =
    titled.length > 0 ? { names: titled, isTold: true } : await namesOf(sheet, values, isOfProducts);
  // A list of products begins with their names.
  const first = at.filter((position) => !values.includes(position)).slice(0, 1);
  const names = found.names.length > 0 ? found : { names: first, isTold: false };
  const numbers = [...(told.length > 1 ? told : []), ...(await codesOf(sheet, values))];
  const titles = await titleColumns(sheet);
  const others = titles === undefined ? [] : [titles.title, ...titles.others.map(({ position }) => position)];
  const all = [...new Set([...(names.isTold ? names.names : []), ...numbers, ...others])];
  if (names.isTold || told.length > 1 || titles !== undefined)
    return { names: all, isTold: true, values, read: readProductId, titles };
  return { ...names, values, read: readProductId };
}

/** Headers of titles, as `foldHeader` returns them; words in those of codes, and of names that are not for people outside. */
const titleHeader = /titel|title|titre|titulo|titolo|judul|标题|タイトル/;
const codeWord =
  /^(?:sku|cod|ref|intern|short|kurz|kürz|abbr|abr[eé]v|货号|编号)|^(?:no|nr|num|item|model)$|(?:nummer|number|numero|nr|code|sku)$/;

/** The column that viewers see, and the other names beside it; undefined if nothing tells them apart. */
async function titleColumns(sheet: ListSheet): Promise<TitleColumns | undefined> {
  const { header } = sheet;
  const said = (position: number) => foldHeader(header[position] ?? '');
  const isToldCode = (position: number) =>
    (header[position] ?? '')
      .toLowerCase()
      .split(/[^\p{L}]+/u)
      .some((word) => codeWord.test(word));
  const isCode = (position: number) =>
    isToldCode(position) ||
    areMost(sheet, position, (text) => /^[\p{Lu}\d][\p{Lu}\d._/-]{2,39}$/u.test(text));
  const isName = (text: string) => !/^@|:\/\//.test(text) && readProductId(text) === undefined;
  const texts = await columnsWhere(
    sheet,
    (position) => areDistinct(sheet, position) && areMost(sheet, position, isName),
  );
  const codes = texts.filter(isCode);
  const names = texts.filter(
    (position) =>
      !codes.includes(position) &&
      areMost(sheet, position, (text) => /\p{L}/u.test(text) && text.length <= 30),
  );
  const isProduct = (position: number) => isOfProducts(said(position)) && !besides.test(said(position));
  const told = names.find((position) => titleHeader.test(said(position)));
  const title = told ?? names.find((at) => isProduct(at) || nameHeaders.has(said(at)));
  if (title === undefined) return undefined;
  // Which of two names viewers see, only a header of titles tells.
  const also = names.filter(
    (at) => told !== undefined && at !== told && (isProduct(at) || nameHeaders.has(said(at))),
  );
  const isTold = (position: number) => isToldCode(position) || isProduct(position);
  const others = [
    ...codes.filter(isTold).map((position) => ({ position, isCode: true })),
    ...also.map((position) => ({ position, isCode: false })),
  ].slice(0, mostNames);
  return others.length === 0 ? undefined : { title, others };
}

/** What long numbers are that are no ids. */
const otherNumbers =
  /ean|gtin|upc|isbn|barcode|stock|pri[cx]|preis|prec[io]|harga|date|datum|fecha|tel|phone/;

/** Columns of numbers that no header tells: only as long ones as the service has. An article number of the shop's would be another product. */
async function numbersOf(sheet: ListSheet): Promise<readonly number[]> {
  return columnsWhere(
    sheet,
    (position) =>
      !otherNumbers.test(foldHeader(sheet.header[position] ?? '')) && areMost(sheet, position, isLongId),
  );
}

/** Columns of what a shop calls its products: article numbers, which rows may have in place of ids. */
function codesOf(sheet: ListSheet, values: readonly number[]): Promise<readonly number[]> {
  const isCode = (text: string) => /^[\p{L}\d][\p{L}\d._-]{3,39}$/u.test(text) && /\d/.test(text);
  return columnsWhere(sheet, (position) => {
    const texts = textsOf(sheet, position);
    const isOne = !values.includes(position) && areMost(sheet, position, isCode);
    return isOne && new Set(texts).size === texts.length;
  });
}

function readProductId(text: string): string | undefined {
  return /^\d{6,30}$/.test(text) && !mayLackDigits(text) ? text : undefined;
}

/** The columns of a list of music: titles, and ids beside them; undefined if it is none. */
export async function musicColumns(sheet: ListSheet): Promise<ListColumns | undefined> {
  const words = (position: number) => (sheet.header[position] ?? '').toLowerCase().split(/[^\p{L}]+/u);
  const column = (at: number) => folded(sheet, at) ?? findNamedPart(sheet.header[at] ?? '')?.column;
  const isId = (text: string) => /\d/.test(text) && readMusicId(text) !== undefined;
  const at = positionsOf(sheet).filter((each) => /^music_(?:id|title)$/.test(column(each) ?? ''));
  const values = at.filter(
    (each) => (words(each).includes('id') || column(each) === 'music_id') && areMost(sheet, each, isId),
  );
  const names = at.filter((each) => !values.includes(each) && !words(each).includes('id'));
  return values.length === 0 || names.length === 0
    ? undefined
    : { names, isTold: true, values, read: readMusicId };
}

function readMusicId(text: string): string | undefined {
  return text === '' || findIdFault(text) !== null ? undefined : text;
}

/** Headers of names, as `foldHeader` returns them. */
const nameHeaders: ReadonlySet<string> = new Set(
  (
    'name names fullname displayname firstname lastname realname stagename nickname title nom noms nomcomplet prenom titre ' +
    'designation libelle nombre nombrecompleto apodo titulo denominacion nome nomecompleto apelido denominacao nama ' +
    'namalengkap judul vorname nachname anzeigename titel bezeichnung 姓名 名字 名称 昵称 标题'
  ).split(' '),
);

/** Parts of headers that speak of something beside it: `Talent manager`, `Product category`. */
const besides =
  /manag|agen|owner|contact|kontakt|betreu|respons|encargad|penanggung|经纪|负责|not[ei]|coment|komment|comment|city|ville|stadt|ciudad|cidade|kota|t[iy]p|categ|kateg|brand|mar[kcq]|merek|品牌|gr(?:ou|o|u)p|line|status|tari|fee|mail|link|url/;

/** Columns of names: those whose headers say so; if none does, the first of texts that tell rows apart. */
export async function namesOf(
  sheet: ListSheet,
  values: readonly number[],
  isOfList: (header: string) => boolean,
): Promise<Pick<ListColumns, 'names' | 'isTold'>> {
  const areTexts = (position: number) =>
    !values.includes(position) &&
    areMost(sheet, position, (text) => /\p{L}/u.test(text) && !/^@|:\/\//.test(text));
  const isTold = (position: number) => {
    const name = sheet.header[position] ?? '';
    return nameHeaders.has(foldHeader(name)) || (isOfList(name) && !besides.test(foldHeader(name)));
  };
  const told = await columnsWhere(sheet, (position) => isTold(position) && areTexts(position));
  if (told.length > 0) return { names: told.slice(0, mostNames), isTold: true };
  const [first] = await columnsWhere(sheet, (position) => areTexts(position) && areDistinct(sheet, position));
  return { names: first === undefined ? [] : [first], isTold: false };
}

/** A sheet may have very many columns. */
export async function columnsWhere(
  sheet: ListSheet,
  isSo: (position: number) => boolean,
): Promise<readonly number[]> {
  const found: number[] = [];
  for (const position of positionsOf(sheet)) {
    if (turn.isFull) await turn.pause();
    if (isSo(position)) found.push(position);
  }
  return found;
}

function areDistinct(sheet: ListSheet, position: number): boolean {
  const texts = textsOf(sheet, position);
  return isMost(new Set(texts).size, texts.length);
}

export function folded({ header }: ListSheet, position: number) {
  return namedColumn(foldHeader((header[position] ?? '').trim()));
}

export function areMost(sheet: ListSheet, position: number, isSo: (text: string) => boolean): boolean {
  const texts = textsOf(sheet, position);
  return isMost(texts.filter(isSo).length, texts.length);
}

/** Of a column, without the header. */
function textsOf({ rows, header }: ListSheet, position: number): readonly string[] {
  return rows
    .map((cells) => (cells[position] ?? '').trim())
    .filter((text) => text !== '' && text !== header[position]?.trim());
}

export function positionsOf({ header, rows }: ListSheet): readonly number[] {
  const width = rows.reduce((most, cells) => Math.max(most, cells.length), header.length);
  return Array.from({ length: width }, (_, position) => position);
}
