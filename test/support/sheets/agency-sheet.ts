/**
 * The sheet of an agency, as such sheets come: a title above the headers, headers of its own, date and time in two columns, 41 rows, 28
 * files, and about twenty kinds of mistake. As a workbook, and as CSV in the encodings that spreadsheet programs write.
 */
import { stringify } from 'csv-stringify/sync';
import { writeWorkbook } from './workbook.ts';

/** The title that stands above the headers. */
export const agencyTitle = 'Glow Cosmetics – Frühjahr 2031';

const agencyHeaders = [
  'Nr.',
  'Handle',
  'Clip',
  'Copy',
  'Produkt',
  'Artikelnummer',
  'Datum',
  'Uhrzeit',
  'KI-Prompt',
  'KI-Kennzeichnung',
  'Freigabe',
  'Bemerkung',
] as const;
type AgencyHeader = (typeof agencyHeaders)[number];

/** What each header stands for; the last two are notes. */
export const agencyColumns: Readonly<Record<AgencyHeader, string>> = {
  'Nr.': 'key',
  Handle: 'creator',
  Clip: 'media',
  Copy: 'caption',
  Produkt: 'product_title',
  Artikelnummer: 'product_id',
  Datum: 'scheduled_at',
  Uhrzeit: 'scheduled_time',
  'KI-Prompt': 'ai_prompt',
  'KI-Kennzeichnung': 'is_ai_generated',
  Freigabe: '_',
  Bemerkung: '_',
};

export interface AgencyRow {
  readonly cells: Readonly<Record<AgencyHeader, string>>;
  /** What is wrong with it. */
  readonly mistake?: string | undefined;
}

const products = [
  ['Vitamin C Serum', '1729432342342341001'],
  ['Stoneware Mug', '1729432342342341002'],
  ['Zitronen-Peeling', '1729432342342341003'],
  ['Lippenöl Kirsche', '1729432342342341004'],
] as const;
const handles = ['@demo_anna', '@demo_ben', '@demo_carla', '@demo_david', '@demo_elena', '@demo_felix'];
const copies = [
  'Morgens zuerst',
  'So geht Pflege',
  'Neu bei uns',
  'Kurz erklärt: für jede Haut',
  'Frühling!',
];

const videoRows = 26;
const photoRows = 10;
const promptRows = 5;
const videos = Array.from({ length: 18 }, (_, index) => `clips/glow-${two(index + 1)}.mp4`);
const photos = Array.from({ length: 10 }, (_, index) => `fotos/glow-${two(index + 1)}.png`);

/** The 28 files that the sheet names; `writeMedia` makes them. */
export const agencyFiles: readonly string[] = [...videos, ...photos];

type Mistake = readonly [what: string, cells: Partial<Record<AgencyHeader, string>>];

/** By number of the row, from 1. No time zone is named anywhere, and rows with a prompt name no model. */
const mistakes: Readonly<Record<number, Mistake>> = {
  2: ['a creator that does not exist', { Handle: '@demo_ana' }],
  3: ['a creator whose authorization is not valid', { Handle: '@demo_hugo' }],
  4: ['an id in scientific notation', { Artikelnummer: '1.72943E+18' }],
  5: ['no product id', { Artikelnummer: '' }],
  6: ['a product title that is too long', { Produkt: 'Vitamin C Serum mit Hyaluron, 30 ml' }],
  7: ['no product title', { Produkt: '' }],
  8: ['hours in words', { Datum: '24.12.2031', Uhrzeit: '9 Uhr' }],
  9: ['a date without a year', { Datum: '24.12.', Uhrzeit: '18:30' }],
  10: ['a date in Chinese, with its time', { Datum: '2031年3月14日 20:00', Uhrzeit: '' }],
  11: ['day and month in either order', { Datum: '03/04/2031' }],
  12: ['a date in the past', { Datum: '11.03.2024' }],
  13: ['a time that the clock change skips in Germany', { Datum: '30.03.2031', Uhrzeit: '02:30' }],
  14: ['a file that does not exist', { Clip: 'clips/glow-1.mp4' }],
  15: ['no caption', { Copy: '' }],
  16: ['a caption that is too long', { Copy: 'Pflege für jeden Tag. '.repeat(200) }],
  17: ['the key of another row', { 'Nr.': '1' }],
  18: ['no creator', { Handle: '' }],
  19: ['a date without a time of day', { Uhrzeit: '' }],
  20: ['a time of day without a date', { Datum: '' }],
  21: ['neither yes nor no', { 'KI-Kennzeichnung': 'evtl.' }],
  22: ['letters that a program has lost', { Copy: '????? ???' }],
  23: ['a time of day that does not exist', { Uhrzeit: '25:00' }],
  27: ['a file of another kind than the others', { Clip: 'fotos/glow-01.png|clips/glow-02.mp4' }],
  37: ['media and a prompt', { Clip: 'clips/glow-03.mp4' }],
};

