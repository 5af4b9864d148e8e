/** Values: keys, ids, numbers, times, and texts. */
import { type BadManifest, csvOf } from './entry.ts';

export const values: readonly BadManifest[] = [
  {
    name: 'duplicate keys',
    content: csvOf({ key: 'a' }, { key: 'b' }, { key: 'a' }),
    problems: [
      [
        '4 key',
        'duplicate_key',
        'the row on line 2 has the same key',
        'Give each row its own key. A row without a key gets its row number as key.',
      ],
    ],
  },
  {
    name: 'a key that is the number of another row',
    content: csvOf({ key: '2' }, { key: '' }),
    problems: [
      [
        '3 key',
        'duplicate_key',
        'the row on line 2 has the same key',
        'Give each row its own key. A row without a key gets its row number as key.',
      ],
    ],
  },
  {
    name: 'reserved keys',
    content: csvOf({ key: '__proto__' }, { key: 'constructor' }),
    problems: [
      ['2 key', 'reserved_name', 'this name is not allowed as a key', 'Give the row another key.'],
      ['3 key', 'reserved_name', 'this name is not allowed as a key', 'Give the row another key.'],
    ],
  },
  {
    name: 'an id beyond 2^53',
    content: csvOf({ product_id: '1729432342342341999' }),
    problems: [],
    column: 'product_id',
    rows: [[2, '1729432342342341999']],
  },
  {
    name: 'an id in scientific notation',
    content: csvOf({ product_id: '1.72943E+18' }),
    problems: [
      [
        '2 product_id',
        'scientific_id',
        'the spreadsheet program turned this id into a number and lost its last digits',
        'Format the column as text, then enter the id again.',
      ],
    ],
  },
  {
    name: 'NaN for a number',
    content: csvOf({ cover_timestamp_ms: 'NaN' }),
    problems: [
      [
        '2 cover_timestamp_ms',
        'invalid_integer',
        'this is not a whole number',
        'Write a whole number in plain digits, from 0 to 9007199254740991.',
      ],
    ],
  },
  {
    name: '1e999 for a number',
    content: csvOf({ cover_timestamp_ms: '1e999' }),
    problems: [
      [
        '2 cover_timestamp_ms',
        'invalid_integer',
        'this is not a whole number',
        'Write a whole number in plain digits, from 0 to 9007199254740991.',
      ],
    ],
  },
  {
    name: 'a negative number',
    content: csvOf({ cover_timestamp_ms: '-1' }),
    problems: [
      [
        '2 cover_timestamp_ms',
        'invalid_integer',
        'this is not a whole number',
        'Write a whole number in plain digits, from 0 to 9007199254740991.',
      ],
    ],
  },
  {
    name: 'formula prefixes',
    content: csvOf({ caption: "'=1+1" }, { caption: '=1+1' }, { caption: '@anna' }),
    problems: [],
    rows: [
      [2, "'=1+1"],
      [3, '=1+1'],
      [4, '@anna'],
    ],
  },
  {
    name: 'a time without a zone',
    content: csvOf({ scheduled_at: '2026-12-01 10:00' }),
    problems: [
      [
        '2 scheduled_at',
        'zoneless_time',
        'the time has no time zone',
        'Fill in scheduled_tz (such as Asia/Shanghai), or add an offset to the time. Or give --timezone Asia/Shanghai.',
      ],
    ],
  },
  {
    name: 'a past time',
    content: csvOf({ scheduled_at: '2026-11-01T10:00Z' }),
    problems: [
      [
        '2 scheduled_at',
        'time_past',
        'this time is in the past; it is now 2026-11-21 00:00 (UTC)',
        'Choose a future time, or clear scheduled_at to post now.',
      ],
    ],
  },
  {
    name: 'an impossible time',
    content: csvOf({ scheduled_at: '2027-02-30 10:00', scheduled_tz: 'Asia/Shanghai' }),
    problems: [
      [
        '2 scheduled_at',
        'impossible_time',
        'this date does not exist',
        'Write it as 2026-12-01 10:00 with a time zone, or as 2026-12-01T10:00:00+08:00.',
      ],
    ],
  },
  {
    name: 'a time in a DST gap',
    content: csvOf({ scheduled_at: '2027-03-14 02:30', scheduled_tz: 'America/New_York' }),
    problems: [
      [
        '2 scheduled_at',
        'time_in_gap',
        'this time does not exist in America/New_York: the clocks go forward over it',
        'Choose a time before or after the clock change, or add an offset.',
      ],
    ],
  },
  {
    name: 'a time in a DST overlap',
    content: csvOf({ scheduled_at: '2027-11-07 01:30', scheduled_tz: 'America/New_York' }),
    problems: [
      [
        '2 scheduled_at',
        'time_in_overlap',
        'this time exists twice in America/New_York: the clocks go back over it',
        'Add the offset, as in 2026-10-25T02:30:00+01:00.',
      ],
    ],
  },
  {
    name: 'a zone that does not exist',
    content: csvOf({ scheduled_at: '2026-12-01 10:00', scheduled_tz: 'Europe/Springfield' }),
    problems: [
      [
        '2 scheduled_tz',
        'unknown_zone',
        'there is no such time zone',
        'Write the name of an IANA time zone, such as Asia/Shanghai or America/New_York.',
      ],
    ],
  },
  {
    name: 'a text-direction character in an id',
    content: csvOf({ product_id: '1\u202e2' }),
    problems: [
      [
        '2 product_id',
        'invisible_characters',
        'this id contains invisible characters',
        'Type the id again, or copy it as plain text.',
      ],
    ],
  },
  {
    name: 'a zero-width character in an id',
    content: csvOf({ key: 'a\u200b', creator: 'demo\u200b_anna' }),
    problems: [
      [
        '2 key',
        'invisible_characters',
        'this id contains invisible characters',
        'Type the id again, or copy it as plain text.',
      ],
      [
        '2 creator',
        'invisible_characters',
        'this id contains invisible characters',
        'Type the id again, or copy it as plain text.',
      ],
    ],
  },
  {
    name: 'a caption of 4,000 characters, and more UTF-16 units',
    content: csvOf({ caption: '😀'.repeat(4000) }),
    problems: [],
    rows: [[2, '😀'.repeat(4000)]],
  },
  {
    name: 'a caption of more characters',
    content: csvOf({ caption: '😀'.repeat(4001) }),
    problems: [
      ['2 caption', 'too_long', 'caption has 4,001 characters; 4,000 are allowed', 'Shorten it by 1.'],
    ],
  },
];
