/** JSON: keys, numbers, depth. */
import { type BadManifest, jsonOf } from './entry.ts';

const id = '"product_id":"1"';
const caption = '"caption":"Hi"';

export const json: readonly BadManifest[] = [
  {
    name: 'a duplicate key',
    content: jsonOf(`${id},"caption":"a","caption":"b"`),
    problems: [['1 caption', 'duplicate_name', 'the row has this key twice', 'Keep one of them.']],
  },
  {
    name: 'a key __proto__',
    content: jsonOf(`${id},${caption},"__proto__":{"a":1}`),
    problems: [
      ['1 __proto__', 'reserved_name', 'this name is not allowed as a key', 'Rename or remove the key.'],
    ],
  },
  {
    name: 'a key constructor',
    content: jsonOf(`${id},${caption},"constructor":"x"`),
    problems: [
      ['1 constructor', 'reserved_name', 'this name is not allowed as a key', 'Rename or remove the key.'],
    ],
  },
  {
    name: 'an id beyond 2^53',
    content: jsonOf(`${caption},"product_id":1729432342342341999`),
    problems: [],
    column: 'product_id',
    rows: [[1, '1729432342342341999']],
  },
  {
    name: 'an id in scientific notation',
    content: jsonOf(`${caption},"product_id":1.72943E+18`),
    problems: [
      [
        '1 product_id',
        'scientific_number',
        'a number in this notation may have lost its last digits',
        'Write it in plain digits. Put an id in quotes.',
      ],
    ],
  },
  {
    name: 'NaN',
    content: jsonOf(`${id},${caption},"cover_timestamp_ms":NaN`),
    problems: [
      [
        '1 -',
        'invalid_json',
        'NaN is not a JSON value',
        'Write a text in double quotes, a number, true, false or null.',
      ],
    ],
  },
  {
    name: '1e999',
    content: jsonOf(`${id},${caption},"cover_timestamp_ms":1e999`),
    problems: [
      ['1 cover_timestamp_ms', 'number_too_large', 'this number is too large', 'Write it in plain digits.'],
    ],
  },
  {
    name: 'a negative number',
    content: jsonOf(`${id},${caption},"cover_timestamp_ms":-1`),
    problems: [
      [
        '1 cover_timestamp_ms',
        'invalid_integer',
        'this is not a whole number',
        'Write a whole number in plain digits, from 0 to 9007199254740991.',
      ],
    ],
  },
  {
    name: 'an array nested 100,000 deep',
    content: '['.repeat(100_000),
    problems: [
      [
        '1 -',
        'invalid_json',
        'the value that begins here never ends',
        'Look for a missing quote or bracket.',
      ],
    ],
  },
  {
    name: 'a value nested 100,000 deep',
    content: jsonOf(`${id},"caption":${'['.repeat(100_000)}${']'.repeat(100_000)}`),
    problems: [
      [
        '1 -',
        'nested_too_deep',
        'lists or objects are nested more than 100 deep',
        'Give each value its own key. A list contains only texts.',
      ],
    ],
  },
  {
    name: 'half of a character',
    content: jsonOf(`${id},"caption":"\\ud83d"`),
    problems: [['1 caption', 'broken_text', 'half of a character is missing in this text', 'Type it again.']],
  },
];
