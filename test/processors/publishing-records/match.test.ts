import { describe, expect, it } from 'vitest';
import { compareRecord, type SoughtPost } from '../../../src/processors/publishing-records/match.ts';
import type { PublishingRecord } from '../../../src/service/posts.ts';

const sentAt = Date.UTC(2026, 5, 1);
const window = 60_000;
const sought: SoughtPost = {
  creatorId: 'c1',
  title: 'A caption',
  fileIds: ['7'],
  productId: 'p1',
  scheduledAt: undefined,
  sentAt,
};
const record: PublishingRecord = {
  postId: 'post1',
  status: 'SCHEDULED',
  creatorId: 'c1',
  title: 'A caption',
  businessId: '7',
  businessIds: ['7'],
  productId: 'p1',
  scheduledAt: undefined,
  createdAt: sentAt + 1000,
  publicUrl: undefined,
  failureReason: undefined,
};

function compare(given: Partial<PublishingRecord>, post: Partial<SoughtPost> = {}, ofCreator = false) {
  return compareRecord({ ...record, ...given }, { ...sought, ...post }, { window, ofCreator });
}

it('a record that tells the same of everything is the same', () => {
  expect(compare({})).toBe('same');
});

describe('a record is another post', () => {
  it.for<[string, Partial<PublishingRecord>]>([
    ['of another creator', { creatorId: 'c2' }],
    ['with another caption', { title: 'Another' }],
    ['with another product', { productId: 'p2' }],
    ['with another file', { businessId: '8', businessIds: ['8'] }],
    ['with more files', { businessIds: ['7', '8'] }],
    ['of long before the attempt', { createdAt: sentAt - window - 1 }],
    ['of long after the attempt', { createdAt: sentAt + window + 1 }],
    ['that is scheduled', { scheduledAt: sentAt + 2 * window + 1001 }],
  ])('%s', ([, given]) => {
    expect(compare(given)).toBe('other');
  });
});

describe('the schedule', () => {
  const scheduledAt = sentAt + 3_600_000;

  it('may be rounded to the minute', () => {
    expect(compare({ scheduledAt }, { scheduledAt: scheduledAt + 59_999 })).toBe('same');
    expect(compare({ scheduledAt }, { scheduledAt: scheduledAt - 59_999 })).toBe('same');
  });

  it('may be missing in a post that may have been sent after its time', () => {
    const post = { scheduledAt, sentUntil: scheduledAt + 60_000 };
    const createdAt = scheduledAt + 30_000;
    expect(compare({ scheduledAt: createdAt, createdAt }, post)).toBe('same');
    expect(compare({ scheduledAt: createdAt + 2 * window, createdAt }, post)).toBe('other');
  });

  it('has to be the same minute', () => {
    expect(compare({ scheduledAt }, { scheduledAt: scheduledAt + 60_000 })).toBe('other');
  });

  it('may be the moment of its creation where there is none', () => {
    expect(compare({ scheduledAt: record.createdAt })).toBe('same');
  });
});

describe('a caption', () => {
  it.for([
    ['in another Unicode form', 'Cafe\u0301', 'Caf\u00e9'],
    ['in full width', 'ＳＡＬＥ！', 'SALE!'],
    ['with other spaces', ' Two\r\nlines\u00a0here ', 'Two lines here'],
    ['without invisible characters', '❤️ love\u200b', '❤ love'],
  ] as const)('%s is the same', ([, title, written]) => {
    expect(compare({ title }, { title: written })).toBe('same');
  });

  it.for([
    ['without its emoji', 'Spring', 'Spring 🌷!'],
    ['in another case', 'SPRING SALE', 'Spring Sale'],
    ['that was cut off', 'The first lines of...', 'The first lines of a long caption'],
  ] as const)('%s is similar: a person has to look', ([, title, written]) => {
    expect(compare({ title }, { title: written })).toBe('similar');
  });
});

describe('a record that tells too little fits nothing', () => {
  it.for<[string, Partial<PublishingRecord>]>([
    ['no time of creation', { createdAt: undefined }],
    ['neither caption nor files', { title: undefined, businessId: undefined, businessIds: undefined }],
    ['no creator', { creatorId: undefined }],
  ])('%s', ([, given]) => {
    expect(compare(given)).toBe('incomparable');
  });

  it('but the creator may be known by what was asked for', () => {
    expect(compare({ creatorId: undefined }, {}, true)).toBe('same');
  });

  it('and the caption may be missing where the files are told', () => {
    expect(compare({ title: undefined, businessIds: undefined, productId: undefined })).toBe('same');
  });
});