export const agencyRows: readonly AgencyRow[] = Array.from(
  { length: videoRows + photoRows + promptRows },
  (_, index) => rowOf(index + 1),
);

function rowOf(number: number): AgencyRow {
  const [title, id] = products[number % products.length] ?? products[0];
  const isVideo = number <= videoRows;
  const isPhoto = !isVideo && number <= videoRows + photoRows;
  const media = isVideo ? pick(videos, number - 1) : isPhoto ? pick(photos, number - videoRows - 1) : '';
  const [mistake, cells] = mistakes[number] ?? [];
  return {
    mistake,
    cells: {
      'Nr.': String(number),
      Handle: pick(handles, number),
      Clip: media,
      Copy: `${pick(copies, number)} (${number})`,
      Produkt: title,
      Artikelnummer: id,
      Datum: `${two((number % 28) + 1)}.03.2031`,
      Uhrzeit: `${two(9 + (number % 10))}:30`,
      'KI-Prompt': isVideo || isPhoto ? '' : `Eine Flasche im Morgenlicht, Bild ${number}`,
      'KI-Kennzeichnung': '',
      Freigabe: 'ok',
      Bemerkung: number % 9 === 0 ? 'Kunde prüft noch' : '',
      ...cells,
    },
  };
}

/** Writes it as Excel does, with the title in line 1, real dates, and times in a column of their own. @returns its path. */
export async function agencyWorkbook(rows: readonly AgencyRow[] = agencyRows): Promise<string> {
  const lines = [
    `<row r="1">${textCell('A1', agencyTitle)}</row>`,
    `<row r="2">${agencyHeaders.map((header, index) => textCell(`${letter(index)}2`, header)).join('')}</row>`,
    ...rows.map(({ cells }, index) => xmlRow(index + 3, cells)),
  ];
  const merges = [`A1:${letter(agencyHeaders.length - 1)}1`];
  return writeWorkbook({ rows: lines.join(''), merges, formats: ['dd.mm.yyyy', 'hh:mm'] });
}

/** The same as CSV, separated by `;`. @param title whether it has the title in line 1. */
export function agencyCsv(encoding: 'utf-16le' | 'windows-1252', { title = false } = {}): Buffer {
  const rows = agencyRows.map(({ cells }) => agencyHeaders.map((header) => cells[header]));
  const before = title ? [[agencyTitle, ...agencyHeaders.slice(1).map(() => '')]] : [];
  const text = stringify([...before, agencyHeaders, ...rows], { delimiter: ';', record_delimiter: '\r\n' });
  if (encoding === 'utf-16le') return Buffer.from(`\ufeff${text}`, 'utf16le');
  // Its row with Chinese has been typed anew: the encoding lacks those letters.
  return Buffer.from(text.replace('2031年3月14日', '14 Mar 2031').replaceAll('–', '\x96'), 'latin1');
}

const dayMs = 86_400_000;
const dayZero = Date.UTC(1899, 11, 30);

function xmlRow(line: number, cells: AgencyRow['cells']): string {
  const inner = agencyHeaders.map((header, index) => {
    const text = cells[header];
    const reference = `${letter(index)}${line}`;
    const [, day = '', month = '', year = ''] = /^(\d\d)\.(\d\d)\.(\d{4})$/.exec(text) ?? [];
    const [, hour = '', minute = ''] = /^([01]\d|2[0-3]):(\d\d)$/.exec(text) ?? [];
    if (text === '') return '';
    if (year !== '') {
      const serial = (Date.UTC(Number(year), Number(month) - 1, Number(day)) - dayZero) / dayMs;
      return `<c r="${reference}" s="1"><v>${serial}</v></c>`;
    }
    if (hour !== '') {
      const fraction = (Number(hour) * 60 + Number(minute)) / 1440;
      return `<c r="${reference}" s="2"><v>${fraction}</v></c>`;
    }
    return textCell(reference, text);
  });
  return `<row r="${line}">${inner.join('')}</row>`;
}

function textCell(reference: string, text: string): string {
  const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  return `<c r="${reference}" t="inlineStr"><is><t xml:space="preserve">${escaped}</t></is></c>`;
}

function letter(index: number): string {
  return String.fromCharCode(0x41 + index);
}

function pick(list: readonly string[], index: number): string {
  return list[index % list.length] ?? '';
}

function two(number: number): string {
  return String(number).padStart(2, '0');
}
