/** Bytes: encodings, characters, line ends, and files that are not manifests. */
import { gzipSync } from 'node:zlib';
import { type BadManifest, csvOf } from './entry.ts';

const head = 'creator,media,caption,product_id,product_title';
const lost = 'most letters of this text are ?: the program that saved the sheet has lost them';
const again = 'Type the text again, and save the sheet as XLSX or as "CSV UTF-8".';
const missing = (name: string) => `Add a column ${name}. The template lists all columns.`;
const hello = csvOf({ caption: '你好' });

/** A row in ASCII with a caption in another encoding. */
function written(caption: Buffer): Buffer {
  const [before = '', after = ''] = csvOf({}, { caption: '@' }).split('@');
  return Buffer.concat([Buffer.from(before), caption, Buffer.from(after)]);
}

export const bytes: readonly BadManifest[] = [
  { name: 'a byte order mark', content: `\ufeff${hello}`, problems: [], rows: [[2, '你好']] },
  {
    name: 'UTF-16 LE',
    content: Buffer.from(`\ufeff${hello}`, 'utf16le'),
    problems: [],
    rows: [[2, '你好']],
  },
  {
    name: 'UTF-16 BE',
    content: Buffer.from(`\ufeff${hello}`, 'utf16le').swap16(),
    problems: [],
    rows: [[2, '你好']],
  },
  {
    name: 'GB18030 with few Chinese characters',
    content: written(Buffer.from('c4e3bac3', 'hex')),
    problems: [
      [
        '3 -',
        'invalid_utf8',
        'this line is not in UTF-8',
        'Save the file as "CSV UTF-8" in the spreadsheet program. Or name its encoding with --encoding gb18030 (a guess). The text then reads: "你好". With euc-kr it reads: "콱봤". With big5 it reads: "斕疑".',
      ],
    ],
  },
  {
    name: 'invalid UTF-8',
    content: Buffer.concat([Buffer.from(csvOf({}, {}).trimEnd()), Buffer.from([0xff, 0x0a])]),
    problems: [
      [
        '3 -',
        'invalid_utf8',
        'this line is not in UTF-8',
        'Save the file as "CSV UTF-8" in the spreadsheet program. Or name its encoding with --encoding windows-1252 (a guess). The text then reads: "Serumÿ".',
      ],
    ],
  },
  {
    name: 'Windows-1252',
    content: written(Buffer.from('Crème de señora', 'latin1')),
    problems: [
      [
        '3 -',
        'invalid_utf8',
        'this line is not in UTF-8',
        'Save the file as "CSV UTF-8" in the spreadsheet program. Or name its encoding with --encoding windows-1252 (a guess). The text then reads: "Crème de señora".',
      ],
    ],
  },
  {
    name: 'Windows-1252 with two accented letters in a row',
    content: written(Buffer.from('Größe und Grüße, für Füße', 'latin1')),
    problems: [
      [
        '3 -',
        'invalid_utf8',
        'this line is not in UTF-8',
        'Save the file as "CSV UTF-8" in the spreadsheet program. Or name its encoding with --encoding windows-1252 (a guess). The text then reads: "Größe und Grüße, für Füße".',
      ],
    ],
  },
  {
    name: 'letters that a program has replaced',
    content: csvOf(
      { caption: '????? ??? Glow' },
      { caption: '??', product_title: '??????? 30ml' },
      { caption: 'Really???' },
      { caption: 'No???' },
      { caption: 'Why? How? Who?? Glow ???' },
    ),
    problems: [
      ['2 caption', 'destroyed_text', lost, again],
      ['3 caption', 'destroyed_text', lost, again],
      ['3 product_title', 'destroyed_text', lost, again],
    ],
    rows: [
      [4, 'Really???'],
      [5, 'No???'],
      [6, 'Why? How? Who?? Glow ???'],
    ],
  },
  {
    name: 'a header whose letters a program has replaced',
    content: csvOf({}).replace('creator', '??').replace('caption', '??'),
    problems: [
      ['1 ??', 'destroyed_text', lost, again],
      ['1 ??', 'destroyed_text', lost, again],
      ['1 creator', 'missing_column', 'the header has no column creator', missing('creator')],
      ['1 caption', 'missing_column', 'the header has no column caption', missing('caption')],
    ],
  },
  {
    name: 'Windows-1251',
    content: written(Buffer.from('cff0e8e2e5f220ece8f020f1fbe2eef0eef2eae0', 'hex')),
    problems: [
      [
        '3 -',
        'invalid_utf8',
        'this line is not in UTF-8',
        'Save the file as "CSV UTF-8" in the spreadsheet program. Or name its encoding with --encoding windows-1251 (a guess). The text then reads: "Привет мир сыворотка".',
      ],
    ],
  },
  {
    name: 'Shift_JIS',
    content: written(Buffer.from('82b182f182c982bf82cd90a28a45', 'hex')),
    problems: [
      [
        '3 -',
        'invalid_utf8',
        'this line is not in UTF-8',
        'Save the file as "CSV UTF-8" in the spreadsheet program. Or name its encoding with --encoding shift_jis (a guess). The text then reads: "こんにちは世界".',
      ],
    ],
  },
  {
    name: 'EUC-KR',
    content: written(Buffer.from('bec8b3e7c7cfbcbcbfe420bcbcb0e8c0ccbcf6b4c2', 'hex')),
    problems: [
      [
        '3 -',
        'invalid_utf8',
        'this line is not in UTF-8',
        'Save the file as "CSV UTF-8" in the spreadsheet program. Or name its encoding with --encoding euc-kr (a guess). The text then reads: "안녕하세요 세계이수는".',
      ],
    ],
  },
  {
    name: 'Big5',
    content: written(Buffer.from('a741a66ea540acc9b0d3ab7eb0d3ab7e', 'hex')),
    problems: [
      [
        '3 -',
        'invalid_utf8',
        'this line is not in UTF-8',
        'Save the file as "CSV UTF-8" in the spreadsheet program. Or name its encoding with --encoding big5 (a guess). The text then reads: "你好世界商品商品".',
      ],
    ],
  },
  {
    name: 'Excel’s hint of the separator',
    content: `sep=;\r\n${csvOf({ caption: 'one' }, { caption: '' }).replaceAll(',', ';')}`,
    problems: [
      [
        '4 caption',
        'missing_value',
        'caption is empty',
        'Fill in caption. Text of the post, at most 4,000 characters.',
      ],
    ],
    rows: [[3, 'one']],
  },
  {
    name: 'a hint of an unsupported separator',
    content: `sep=^\r\n${csvOf({}).replaceAll(',', '^')}`,
    problems: [
      [
        '1 -',
        'unknown_separator',
        'the first line names ^ as the separator, which is not supported',
        'Separate the cells with , ; | or TAB.',
      ],
    ],
  },
  {
    name: 'a NUL',
    content: csvOf({ caption: 'a\0b' }),
    problems: [
      ['2 caption', 'control_characters', 'caption contains a control character', 'Type the caption again.'],
    ],
  },
  {
    name: 'a control character',
    content: csvOf({ product_title: 'Serum\u001b[31m' }),
    problems: [
      [
        '2 product_title',
        'control_characters',
        'product_title contains a control character or a line break',
        'Type the title again on one line.',
      ],
    ],
  },
  {
    name: 'mixed newlines',
    content: `${head}\r\ndemo_anna,a.mp4,one,1,S\rdemo_anna,a.mp4,two,1,S\n\r\ndemo_anna,a.mp4,three,1,S`,
    problems: [],
    rows: [
      [2, 'one'],
      [3, 'two'],
      [5, 'three'],
    ],
  },
  {
    name: 'a quoted newline before a problem',
    content: csvOf({ caption: 'one\ntwo\r\nthree' }, { caption: '' }),
    problems: [
      [
        '5 caption',
        'missing_value',
        'caption is empty',
        'Fill in caption. Text of the post, at most 4,000 characters.',
      ],
    ],
  },
  {
    name: 'an empty file',
    content: '',
    problems: [
      ['1 -', 'empty_file', 'the file is empty', 'Use a CSV, JSON or XLSX file with a row for each post.'],
    ],
  },
  {
    name: 'blank lines only',
    content: '\r\n \r\n',
    problems: [
      ['1 -', 'empty_file', 'the file is empty', 'Use a CSV, JSON or XLSX file with a row for each post.'],
    ],
  },
  {
    name: 'a header only',
    content: `${head}\n`,
    problems: [['1 -', 'no_rows', 'the file has a header but no rows', 'Add a row for each post.']],
  },
  {
    name: 'gzip given as CSV',
    content: gzipSync(hello),
    problems: [
      ['1 -', 'not_csv', 'this is a gzip archive, not a CSV, JSON or XLSX file', 'Unpack it first (gunzip).'],
    ],
  },
];
