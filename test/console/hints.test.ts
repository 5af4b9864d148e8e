/** Each surface says what to do in its own words, and the API gives programs the hints themselves. */
import { describe, expect, it } from 'vitest';
import { fixHere } from '../../src/cli/hints.ts';
import { fixInAnswer, fixOnDraft, fixOnPage, withFixes } from '../../src/console/hints.ts';
import { problemOf } from '../../src/console/http/problem.ts';
import { readTime } from '../../src/manifest/cells/time.ts';
import { matchHeader } from '../../src/manifest/headers/header.ts';
import { type Fix, hint, hintsOf, plainFix, storedHint } from '../../src/manifest/problems/hint.ts';
import { UseCaseError } from '../../src/manifest/problems/use-case-error.ts';

const inApi = (fix: Fix) => fixInAnswer('/campaigns', fix).fix;
const inDrafts = (fix: Fix) => fixInAnswer('/drafts/{id}', fix).fix;

it('an unknown column', () => {
  const { problems } = matchHeader(['Wer'], { rejectUnknown: true });
  const fix = problems.find(({ code }) => code === 'unknown_column')?.fix ?? '';
  expect(plainFix(fix)).toBe('Remove it.');
  expect(fixHere(fix)).toContain('Or map it (--map Wer=COLUMN).');
  expect(fixOnPage(fix)).toContain('Or import the sheet as a new campaign');
  expect(fixOnDraft(fix)).toContain('Or say what it is under Columns.');
  expect(inApi(fix)).toContain('Or map it (map: "Wer=COLUMN").');
  expect(inDrafts(fix)).toContain('Or map it (map: { "Wer": "COLUMN" }).');
});

it('a time without a zone', () => {
  const read = readTime('2031-03-12 18:00', null);
  const fix = 'fault' in read ? read.fault.fix : '';
  expect(fixHere(fix)).toMatch(/or add an offset to the time\. Or give --timezone Asia\/Shanghai\.$/);
  expect(fixOnPage(fix)).toMatch(/or add an offset to the time\.$/);
  expect(fixOnDraft(fix)).toMatch(/Or choose the zone under Times\.$/);
  expect(inApi(fix)).toMatch(/Or give the field timezone, such as Asia\/Shanghai\.$/);
});

describe('a fix', () => {
  const fix = ['Fix it.', hint('deleteAnyway'), hint('list', { what: 'campaigns' }), 'Then try again.'];

  it('has commands on lines of their own, in the order of its parts', () => {
    expect(fixHere(fix)).toBe(
      'Fix it. Or delete it anyway with --force.\nSee all campaigns:\ncampaigns list\nThen try again.',
    );
  });

  it('leaves out what a surface has no words for', () => {
    expect(fixOnPage(fix)).toBe('Fix it. Then try again.');
    expect(fixInAnswer('/campaigns', [hint('deleteAnyway')])).toEqual({
      hints: [{ action: 'deleteAnyway', params: {} }],
    });
  });
});

it('a problem of the API has the hints of an error as data', () => {
  const error = new UseCaseError('manifest_known', 'it was imported before', {
    fix: [hint('retry', { campaign: 'c1' })],
  });
  expect(problemOf(error)).toMatchObject({
    detail: 'It was imported before.',
    fix: 'To retry: POST /campaigns/c1/retry',
    hints: [{ action: 'retry', params: { campaign: 'c1' } }],
  });
});

it('a document keeps everything but its fixes', () => {
  const value = {
    id: 'c1',
    cells: ['--map'],
    problems: [
      { fix: [hint('postAgain')], value: '--again' },
      { fix: 'Shorten it.', value: '' },
    ],
  };
  expect(withFixes('/checks', value)).toEqual({
    id: 'c1',
    cells: ['--map'],
    problems: [
      {
        fix: 'To post it again, send again=true.',
        hints: [{ action: 'postAgain', params: {} }],
        value: '--again',
      },
      { fix: 'Shorten it.', value: '' },
    ],
  });
});

it.each([
  { action: 'rate', params: {} },
  { action: 'rate', params: { operation: 1 } },
  { action: 'constructor', params: {} },
])('a stored hint is read only in its own form: %j', (stored) => {
  const [own] = hintsOf([hint('rate', { operation: 'listVideos' })]);
  expect(storedHint.safeParse(own).success).toBe(true);
  expect(storedHint.safeParse(stored).success).toBe(false);
});
