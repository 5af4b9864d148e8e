/** Shape: quotes, ragged rows, headers, and lengths. */
import { type BadManifest, csvOf } from './entry.ts';

const plain = csvOf({});

export const shape: readonly BadManifest[] = [
  {
    name: 'an unclosed quote',
    content: `${csvOf({}, { caption: '' })}demo_anna,a.mp4,"Hi,1,Serum\ndemo_anna,a.mp4,Hi,1,Serum\n`,
    problems: [
      [
        '3 caption',
        'missing_value',
        'caption is empty',
        'Fill in caption. Text of the post, at most 4,000 characters.',
      ],
      [
        '4 -',
        'quote_not_closed',
        'a quote in this row is never closed, so the rest of the file became part of it',
        'Put a cell in quotes if it contains a quote, a separator or a line break, and double each quote in it.',
      ],
    ],
  },
  {
    name: 'a quote within a cell',
    content: `${plain}demo_anna,a.mp4,5" tall,1,Serum\n`,
    problems: [],
  },
  {
    name: 'a blank in front of a quoted cell',
    content: `${plain}demo_anna,a.mp4, "Tall, thin",1,Serum\n`,
    problems: [
      [
        '3 -',
        'stray_quote',
        'a cell has a space before its opening quote',
        'Remove the space before the quote.',
      ],
    ],
  },
  {
    name: 'text after a closing quote',
    content: `${plain}demo_anna,a.mp4,"5" tall,1,Serum\n`,
    problems: [
      [
        '3 -',
        'stray_quote',
        'a cell continues after its closing quote; reading stopped here',
        'Put a cell in quotes if it contains a quote, a separator or a line break, and double each quote in it.',
      ],
    ],
  },
  {
    name: 'a short row',
    content: `${plain}demo_anna,a.mp4,Hi\n`,
    problems: [
      [
        '3 -',
        'ragged_row',
        'the row has 3 cells, but the header has 5',
        'Look for a missing separator, or a quote too many. Or save the sheet as XLSX: Excel leaves out empty cells at the end of CSV rows.',
      ],
    ],
  },
  {
    name: 'a long row',
    content: `${plain}demo_anna,a.mp4,Hi, there,1,Serum\n`,
    problems: [
      [
        '3 -',
        'ragged_row',
        'the row has 6 cells, but the header has 5',
        'Look for an extra separator, quote or line break. Put a cell that contains a separator in quotes.',
      ],
    ],
  },
  {
    name: 'a cell under no header',
    content: 'creator,media,caption,product_id,product_title,\ndemo_anna,a.mp4,Hi,1,Serum,x\n',
    problems: [
      [
        '2 -',
        'cell_without_header',
        'cell 6 has an empty header',
        'Name the column in the header, or clear the cell.',
      ],
    ],
  },
  {
    name: 'duplicate headers',
    content: plain.replace('media', 'caption'),
    problems: [
      ['1 caption', 'duplicate_column', 'the header has the column caption twice', 'Keep one of them.'],
      [
        '1 media',
        'missing_column',
        'the header has no column media',
        'Add a column media, or ai_prompt to generate the media. The template lists all columns.',
      ],
    ],
  },
  {
    name: 'two names of one column',
    content: plain.replace('media,caption', 'media,caption,Title').replace('Hi', 'Hi,Ho'),
    problems: [
      ['1 Title', 'duplicate_column', 'Title and caption mean the same column', 'Keep one of them.'],
    ],
  },
  {
    name: 'missing headers',
    content: 'creator,media\ndemo_anna,a.mp4\n',
    problems: [
      [
        '1 caption',
        'missing_column',
        'the header has no column caption',
        'Add a column caption. The template lists all columns.',
      ],
      [
        '1 product_id',
        'missing_column',
        'the header has no column product_id',
        'Add a column product_id. The template lists all columns.',
      ],
      [
        '1 product_title',
        'missing_column',
        'the header has no column product_title',
        'Add a column product_title. The template lists all columns.',
      ],
    ],
  },
  {
    name: 'an unknown header',
    content: plain.replace('caption', 'captoin'),
    problems: [
      [
        '1 captoin',
        'unknown_column',
        'there is no column captoin; did you mean caption?',
        'Rename it to caption. Or map it (--map captoin=caption). To keep it as a note, begin the header with _ or #, map it to _, or use --allow-unknown-columns.',
      ],
      [
        '1 caption',
        'missing_column',
        'the header has no column caption',
        'Add a column caption. The template lists all columns.',
      ],
    ],
  },
  {
    name: 'an unknown header that is like no other',
    content: csvOf({ wheels: '4' }),
    problems: [
      [
        '1 wheels',
        'unknown_column',
        'there is no column wheels',
        'Remove it. Or map it (--map wheels=COLUMN). To keep it as a note, begin the header with _ or #, map it to _, or use --allow-unknown-columns.',
      ],
    ],
  },
  {
    name: 'reserved headers',
    content: csvOf({ __proto: '' }).replace('__proto', '__proto__,constructor').replace(/,\n$/, ',,\n'),
    problems: [
      [
        '1 __proto__',
        'reserved_name',
        'this name is not allowed as a header',
        'Rename or remove the column.',
      ],
      [
        '1 constructor',
        'reserved_name',
        'this name is not allowed as a header',
        'Rename or remove the column.',
      ],
    ],
  },
  {
    name: 'a field over a limit',
    content: csvOf({ caption: 'x'.repeat(4001) }, { product_title: 'x'.repeat(31) }),
    problems: [
      ['2 caption', 'too_long', 'caption has 4,001 characters; 4,000 are allowed', 'Shorten it by 1.'],
      ['3 product_title', 'too_long', 'product_title has 31 characters; 30 are allowed', 'Shorten it by 1.'],
    ],
  },
  {
    name: 'a row of more than 1 MB',
    content: `${plain}demo_anna,a.mp4,"${'x\n'.repeat(600_000)}",1,Serum\n`,
    problems: [
      [
        '3 -',
        'row_too_long',
        'this row is longer than 1 MB; most likely a quote in it is never closed',
        'Put a cell in quotes if it contains a quote, a separator or a line break, and double each quote in it.',
      ],
    ],
  },
];
